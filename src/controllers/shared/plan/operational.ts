// KEP-2804: the Operational condition. One rule for every kind with replicas.
// Ours: the condition is that of KEP-2804.
import type { IntOrString } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'

export const operational = 'Operational'

/** A condition of any workload; some kinds add a lastUpdateTime. */
export interface WorkloadCondition {
  readonly type?: string
  readonly status?: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}

interface OperationalInput {
  readonly kind: string
  readonly desired: number
  readonly available: number
  /** How many replicas must be available, as a number or as a percentage of the desired ones. See `requiredReplicas`. */
  readonly threshold: IntOrString
  readonly nowMs: number
}

/** All desired replicas. */
export const defaultOperationalThreshold = '100%'

/** A percentage rounds up: 25% of 3 is 1. A number above the desired replicas means all of them. */
function requiredReplicas(threshold: IntOrString, desired: number): number {
  return Math.min(scaledValue(threshold, desired, true) ?? desired, desired)
}

export function isOperational({ desired, available, threshold }: Omit<OperationalInput, 'kind' | 'nowMs'>): boolean {
  return available >= requiredReplicas(threshold, desired)
}

export const operationalReason = (isTrue: boolean) => (isTrue ? 'SufficientReplicasAvailable' : 'InsufficientReplicasAvailable')

export const operationalMessage = (isTrue: boolean, kind: string) =>
  isTrue ? `${kind} has enough available replicas.` : `${kind} does not have enough available replicas.`

/** The identical condition when nothing changes. It keeps its lastTransitionTime while its status stays the same. */
export function nextOperational(conditions: readonly WorkloadCondition[] | undefined, input: OperationalInput): WorkloadCondition {
  const isTrue = isOperational(input)
  const status = isTrue ? 'True' : 'False'
  const reason = operationalReason(isTrue)
  const message = operationalMessage(isTrue, input.kind)
  const current = conditions?.find(({ type }) => type === operational)
  const since = current?.status === status ? current.lastTransitionTime : undefined
  if (current !== undefined && since !== undefined && current.reason === reason && current.message === message) return current
  return { type: operational, status, lastTransitionTime: since ?? formatTime(input.nowMs), reason, message }
}
