// Kubernetes: k8s.io/apimachinery/pkg/api/meta.FindStatusCondition, IsStatusConditionTrue
interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly observedGeneration?: number
}

/** Whether the condition of the type is True. */
export const isConditionTrue = (conditions: readonly Pick<Condition, 'type' | 'status'>[] | null | undefined, type: string): boolean =>
  conditions?.some((one) => one.type === type && one.status === 'True') ?? false

/**
 * The conditions with this one added or replaced; the same array if nothing changes. lastTransitionTime changes only with the status of
 * the condition.
 */
export function withCondition<C extends Condition>(conditions: readonly C[], wanted: C, now: string): readonly C[] {
  const before = conditions.find(({ type }) => type === wanted.type)
  const isSameStatus = before?.status === wanted.status
  const isSame =
    isSameStatus &&
    before.reason === wanted.reason &&
    before.message === wanted.message &&
    before.observedGeneration === wanted.observedGeneration
  if (isSame) return conditions
  const next = { ...wanted, lastTransitionTime: isSameStatus ? (before.lastTransitionTime ?? now) : now }
  return before === undefined ? [...conditions, next] : conditions.map((one) => (one === before ? next : one))
}
