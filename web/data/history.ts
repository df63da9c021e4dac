// The counts of one workload over time, as the page has seen them. `values` of a point hold until the next point.
import type { PodState } from './pod-summary.ts'

export interface LayerKey {
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

interface Point extends Counts {
  readonly atMs: number
}

export class History {
  readonly #maxPoints: number
  #points: Point[] = []

  constructor(maxPoints = 4000) {
    this.#maxPoints = maxPoints
  }

  /** Adds a point where something has changed. Several changes within one millisecond become one point. */
  add(atMs: number, counts: Counts): void {
    const last = this.#points.at(-1)
    if (last !== undefined && isEqual(last, counts)) return
    if (last !== undefined && atMs <= last.atMs) this.#points.pop()
    this.#points.push({ ...counts, atMs: Math.max(atMs, last?.atMs ?? atMs) })
    if (this.#points.length > this.#maxPoints) this.#points = thinned(this.#points)
  }

  get peak(): number {
    return Math.max(0, ...this.#points.map(totalOf))
  }

  /** From the first point to `nowMs`, as times since the first point. */
  view(nowMs: number): HistoryView & { readonly startMs: number } {
    const points = this.#points
    const startMs = points[0]?.atMs ?? nowMs
    const keys = [...new Set(points.flatMap(({ layers }) => [...layers.keys()]))]
    // The last values are repeated at the end, so that lines reach it.
    const last = points.at(-1)
    const shown = last === undefined || nowMs <= last.atMs ? points : [...points, { ...last, atMs: nowMs }]
    return {
      startMs,
      times: shown.map(({ atMs }) => atMs - startMs),
      layers: keys.map((key) => {
        const dash = key.indexOf('-')
        return {
          revision: Number(key.slice(0, dash)),
          state: key.slice(dash + 1) as PodState,
          values: shown.map(({ layers }) => layers.get(key) ?? 0),
        }
      }),
      desired: shown.map(({ desired }) => desired),
      cap: shown.map(({ cap }) => cap),
      available: shown.map(({ available }) => available),
      nodes: shown.map(({ nodes }) => nodes),
    }
  }
}

export const totalOf = ({ layers }: Pick<Counts, 'layers'>): number => [...layers.values()].reduce((sum, value) => sum + value, 0)

function isEqual(a: Counts, b: Counts): boolean {
  if (a.desired !== b.desired || a.cap !== b.cap || a.available !== b.available || a.nodes !== b.nodes) return false
  if (a.layers.size !== b.layers.size) return false
  for (const [key, value] of a.layers) if (b.layers.get(key) !== value) return false
  return true
}

/** Every second point of the older half goes; of two, the one with more pods stays, so that no peak is lost. */
function thinned(points: readonly Point[]): Point[] {
  const half = points.length >> 1
  const kept: Point[] = [points[0]!]
  for (let index = 1; index + 1 < half; index += 2) {
    const [a, b] = [points[index]!, points[index + 1]!]
    kept.push(totalOf(a) > totalOf(b) ? a : b)
  }
  return [...kept, ...points.slice(half)]
}
