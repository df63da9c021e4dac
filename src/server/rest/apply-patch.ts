// patch, as an endpoint: each format on the object itself or on one of its parts.
import type { Kind } from '../../api/kind.ts'
import { conflictError } from '../../api/status-error.ts'
import { withDefaults } from './input.ts'
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
          ? withDefaults(scope, kind, applyConfiguration(scope, kind, current, input, subresource, query))
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

function refuseUid(kind: Kind, name: string, uid: string | undefined): void {
  if (uid) throw conflictError(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`)
}
