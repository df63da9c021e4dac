// Measures how a load was served, and how an autoscaler followed it.
import type { Measures } from '../result.ts'
import type { TracedLoad, TracedWorkload } from '../trace.ts'

interface Served {
  load: TracedLoad
  size: number | undefined
  /** 1: it grew last, -1: it shrank. 0: neither yet. */
  direction: number
  /** The load at the last change of the size. */
  loadThen: number
}

export const loadKey = ({ kind, namespace, name }: Pick<TracedLoad, 'kind' | 'namespace' | 'name'>) => `${kind}/${namespace}/${name}`

export class MeasuredLoad {
  readonly #served = new Map<string, Served>()
  #total = 0
  #lost = 0
  #lostRequests: number | undefined
  #smallest: number | undefined
  #largest: number | undefined
  #rescales = 0
  #oscillations = 0

  take(load: TracedLoad): void {
    const known = this.#served.get(loadKey(load))
    if (known === undefined) this.#served.set(loadKey(load), { load, size: undefined, direction: 0, loadThen: load.pods })
    else known.load = load
    if (load.capacity !== undefined) this.#lostRequests ??= 0
  }

  /** The size of a workload. */
  size(traced: TracedWorkload): void {
    const served = this.#served.get(loadKey(traced))
    if (served?.load.isAutoscaled !== true) return
    const { replicas } = traced
    const before = served.size
    served.size = replicas
    this.#smallest = Math.min(this.#smallest ?? replicas, replicas)
    this.#largest = Math.max(this.#largest ?? replicas, replicas)
    if (before === undefined || before === replicas) return
    const direction = Math.sign(replicas - before)
    const { pods } = served.load
    this.#rescales++
    // The size has grown and shrinks again, although the load has not fallen since; or the reverse.
    if (served.direction === -direction && (pods - served.loadThen) * direction <= 0) this.#oscillations++
    served.direction = direction
    served.loadThen = pods
  }

  /** `readyOf`: the ready pods of a workload. */
  pass(ms: number, readyOf: (key: string) => number): void {
    for (const [key, { load }] of this.#served) {
      const lost = Math.max(0, load.pods - readyOf(key))
      this.#total += load.pods * ms
      this.#lost += lost * ms
      if (load.capacity !== undefined) this.#lostRequests = (this.#lostRequests ?? 0) + (lost * load.capacity * ms) / 1000
    }
  }

  /** In pods; undefined where there is no load. */
  get now(): number | undefined {
    if (this.#served.size === 0) return undefined
    let sum = 0
    for (const { load } of this.#served.values()) sum += load.pods
    return sum
  }

  get measures(): Pick<Measures, 'lostLoad' | 'lostRequests' | 'smallestSize' | 'largestSize' | 'rescales' | 'oscillations'> {
    if (this.#served.size === 0) return {}
    return {
      lostLoad: this.#total === 0 ? 0 : this.#lost / this.#total,
      ...(this.#lostRequests !== undefined && { lostRequests: this.#lostRequests }),
      ...(this.#smallest !== undefined && {
        smallestSize: this.#smallest,
        largestSize: this.#largest!,
        rescales: this.#rescales,
        oscillations: this.#oscillations,
      }),
    }
  }
}
