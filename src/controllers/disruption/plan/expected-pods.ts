// The expected number of pods of a budget, and how many of them have to be healthy.
// Kubernetes: pkg/controller/disruption.DisruptionController.getExpectedPodCount, DisruptionController.getExpectedScale
import type { PodDisruptionBudget } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'

type BudgetSpec = NonNullable<PodDisruptionBudget['spec']>

export interface PodCounts {
  readonly expectedPods: number
  readonly desiredHealthy: number
}

/** A number in minAvailable counts existing pods; everything else refers to the replicas that their controllers request. */
export function isMeasuredByScale({ maxUnavailable, minAvailable }: BudgetSpec): boolean {
  return maxUnavailable !== undefined || typeof minAvailable === 'string'
}

/**
 * `scale` is the sum of the requested replicas. Percentages are rounded up: of 7 pods, `maxUnavailable: 30%` allows 3 disruptions
 * (4 must be healthy), and `minAvailable: 30%` keeps 3.
 */
export function planPodCounts(spec: BudgetSpec, podCount: number, scale: number): PodCounts {
  const { maxUnavailable, minAvailable } = spec
  if (maxUnavailable !== undefined)
    return { expectedPods: scale, desiredHealthy: Math.max(scale - readShare(maxUnavailable as number | string, scale), 0) }
  if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 }
  if (typeof minAvailable === 'number') return { expectedPods: podCount, desiredHealthy: minAvailable }
  return { expectedPods: scale, desiredHealthy: readShare(minAvailable as string, scale) }
}

function readShare(value: number | string, total: number): number {
  const share = scaledValue(value, total, true)
  if (share === undefined) throw new Error('invalid value for IntOrString: invalid type: string is not a percentage')
  return share
}
