// patch, as an endpoint: each format on the object itself or on one of its parts.
import type { Kind } from '../../api/kind.ts'
import { conflictError } from '../../api/status-error.ts'
import type { Job, KubernetesObject, Writable } from '../../api/types.ts'
import { type NewObject, withDefaults } from './input.ts'
import { applyConfiguration, trackChange } from './managed-fields.ts'
import { checkName, settleNamespace } from './naming.ts'
import { dropDuplicateOwners } from './owner-references.ts'
import { patchObject } from './patch.ts'
import type { PatchFormat, PatchInput, PatchQuery } from './rest.ts'
import type { Scope } from './scope.ts'
import { applyUpdate, type Updated } from './update.ts'
import type { UpdateTarget } from './update-rules.ts'

export async function patch(
  scope: Scope,
  target: UpdateTarget,
  format: PatchFormat,
  input: PatchInput,
  query: PatchQuery,
): Promise<Updated> {
  const { kind, namespace, name, subresource } = target
  return applyUpdate(scope, target, query, {
    mayCreate: format === 'apply' && subresource === undefined,
    next(current) {
      const next =
        format === 'apply'
          ? withSharedLabels(kind, current, applyConfiguration(scope, kind, current, input, subresource, query), (object) =>
              withDefaults(scope, kind, object),
            )
          : withDefaults(scope, kind, patchObject(kind, current ?? {}, format, input, query))
      if (format !== 'apply') trackChange(scope, kind, current, next, subresource, query)
      if (current === undefined) refuseUid(kind, name, next.metadata.uid)
      settleNamespace(next, kind.namespaced ? namespace : '')
      checkName(next, name)
      dropDuplicateOwners(next, query.warn)
      return next
    },
  })
}

/** A Job that an apply creates without labels shares those of its pods, also those that they get later. */
function withSharedLabels(
  kind: Kind,
  current: KubernetesObject | undefined,
  object: Writable<KubernetesObject>,
  addDefaults: (object: Writable<KubernetesObject>) => NewObject,
): NewObject {
  const isLabelled = object.metadata?.labels !== undefined
  const next = addDefaults(object)
  if (kind.type !== 'batch.Job' || current !== undefined || isLabelled || next.metadata.labels === undefined) return next
  const labels = (next as Job).spec?.template.metadata?.labels
  if (labels !== undefined) next.metadata.labels = labels as Record<string, string>
  return next
}

function refuseUid(kind: Kind, name: string, uid: string | undefined): void {
  if (uid) throw conflictError(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`)
}
