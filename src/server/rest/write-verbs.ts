// The verbs that write an object. They differ only in how they decode the body; the pipeline does the rest.
//
// create: a new object, with its own name or a generated one.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.createHandler
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.Create, Store.createWithGenerateNameRetry
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeCreate, CheckGeneratedNameError
// Kubernetes: k8s.io/apiserver/pkg/storage/names.simpleNameGenerator.GenerateName
import type { Kind } from '../../api/machinery/kind.ts'
import { conflictError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { Entry } from './entry.ts'
import { applyConfiguration } from './managed-fields.ts'
import { checkName, ensureNamespace } from './naming.ts'
import { patchObject } from './patch.ts'
import { readBody } from './request-body.ts'
import type { Input, PatchFormat, PatchInput, PatchQuery, WriteOptions } from './rest.ts'
import type { WriteScope } from './scope.ts'
import type { UpdateTarget } from './update-rules.ts'
import { type WrittenEntry, write } from './write-pipeline.ts'
import type { NewObject } from './write-steps.ts'

export async function create(scope: WriteScope, kind: Kind, namespace: string, input: Input, options: WriteOptions): Promise<Entry> {
  const { entry } = await write(scope, {
    kind,
    namespace,
    name: undefined,
    subresource: undefined,
    options,
    mayCreate: true,
    decode: () => readBody(kind, input, options),
  })
  return entry
}

// update: replaces the current object.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.UpdateResource
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.Update, ShouldDeleteDuringUpdate
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeUpdate
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

// patch: JSON patch, merge patch, strategic merge patch and server-side apply.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.PatchResource, patcher.patchResource, patcher.applyPatch
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.applyPatcher.applyPatchToCurrentObject, applyPatcher.createNewObject
export function patch(
  scope: WriteScope,
  target: UpdateTarget,
  format: PatchFormat,
  input: PatchInput,
  query: PatchQuery,
): Promise<WrittenEntry> {
  const { kind, name, subresource } = target
  const request = { ...target, options: query }
  if (format !== 'apply')
    return write(scope, { ...request, mayCreate: false, decode: (current) => patchObject(kind, current ?? {}, format, input, query) })
  return write(scope, {
    ...request,
    mayCreate: subresource === undefined,
    tracksFields: true,
    decode(current) {
      const object = applyConfiguration(formatTime(scope.clock.now()), kind, current, input, subresource, query)
      if (current === undefined) {
        refuseUid(kind, name, object.metadata?.uid)
        scope.pipelines.of(kind).behavior.completeApplied?.(object)
      }
      return object
    },
  })
}

function refuseUid(kind: Kind, name: string, uid: string | undefined): void {
  if (uid) throw conflictError(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`)
}
