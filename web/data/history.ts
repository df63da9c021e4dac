// The counts of one workload over time, as the page has seen them. The values of a point hold until the next point. Kept in
// columns: a page that watches a hundred workloads for hours needs a few megabytes for all of them.
import type { PodState } from './pod-summary.ts'

interface LayerKey {
  readonly revision: number
  readonly state: PodState
}

export interface Counts {
  /** Pods by `${revision}-${state}`. */
  readonly layers: ReadonlyMap<string, number>
  readonly desired: number
  readonly cap: number
  readonly available: number
  /** Nodes that run at least one of its pods. */
  readonly nodes: number
}

export interface HistoryView {
  readonly times: readonly number[]
  readonly layers: readonly (LayerKey & { readonly values: readonly number[] })[]
  readonly desired: readonly number[]
  readonly cap: readonly number[]
  readonly available: readonly number[]
  readonly nodes: readonly number[]
}

const lines = ['desired', 'cap', 'available', 'nodes'] as const
type Line = (typeof lines)[number]

/** More than a chart has pixels. */
const defaultMaxPoints = 1500

export class History {
  readonly #maxPoints: number
  #times: number[] = []
  #layers = new Map<string, number[]>()
  #lines: Record<Line, number[]> = { desired: [], cap: [], available: [], nodes: [] }

  constructor(maxPoints = defaultMaxPoints) {
    this.#maxPoints = maxPoints
  }

  /**
   * Adds a point where something has changed. Several changes within one millisecond become one point. Returns whether something
   * has changed since the first point.
   */
  add(atMs: number, counts: Counts): boolean {
    const last = this.#times.length - 1
    if (last >= 0 && this.#isEqualAt(last, counts)) return false
    const index = last >= 0 && atMs <= this.#times[last]! ? last : last + 1
    this.#times[index] = last >= 0 ? Math.max(atMs, this.#times[last]!) : atMs
    for (const [key, values] of this.#layers) values[index] = counts.layers.get(key) ?? 0
    for (const [key, value] of counts.layers) {
      if (this.#layers.has(key)) continue
      const values = new Array<number>(index).fill(0)
      values.push(value)
      this.#layers.set(key, values)
    }
    for (const name of lines) this.#lines[name][index] = counts[name]
    if (this.#times.length > this.#maxPoints) this.#thin()
    return last >= 0
  }

  get peak(): number {
    return this.#times.reduce((most, _, index) => Math.max(most, this.#totalAt(index)), 0)
  }

  /** From the first point to `nowMs`, as times since the first point. */
  view(nowMs: number): HistoryView & { readonly startMs: number } {
    const startMs = this.#times[0] ?? nowMs
    const lastMs = this.#times.at(-1)
    // The last values are repeated at the end, so that lines reach it.
    const isProlonged = lastMs !== undefined && nowMs > lastMs
    const shown = (values: readonly number[]) => (isProlonged ? [...values, values.at(-1)!] : [...values])
    const times = this.#times.map((atMs) => atMs - startMs)
    return {
      startMs,
      times: isProlonged ? [...times, nowMs - startMs] : times,
      layers: [...this.#layers].map(([key, values]) => ({ ...layerOf(key), values: shown(values) })),
      desired: shown(this.#lines.desired),
      cap: shown(this.#lines.cap),
      available: shown(this.#lines.available),
      nodes: shown(this.#lines.nodes),
    }
  }

  #totalAt(index: number): number {
    let total = 0
    for (const values of this.#layers.values()) total += values[index]!
    return total
  }

  #isEqualAt(index: number, counts: Counts): boolean {
    for (const name of lines) if (this.#lines[name][index] !== counts[name]) return false
    for (const [key, values] of this.#layers) if (values[index] !== (counts.layers.get(key) ?? 0)) return false
    for (const [key, value] of counts.layers) if (value !== 0 && !this.#layers.has(key)) return false
    return true
  }

  /** Every second point of the older half is dropped; of two, the one with more pods stays, so that no peak is lost. */
  #thin(): void {
    const half = this.#times.length >> 1
    const kept = [0]
    for (let index = 1; index < half; index += 2)
      kept.push(index + 1 === half || this.#totalAt(index) > this.#totalAt(index + 1) ? index : index + 1)
    for (let index = half; index < this.#times.length; index++) kept.push(index)
    const pick = (values: readonly number[]) => kept.map((index) => values[index]!)
    this.#times = pick(this.#times)
    for (const name of lines) this.#lines[name] = pick(this.#lines[name])
    // A layer that has no pods in any remaining point is dropped: otherwise old revisions would add up.
    this.#layers = new Map(
      [...this.#layers].map(([key, values]) => [key, pick(values)] as const).filter(([, values]) => values.some((value) => value > 0)),
    )
  }
}

const layerOf = (key: string): LayerKey => {
  const dash = key.indexOf('-')
  return { revision: Number(key.slice(0, dash)), state: key.slice(dash + 1) as PodState }
}
