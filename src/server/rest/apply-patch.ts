// patch: JSON patch, merge patch, strategic merge patch and server-side apply.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.PatchResource, patcher.patchResource, patcher.applyPatch
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.applyPatcher.applyPatchToCurrentObject, applyPatcher.createNewObject
import type { Kind } from '../../api/machinery/kind.ts'
import { conflictError } from '../../api/machinery/status-error.ts'
import { formatTime } from '../../base/clock.ts'
import { applyConfiguration } from './managed-fields.ts'
import { patchObject } from './patch.ts'
import type { PatchFormat, PatchInput, PatchQuery } from './rest.ts'
import type { WriteScope } from './scope.ts'
import type { UpdateTarget } from './update-rules.ts'
import { type WrittenEntry, write } from './write-pipeline.ts'

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
