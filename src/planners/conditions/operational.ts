// KEP-2804: is so much of a workload available that it does its work? One rule for every kind that has replicas.
import type { IntOrString } from '../../api/types.ts'
import { scaledValue } from '../../base/int-or-percent.ts'

export const operationalType = 'Operational'

export interface OperationalState {
  readonly status: 'True' | 'False'
  readonly reason: 'SufficientReplicasAvailable' | 'InsufficientReplicasAvailable'
  readonly message: string
}

/**
 * Available ≥ desired − threshold. The threshold says how many may be missing, or what share of the desired ones; a
 * share is rounded down, so that 25 % of 3 means that none may be missing. One that cannot be read means 0.
 */
export function nextOperational(kind: string, desired: number, available: number, threshold: IntOrString = 0): OperationalState {
  const missing = Math.max(0, scaledValue(threshold, desired, false) ?? 0)
  return available >= desired - missing
    ? { status: 'True', reason: 'SufficientReplicasAvailable', message: `${kind} has enough available replicas.` }
    : { status: 'False', reason: 'InsufficientReplicasAvailable', message: `${kind} does not have enough available replicas.` }
}
