// How long the pods of a workload took to start and to stop, as the page has seen it: what a simulation of its rollout needs.
import type { PodEntry, PodState } from './pod-summary.ts'

const maxSamples = 200

export class PodTimings {
  readonly #starts: number[] = []
  readonly #stops: number[] = []

  /** `after` is undefined for a pod that has terminated. */
  note({ ownState: state, sinceMs }: PodEntry, after: PodState | undefined, nowMs: number): void {
    if (sinceMs === undefined || state === after) return
    if (state === 'starting' && after === 'ready') keep(this.#starts, nowMs - sinceMs)
    if (state === 'terminating' && after === undefined) keep(this.#stops, nowMs - sinceMs)
  }

  /** Medians in milliseconds. Undefined where none was seen. */
  get startMs(): number | undefined {
    return median(this.#starts)
  }

  get stopMs(): number | undefined {
    return median(this.#stops)
  }
}

function keep(samples: number[], value: number): void {
  samples.push(value)
  if (samples.length > maxSamples) samples.shift()
}

const median = (samples: readonly number[]) => samples.toSorted((a, b) => a - b)[samples.length >> 1]
