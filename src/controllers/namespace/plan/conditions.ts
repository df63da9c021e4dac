// The conditions of a terminating namespace, with the messages of Kubernetes.
// Kubernetes: pkg/controller/namespace/deletion.namespaceConditionUpdater.*, makeDeleteContentCondition, updateConditions
// Kubernetes: pkg/controller/namespace/deletion.newSuccessfulCondition, okMessages, okReasons
import { withCondition } from '../../../api/machinery/conditions.ts'
import type { Namespace } from '../../../api/types.ts'

export interface RemainingContent {
  /** By resource (`pods.`, `deployments.apps`): how many objects are left. */
  readonly resources: ReadonlyMap<string, number>
  /** By finalizer: how many objects still have it. */
  readonly finalizers: ReadonlyMap<string, number>
  /** The messages of failed deletions. */
  readonly failures: readonly string[]
}

type Condition = NonNullable<NonNullable<Namespace['status']>['conditions']>[number]

const conditionsWithoutProblem = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  ['NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
] as const

/** Undefined if the conditions are up to date. */
export function nextNamespaceConditions(
  current: readonly Condition[],
  remaining: RemainingContent,
  now: string,
): readonly Condition[] | undefined {
  const problems = new Map<string, { readonly reason: string; readonly message: string }>()
  if (remaining.failures.length > 0)
    problems.set('NamespaceDeletionContentFailure', {
      reason: 'ContentDeletionFailed',
      message: `Failed to delete all resource types, ${remaining.failures.length} remaining: ${[...remaining.failures].sort().join(', ')}`,
    })
  if (remaining.resources.size > 0)
    problems.set('NamespaceContentRemaining', {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${list(remaining.resources, (name, count) => `${name} has ${count} resource instances`)}`,
    })
  if (remaining.finalizers.size > 0)
    problems.set('NamespaceFinalizersRemaining', {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${list(remaining.finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
    })

  let next = current
  for (const [type, reason, message] of conditionsWithoutProblem) {
    const problem = problems.get(type)
    const wanted = problem === undefined ? { status: 'False', reason, message } : { status: 'True', ...problem }
    next = withCondition<Condition>(next, { type, ...wanted }, now)
  }
  return next === current ? undefined : next
}

const list = (counts: ReadonlyMap<string, number>, sentence: (name: string, count: number) => string) =>
  [...counts]
    .map(([name, count]) => sentence(name, count))
    .sort()
    .join(', ')
