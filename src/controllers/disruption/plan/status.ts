// The status of a PodDisruptionBudget: how many of its pods may be evicted now, and whether that could be computed.
// Kubernetes: pkg/controller/disruption.DisruptionController.updatePdbStatus, DisruptionController.failSafe
// Kubernetes: k8s.io/component-helpers/apps/poddisruptionbudget.UpdateDisruptionAllowedCondition
import { withCondition } from '../../../api/machinery/conditions.ts'
import type { PodDisruptionBudget, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import type { DisruptedPods } from './disrupted-pods.ts'
import type { PodCounts } from './expected-pods.ts'

export type BudgetStatus = NonNullable<PodDisruptionBudget['status']>
type Condition = NonNullable<BudgetStatus['conditions']>[number]

interface BudgetStatusInput extends PodCounts {
  readonly currentHealthy: number
  readonly disruptedPods: DisruptedPods
  readonly nowMs: number
}

/** Undefined if the status is up to date. */
export function nextBudgetStatus(budget: Stored<PodDisruptionBudget>, input: BudgetStatusInput): BudgetStatus | undefined {
  const { currentHealthy, desiredHealthy, expectedPods, disruptedPods, nowMs } = input
  const observedGeneration = budget.metadata.generation ?? 0
  // A budget without pods allows no disruption: its first pods may exist before they are counted.
  const disruptionsAllowed = expectedPods > 0 ? Math.max(currentHealthy - desiredHealthy, 0) : 0
  const current = budget.status
  const wanted = disruptionsAllowed > 0 ? { status: 'True', reason: 'SufficientPods' } : { status: 'False', reason: 'InsufficientPods' }
  const condition = current?.conditions?.find(({ type }) => type === disruptionAllowed)
  if (
    current !== undefined &&
    current.currentHealthy === currentHealthy &&
    current.desiredHealthy === desiredHealthy &&
    current.expectedPods === expectedPods &&
    current.disruptionsAllowed === disruptionsAllowed &&
    current.observedGeneration === observedGeneration &&
    isSameGrants(current.disruptedPods as Readonly<Record<string, string>> | undefined, disruptedPods) &&
    condition?.status === wanted.status &&
    condition.reason === wanted.reason
  )
    return undefined
  return {
    observedGeneration,
    ...(disruptedPods.size > 0 && { disruptedPods: Object.fromEntries(disruptedPods) }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: withAllowed(current?.conditions ?? [], { ...wanted, message: '', observedGeneration }, nowMs),
  }
}

/** After a failure no eviction is allowed. Undefined if the status is up to date. */
export function nextFailedStatus({ status }: Stored<PodDisruptionBudget>, message: string, nowMs: number): BudgetStatus | undefined {
  const current: BudgetStatus = status ?? { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }
  const conditions = withAllowed(
    current.conditions ?? [],
    { status: 'False', reason: 'SyncFailed', message, observedGeneration: current.observedGeneration ?? 0 },
    nowMs,
  )
  if (current.disruptionsAllowed === 0 && conditions === current.conditions) return undefined
  return { ...current, disruptionsAllowed: 0, conditions }
}

const disruptionAllowed = 'DisruptionAllowed'

function withAllowed(
  conditions: readonly Condition[],
  { observedGeneration, ...wanted }: Pick<Condition, 'status' | 'reason' | 'message'> & { observedGeneration: number },
  nowMs: number,
): readonly Condition[] {
  const now = formatTime(nowMs)
  const generation = observedGeneration > 0 && { observedGeneration }
  return withCondition(conditions, { type: disruptionAllowed, ...wanted, ...generation, lastTransitionTime: now }, now)
}

function isSameGrants(current: Readonly<Record<string, string>> = {}, next: DisruptedPods): boolean {
  const names = Object.keys(current)
  return names.length === next.size && names.every((name) => next.has(name) && parseTime(next.get(name)!) === parseTime(current[name]!))
}
