// How many pods a budget counts on, and how many of them have to be healthy.
import type { PodDisruptionBudget } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'

type BudgetSpec = NonNullable<PodDisruptionBudget['spec']>

export interface PodCounts {
  readonly expectedPods: number
  readonly desiredHealthy: number
}

/** A plain minimum counts the pods that are there; all else is measured by what their controllers ask for. */
export function isMeasuredByScale({ maxUnavailable, minAvailable }: BudgetSpec): boolean {
  return maxUnavailable !== undefined || typeof minAvailable === 'string'
}

/**
 * `scale` is the sum of what the controllers ask for. Shares are rounded up: of 7 pods, `maxUnavailable: 30%` lets 3 go
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
