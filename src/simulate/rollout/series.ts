// Steps over time, gathered change by change, and thinned where there are more than a chart can show.
import { getOrAdd } from '../../base/maps.ts'
import { type Layer, podStates, type Series } from './result.ts'

interface GrowingLayer {
  readonly revision: number
  readonly state: number
  readonly values: number[]
  now: number
}

/** All moments are kept up to this number. Of more, those that stand out are kept. */
const maxMoments = 3000

export class SeriesBuilder {
  readonly #times: number[] = []
  readonly #layers = new Map<number, GrowingLayer>()
  readonly #desired: number[] = []
  readonly #cap: number[] = []
  readonly #available: number[] = []
  readonly #nodes: number[] = []
  readonly #load: number[] = []
  #hasLoad = false

  add(revision: number, state: number, change: number): void {
    const key = revision * podStates.length + state
    const noPods = () => new Array<number>(this.#times.length).fill(0)
    getOrAdd(this.#layers, key, () => ({ revision, state, values: noPods(), now: 0 })).now += change
  }

  /** What holds from `atMs` on. */
  sample(atMs: number, desired: number, cap: number, available: number, nodes: number, load?: number): void {
    this.#times.push(atMs)
    for (const layer of this.#layers.values()) layer.values.push(layer.now)
    this.#desired.push(desired)
    this.#cap.push(cap)
    this.#available.push(available)
    this.#nodes.push(nodes)
    this.#load.push(load ?? 0)
    this.#hasLoad ||= load !== undefined
  }

  end(): Series {
    const kept = this.#moments()
    const pick = (values: readonly number[]) => (kept === undefined ? values : kept.map((index) => values[index]!))
    const layers = [...this.#layers.values()]
      .filter(({ values }) => values.some((value) => value !== 0))
      .sort((a, b) => a.state - b.state || a.revision - b.revision)
      .map(({ revision, state, values }): Layer => ({ revision, state: podStates[state]!, values: pick(values) }))
    return {
      times: pick(this.#times),
      layers,
      desired: pick(this.#desired),
      cap: pick(this.#cap),
      available: pick(this.#available),
      nodes: pick(this.#nodes),
      ...(this.#hasLoad && { load: pick(this.#load) }),
    }
  }

  /** Of each stretch of time the first and the last moment, the one with the most pods, and the one with the fewest available. */
  #moments(): number[] | undefined {
    const times = this.#times
    if (times.length <= maxMoments) return undefined
    const layers = [...this.#layers.values()]
    const total = (index: number) => layers.reduce((sum, { values }) => sum + values[index]!, 0)
    const stretchMs = Math.max(1, (times.at(-1)! * 4) / maxMoments)
    const kept = new Set<number>([0, times.length - 1])
    for (let from = 0; from < times.length; ) {
      const endMs = (Math.floor(times[from]! / stretchMs) + 1) * stretchMs
      let most = from
      let fewest = from
      let maxPods = -1
      let at = from
      for (; at < times.length && times[at]! < endMs; at++) {
        const pods = total(at)
        if (pods > maxPods) {
          most = at
          maxPods = pods
        }
        if (this.#available[at]! < this.#available[fewest]!) fewest = at
      }
      for (const index of [from, most, fewest, at - 1]) kept.add(index)
      from = at
    }
    return [...kept].sort((a, b) => a - b)
  }
}
