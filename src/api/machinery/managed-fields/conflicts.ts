// Conflicts of an apply with fields that other managers own.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.NewConflictError, getConflictMessage, printManager
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/merge.ConflictsFromManagers
import { groupBy } from '../../../base/maps.ts'
import { failure, type StatusError } from '../status-error.ts'
import { type FieldSet, intersection, pathsOf } from './field-set.ts'
import { type Owner, ownerId, setOf } from './managers.ts'
import { formatPath } from './path-element.ts'

export interface Conflict {
  readonly owner: Owner
  readonly path: readonly string[]
}

/** The fields of others that are among those written. */
export function conflictsWith(others: readonly Owner[], written: FieldSet): Conflict[] {
  return others.flatMap((owner) => pathsOf(intersection(setOf(owner), written)).map((path) => ({ owner, path })))
}

export function applyConflictError(conflicts: readonly Conflict[]): StatusError {
  return failure(409, 'Conflict', conflictMessage(conflicts), {
    causes: conflicts.map(({ owner, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${formatOwner(owner)}`,
      field: formatPath(path),
    })),
  })
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts
  if (first !== undefined && conflicts.length === 1)
    return `Apply failed with 1 conflict: conflict with ${formatOwner(first.owner)}: ${formatPath(first.path)}`
  const byOwner = groupBy(conflicts, ({ owner }) => ownerId(owner))
  const lines = [...byOwner.keys()].sort().flatMap((id) => {
    const theirs = byOwner.get(id)!
    return [`conflicts with ${formatOwner(theirs[0]!.owner)}:`, ...theirs.map(({ path }) => `- ${formatPath(path)}`)]
  })
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

/** `"hand" with subresource "status" using v1`; of an applier without its version. */
function formatOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const name = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '')
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}
