// update: replaces the current object.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.UpdateResource
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.Update, ShouldDeleteDuringUpdate
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeUpdate
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { checkName, ensureNamespace } from './naming.ts'
import { readBody } from './request-body.ts'
import type { Input, WriteOptions } from './rest.ts'
import type { WriteScope } from './scope.ts'
import type { UpdateTarget } from './update-rules.ts'
import { type WrittenEntry, write } from './write-pipeline.ts'
import type { NewObject } from './write-steps.ts'

export function update(scope: WriteScope, target: UpdateTarget, input: Input, options: WriteOptions): Promise<WrittenEntry> {
  const { kind, namespace, name, subresource } = target
  return write(scope, {
    kind,
    namespace,
    name,
    subresource,
    options,
    mayCreate: subresource === undefined && kind.strategy.createOnUpdate === true,
    replaces: true,
    decode(current) {
      const object = readBody(kind, input, options, current && sharedParts(kind, current))
      object.metadata ??= {}
      ensureNamespace(object as NewObject, kind.namespaced ? namespace : '')
      checkName(object as NewObject, name)
      return object
    },
  })
}

/** The parts that the next version may share with the current one; steps change all others in place. */
function sharedParts({ strategy }: Kind, current: KubernetesObject & { readonly spec?: object; readonly status?: object }): object {
  const { metadata, spec, status } = current
  return strategy.defaultSpec === undefined ? { metadata, status } : { metadata, spec, status }
}
