// pods/eviction: a deletion within the limits of disruption budgets.
// Kubernetes: pkg/registry/core/pod/storage.EvictionREST.Create, addConditionAndDeletePod, createTooManyRequestsError, canIgnorePDB
// Kubernetes: pkg/registry/core/pod/storage.shouldEnforceResourceVersion
// Ours: controllers may replace a pod before it is evicted.
import { evictionKind } from '../../../api/kinds/policy/eviction/kind.ts'
import { podDisruptionBudgets, pods } from '../../../api/kinds.ts'
import { invalid } from '../../../api/machinery/field-error.ts'
import {
  badRequestError,
  conflictError,
  failure,
  invalidError,
  isStatusError,
  tooManyRequestsError,
} from '../../../api/machinery/status-error.ts'
import type { Eviction, Pod, PodDisruptionBudget, Status } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { matchesLabels, selectorRequirements } from '../../../base/label-selector.ts'
import { admitIntoNamespace } from '../../admission/namespace-lifecycle.ts'
import { changeStored } from '../../rest/change-stored.ts'
import { admitByConfiguration } from '../../rest/configured-admission.ts'
import { deleteObject } from '../../rest/delete.ts'
import { checkDeleteOptions } from '../../rest/deletion-rules.ts'
import { list } from '../../rest/list.ts'
import { ensureNamespace } from '../../rest/naming.ts'
import { readBody } from '../../rest/request-body.ts'
import type { DeleteQuery, Input, WriteOptions } from '../../rest/rest.ts'
import { readEntry, type WriteScope } from '../../rest/scope.ts'
import type { NewObject } from '../../rest/write-steps.ts'
import { created } from './binding.ts'
import { takeDisruption, tooSoonError } from './disruption-budget.ts'
import { isReady, withCondition } from './pod-conditions.ts'

// A pod may change between the read and the delete; the eviction fails after this many conflicts in a row.
const maxTries = 20

export async function evict(scope: WriteScope, namespace: string, name: string, input: Input, options: WriteOptions): Promise<Status> {
  const eviction = readBody<Eviction>(evictionKind, input, options) as Eviction
  ensureNamespace(eviction as NewObject, namespace)
  admitIntoNamespace(pods, name, namespace, scope.admission.cluster.namespace(namespace))
  if ((eviction.metadata?.name ?? '') !== name) throw badRequestError('name in URL does not match name in Eviction object')
  checkEviction(eviction, name, options)
  const query = deletionOf(eviction, options)
  if (scope.admission.dynamic.isActive)
    await admitByConfiguration(scope, query, {
      operation: 'CREATE',
      resource: pods,
      namespace,
      name,
      subresource: 'eviction',
      kind: evictionKind,
      object: eviction,
    })
  const { uid } = query.preconditions ?? {}
  const review = await scope.admission.reviewEviction?.({ namespace, name, isDryRun: query.dryRun === true, ...(uid && { uid }) })
  if (review !== undefined) throw tooManyRequestsError(review.message, review.retryAfterSeconds)
  const isPinned = query.preconditions?.resourceVersion !== undefined
  for (let tries = 1; ; tries++) {
    const pod = readEntry(scope, pods, namespace, name).object as Pod
    checkDeleteOptions(query, eviction.deleteOptions?.dryRun)
    if (!needsNoBudget(pod)) return evictBudgeted(scope, namespace, pod, query)
    try {
      await markAndDelete(scope, namespace, name, mustStayAsItIs(pod) && !isPinned ? pinned(query, pod) : query)
      return created
    } catch (error) {
      if (isPinned || tries === maxTries || !isStatusError(error, 'Conflict')) throw error
    }
  }
}

function checkEviction({ deleteOptions = {} }: Eviction, name: string, { dryRun: isDryRun = false }: WriteOptions): void {
  const { dryRun = [], ignoreStoreReadErrorWithClusterBreakingPotential: ignoresErrors = false } = deleteOptions
  const problem = 'can not be set for pod eviction, try after removing the option'
  if (ignoresErrors)
    throw invalidError(evictionKind, name, [
      invalid('deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential', ignoresErrors, problem),
    ])
  if (isDryRun && dryRun.length > 0 && dryRun.join() !== 'All')
    throw failure(500, '', `Non-matching dry-run options in request and content: [All] and [${dryRun.join(' ')}]`)
}

/** Budgets do not count pods that are not running or are terminating. */
function needsNoBudget({ metadata, status }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '')
}

/** A pending pod may start in the meantime, so its version is a precondition; finished pods never start again. */
function mustStayAsItIs({ metadata, status }: Pod): boolean {
  return metadata?.deletionTimestamp === undefined && status?.phase === 'Pending'
}

const pinned = (query: DeleteQuery, { metadata }: Pod): DeleteQuery => ({
  ...query,
  preconditions: { ...query.preconditions, resourceVersion: metadata?.resourceVersion ?? '' },
})

async function evictBudgeted(scope: WriteScope, namespace: string, pod: Pod, query: DeleteQuery): Promise<Status> {
  const name = pod.metadata?.name ?? ''
  const budgets = budgetsOf(scope, namespace, pod)
  if (budgets.length > 1)
    throw failure(500, '', 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.')
  const [budget] = budgets
  const bypassesTheBudget = budget !== undefined && bypassesBudget(budget, pod)
  if (budget !== undefined && !bypassesTheBudget) await takeDisruption(scope, namespace, budget.metadata?.name ?? '', name, query.dryRun)
  try {
    await markAndDelete(scope, namespace, name, bypassesTheBudget ? pinned(query, pod) : query)
  } catch (error) {
    // The pod changed since it was found unhealthy.
    if (bypassesTheBudget && query.preconditions?.resourceVersion === undefined && isStatusError(error, 'Conflict'))
      throw tooSoonError(budget.metadata?.name ?? '')
    throw error
  }
  return created
}

function budgetsOf(scope: WriteScope, namespace: string, { metadata }: Pod): PodDisruptionBudget[] {
  const budgets = list(scope, podDisruptionBudgets, namespace, {}).items.map(({ object }) => object as PodDisruptionBudget)
  return budgets.filter(({ spec }) => {
    const requirements = selectorRequirements(spec?.selector)
    return requirements !== undefined && matchesLabels(requirements, metadata?.labels)
  })
}

/** Whether the pod is unhealthy, and the budget's policy allows its eviction without a disruption. */
function bypassesBudget({ spec, status }: PodDisruptionBudget, pod: Pod): boolean {
  if (isReady(pod)) return false
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {}
  return currentHealthy >= desiredHealthy && desiredHealthy > 0
}

const disruptionTarget = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
}

async function markAndDelete(scope: WriteScope, namespace: string, name: string, query: DeleteQuery): Promise<void> {
  if (query.dryRun) {
    await deleteObject(scope, pods, namespace, name, query)
    return
  }
  const now = formatTime(scope.clock.now())
  const marked = await changeStored(scope, pods, namespace, name, false, (current) => {
    checkPreconditions(current as Pod, query)
    return withCondition(current as Pod, disruptionTarget, now)
  })
  const { resourceVersion = '' } = marked.object.metadata ?? {}
  const isPinned = query.preconditions?.resourceVersion !== undefined
  await deleteObject(scope, pods, namespace, name, {
    ...query,
    ...(isPinned && { preconditions: { ...query.preconditions, resourceVersion } }),
  })
}

function checkPreconditions({ metadata }: Pod, { preconditions = {} }: DeleteQuery): void {
  const refuse = (field: string, wanted: string, found: string, end: string) =>
    conflictError(
      { group: '', plural: 'Pod' },
      metadata?.name ?? '',
      `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found}). The object might have been ${end}`,
    )
  const { uid, resourceVersion } = preconditions
  if (uid && uid !== metadata?.uid) throw refuse('UID', uid, metadata?.uid ?? '', 'deleted and then recreated')
  if (resourceVersion && resourceVersion !== metadata?.resourceVersion)
    throw refuse('ResourceVersion', resourceVersion, metadata?.resourceVersion ?? '', 'modified')
}

function deletionOf({ deleteOptions = {} }: Eviction, options: WriteOptions): DeleteQuery {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun } = deleteOptions
  return {
    ...options,
    dryRun: options.dryRun === true || (dryRun?.length ?? 0) > 0,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(preconditions !== undefined && { preconditions }),
  }
}
