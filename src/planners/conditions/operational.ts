// KEP-2804: is so much of a workload available that it does its work? One rule for every kind that has replicas.
import type { IntOrString } from '../../api/types.ts'
import { scaledValue } from '../../base/int-or-percent.ts'

export const operational = 'Operational'

/** A condition of any workload; some kinds have a lastUpdateTime besides. */
export interface WorkloadCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

export interface OperationalInput {
  readonly kind: string
  readonly desired: number
  readonly available: number
  /**
   * How many replicas may be missing, or what share of the desired ones. A share is rounded down: 25 % of 3 means that
   * none may be missing.
   */
  readonly threshold: IntOrString
  /** RFC 3339. */
  readonly now: string
}

/** Available ≥ desired − threshold. */
export function isOperational({ desired, available, threshold }: Omit<OperationalInput, 'kind' | 'now'>): boolean {
  return available >= desired - Math.max(0, scaledValue(threshold, desired, false) ?? 0)
}

export const operationalReason = (isSo: boolean) => (isSo ? 'SufficientReplicasAvailable' : 'InsufficientReplicasAvailable')

export const operationalMessage = (isSo: boolean, kind: string) =>
  isSo ? `${kind} has enough available replicas.` : `${kind} does not have enough available replicas.`

/** The condition keeps its time as long as its status stays. */
export function nextOperational(conditions: readonly WorkloadCondition[] | undefined, input: OperationalInput): WorkloadCondition {
  const isSo = isOperational(input)
  const status = isSo ? 'True' : 'False'
  const current = conditions?.find(({ type }) => type === operational)
  return {
    type: operational,
    status,
    lastTransitionTime: current?.status === status && current.lastTransitionTime !== undefined ? current.lastTransitionTime : input.now,
    reason: operationalReason(isSo),
    message: operationalMessage(isSo, input.kind),
  }
}
