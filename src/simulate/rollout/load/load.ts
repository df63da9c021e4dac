// The load on a workload over time, and the usage of its pods that follows. Pure.
import { isConditionTrue } from '../../../api/machinery/conditions.ts'
import type { Pod } from '../../../api/types.ts'
import { milliValue, parseQuantity } from '../../../base/quantity.ts'
import type { Target } from '../plan.ts'

/** From `atMs` on. */
export interface LoadPoint {
  readonly atMs: number
  /** In pods that work at their capacity: 100 requests a second are 2 where a pod serves 50. */
  readonly pods: number
}

export interface PlannedLoad {
  readonly target: Target
  /** In the order of their times, at least one. The first is also the load before its time. */
  readonly points: readonly LoadPoint[]
  /** The requests a second that a pod serves at most. Absent: the load was given as a utilization. */
  readonly capacity?: number
  /** The autoscaler of the workload. */
  readonly autoscaler?: LoadedAutoscaler
}

export interface LoadedAutoscaler {
  readonly name: string
  /** How long after the last change the size counts as steady. */
  readonly quietMs: number
  /** Metrics of pods that are interpreted as requests per second of each pod. */
  readonly podMetrics: readonly string[]
}

export function loadAt({ points }: PlannedLoad, atMs: number): number {
  let pods = points[0]!.pods
  for (const point of points) {
    if (point.atMs > atMs) break
    pods = point.pods
  }
  return pods
}

export const lastChangeMs = ({ points }: PlannedLoad): number => Math.max(0, points.at(-1)!.atMs)

/**
 * What each pod uses, in thousandths by resource: the ready pods share the load equally, up to the capacity of each. A pod at its
 * capacity uses the CPU that it requests.
 */
export function usageUnder({ capacity, autoscaler }: PlannedLoad, load: number, pods: readonly Pod[]): Map<string, Map<string, number>> {
  const running = pods.filter(({ status }) => status?.phase === 'Running')
  const serving = new Set(running.filter((pod) => pod.metadata?.deletionTimestamp === undefined && isReady(pod)))
  const share = serving.size === 0 ? 0 : Math.min(1, load / serving.size)
  return new Map(
    running.map((pod) => {
      const own = serving.has(pod) ? share : 0
      const usage = new Map([['cpu', Math.round(own * cpuRequest(pod))]])
      if (capacity !== undefined) for (const name of autoscaler?.podMetrics ?? []) usage.set(name, Math.round(own * capacity * 1000))
      return [pod.metadata?.name ?? '', usage]
    }),
  )
}

const isReady = ({ status }: Pod) => isConditionTrue(status?.conditions, 'Ready')

const cpuRequest = ({ spec }: Pod) =>
  [...(spec?.containers ?? []), ...(spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')].reduce(
    (sum, { resources }) => {
      const request = parseQuantity(resources?.requests?.['cpu'] ?? '0')
      return sum + (request === undefined ? 0 : milliValue(request))
    },
    0,
  )
