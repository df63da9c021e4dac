// An eviction takes its disruption from the budget before it deletes the pod, so that no two evictions use the same one.
// Kubernetes: pkg/registry/core/pod/storage.EvictionREST.checkAndDecrement, EvictionREST.getPodDisruptionBudgets

import { podDisruptionBudgets } from '../../../api/kinds.ts'
import { failure, forbiddenError, type StatusError, tooManyRequestsError } from '../../../api/machinery/status-error.ts'
import type { PodDisruptionBudget } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { changeStored } from '../../rest/change-stored.ts'
import { trackChange } from '../../rest/managed-fields.ts'
import type { WriteScope } from '../../rest/scope.ts'
import type { NewObject } from '../../rest/write-steps.ts'

const refusal = "Cannot evict pod as it would violate the pod's disruption budget."
// More unconfirmed evictions mean that the disruption controller is not running.
const maxDisruptedPods = 2000

/** The disruption controller has not processed the latest version of the budget. */
export function tooSoonError(name: string): StatusError {
  const message = `The disruption budget ${name} is still being processed by the server.`
  return tooManyRequestsError(refusal, 10, [{ reason: 'DisruptionBudget', message }])
}

export async function takeDisruption(
  scope: WriteScope,
  namespace: string,
  name: string,
  podName: string,
  dryRun: boolean | undefined,
): Promise<void> {
  const now = formatTime(scope.clock.now())
  await changeStored(scope, podDisruptionBudgets, namespace, name, dryRun, (current) => {
    const budget = current as PodDisruptionBudget
    checkBudget(budget)
    const { disruptionsAllowed = 0, disruptedPods = {}, ...status } = budget.status!
    const left = disruptionsAllowed - 1
    const next = withAllowedCondition(
      {
        ...budget,
        metadata: { ...budget.metadata },
        status: {
          ...status,
          disruptionsAllowed: left,
          disruptedPods: { ...disruptedPods, [podName]: now },
        } as NonNullable<PodDisruptionBudget['status']>,
      },
      now,
    )
    trackChange(now, podDisruptionBudgets, budget, next as NewObject, 'status', { manager: 'kube-apiserver' })
    return next
  })
}

function checkBudget(budget: PodDisruptionBudget): void {
  const name = budget.metadata?.name ?? ''
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = budget.status ?? {}
  const about = { group: 'policy', plural: 'poddisruptionbudget' }
  if (observedGeneration < (budget.metadata?.generation ?? 0)) throw tooSoonError(name)
  if (disruptionsAllowed < 0) throw forbiddenError(about, name, 'pdb disruptions allowed is negative')
  if (Object.keys(disruptedPods).length > maxDisruptedPods)
    throw forbiddenError(about, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller')
  if (disruptionsAllowed === 0)
    throw failure(429, 'TooManyRequests', refusal, { causes: [{ reason: 'DisruptionBudget', message: refusalDetails(budget) }] })
}

function refusalDetails({ metadata, status }: PodDisruptionBudget): string {
  const name = metadata?.name ?? ''
  const { currentHealthy = 0, desiredHealthy = 0, conditions } = status ?? {}
  const condition = conditions?.find(({ type }) => type === 'DisruptionAllowed')
  const message = condition?.status === 'False' ? condition.message : ''
  if (message && condition?.reason === 'SyncFailed')
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`
  if (currentHealthy <= desiredHealthy)
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  if (message) return `The disruption budget ${name} does not allow evicting pods currently (${condition?.reason}): ${message}`
  return `The disruption budget ${name} does not allow evicting pods currently`
}

/** Sets DisruptionAllowed to False when the last disruption has been taken. */
function withAllowedCondition(budget: PodDisruptionBudget, now: string): PodDisruptionBudget {
  const { status } = budget
  if (status === undefined || status.disruptionsAllowed !== 0) return budget
  const conditions = status.conditions ?? []
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    ...(status.observedGeneration && { observedGeneration: status.observedGeneration }),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  }
  return {
    ...budget,
    status: {
      ...status,
      conditions: before === undefined ? [...conditions, condition] : conditions.map((one) => (one === before ? condition : one)),
    },
  }
}
