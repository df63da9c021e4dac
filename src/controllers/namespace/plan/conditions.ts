// What a namespace that is being emptied says of itself, in Kubernetes' words.
import type { Namespace } from '../../../api/types.ts'

export interface RemainingContent {
  /** By resource, as `pods.` or `deployments.apps`: how many are left. */
  readonly resources: ReadonlyMap<string, number>
  /** By finalizer: how many objects still carry it. */
  readonly finalizers: ReadonlyMap<string, number>
  /** What went wrong with deleting, a sentence each. */
  readonly failures: readonly string[]
}

type Condition = NonNullable<NonNullable<Namespace['status']>['conditions']>[number]

const settled = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  ['NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
] as const

/** The conditions to write, or undefined when they already say so. */
export function nextNamespaceConditions(
  current: readonly Condition[],
  remaining: RemainingContent,
  now: string,
): readonly Condition[] | undefined {
  const troubles = new Map<string, { readonly reason: string; readonly message: string }>()
  if (remaining.failures.length > 0)
    troubles.set('NamespaceDeletionContentFailure', {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${remaining.failures.length} remaining: ${[...remaining.failures].sort().join(', ')}`,
    })
  if (remaining.resources.size > 0)
    troubles.set('NamespaceContentRemaining', {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${list(remaining.resources, (name, count) => `${name} has ${count} resource instances`)}`,
    })
  if (remaining.finalizers.size > 0)
    troubles.set('NamespaceFinalizersRemaining', {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${list(remaining.finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
    })

  let changed = false
  const next = [...current]
  for (const [type, reason, message] of settled) {
    const trouble = troubles.get(type)
    const wanted = trouble === undefined ? { status: 'False', reason, message } : { status: 'True', ...trouble }
    const at = next.findIndex((condition) => condition.type === type)
    const before = next[at]
    if (before !== undefined && before.status === wanted.status && before.reason === wanted.reason && before.message === wanted.message)
      continue
    changed = true
    const condition: Condition = {
      type,
      lastTransitionTime: before?.status === wanted.status ? (before.lastTransitionTime ?? now) : now,
      ...wanted,
    }
    if (at < 0) next.push(condition)
    else next[at] = condition
  }
  return changed ? next : undefined
}

const list = (counts: ReadonlyMap<string, number>, sentence: (name: string, count: number) => string) =>
  [...counts]
    .map(([name, count]) => sentence(name, count))
    .sort()
    .join(', ')
