// The status of a PodDisruptionBudget: how many of its pods may be evicted now, and whether that could be computed.
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

/** The identical list when nothing changes. lastTransitionTime changes only with the status. */
function withAllowed(
  conditions: readonly Condition[],
  { status, reason, message, observedGeneration }: { status: string; reason: string; message: string; observedGeneration: number },
  nowMs: number,
): readonly Condition[] {
  const before = conditions.find(({ type }) => type === disruptionAllowed)
  if (
    before !== undefined &&
    before.status === status &&
    before.reason === reason &&
    before.message === message &&
    (before.observedGeneration ?? 0) === observedGeneration
  )
    return conditions
  const condition: Condition = {
    type: disruptionAllowed,
    status,
    ...(observedGeneration > 0 && { observedGeneration }),
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : formatTime(nowMs),
    reason,
    message,
  }
  return before === undefined ? [...conditions, condition] : conditions.map((one) => (one === before ? condition : one))
}

function isSameGrants(current: Readonly<Record<string, string>> = {}, next: DisruptedPods): boolean {
  const names = Object.keys(current)
  return names.length === next.size && names.every((name) => next.has(name) && parseTime(next.get(name)!) === parseTime(current[name]!))
}
