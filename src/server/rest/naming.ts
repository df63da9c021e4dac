// Reconciles the name and namespace of an object with those of the request.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.EnsureObjectNamespaceMatchesRequestNamespace
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.checkName

import { badRequestError } from '../../api/machinery/status-error.ts'
import { type Random, randomSuffix } from '../../base/random.ts'
import type { NewObject } from './write-steps.ts'

/** Sets a missing namespace; removes it from cluster-scoped objects. */
export function ensureNamespace({ metadata }: Pick<NewObject, 'metadata'>, namespace: string): void {
  if ((metadata.namespace ?? '') === namespace) return
  if (namespace === '') delete metadata.namespace
  else if (!metadata.namespace) metadata.namespace = namespace
  else throw badRequestError('the namespace of the provided object does not match the namespace sent on the request')
}

export function checkName({ metadata }: NewObject, name: string): void {
  if (!metadata.name) throw badRequestError(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  if (metadata.name !== name)
    throw badRequestError(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
}

const maxGeneratedNameLength = 63
const suffixLength = 5

export function generateName(base: string, random: Random): string {
  return base.slice(0, maxGeneratedNameLength - suffixLength) + randomSuffix(random, suffixLength)
}
