// KEP-2804: is so much of a workload available that it does its work? One rule for every kind that has replicas.
import type { IntOrString } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'

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
  /** How many replicas must be available, as a number or as a percentage of the desired ones. See `requiredReplicas`. */
  readonly threshold: IntOrString
  /** RFC 3339. */
  readonly now: string
}

/** All desired replicas: what an object without a threshold asks for. */
export const defaultOperationalThreshold = '100%'

/** A percentage rounds up: 25% of 3 is 1. A number above the desired replicas means all of them. */
function requiredReplicas(threshold: IntOrString, desired: number): number {
  return Math.min(scaledValue(threshold, desired, true) ?? desired, desired)
}

export function isOperational({ desired, available, threshold }: Omit<OperationalInput, 'kind' | 'now'>): boolean {
  return available >= requiredReplicas(threshold, desired)
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
