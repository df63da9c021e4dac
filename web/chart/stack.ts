// Layers of pods as stacked lines. Pure.
import type { HistoryView } from '../data/history.ts'
import { type PodState, podStates } from '../data/pod-summary.ts'

export interface StackedLayer {
  readonly revision: number
  readonly state: PodState
  readonly values: readonly number[]
  /** The height at which the layer ends. */
  readonly edge: readonly number[]
}

/** From the bottom: by state, and within a state by revision, as in reports. */
export function stackLayers({ layers, times }: Pick<HistoryView, 'layers' | 'times'>): StackedLayer[] {
  const sorted = layers
    .filter(({ values }) => values.some((value) => value > 0))
    .toSorted((a, b) => podStates.indexOf(a.state) - podStates.indexOf(b.state) || a.revision - b.revision)
  let below: readonly number[] = new Array<number>(times.length).fill(0)
  return sorted.map(({ revision, state, values }) => {
    const edge = values.map((value, index) => value + below[index]!)
    below = edge
    return { revision, state, values, edge }
  })
}

export const revisionsIn = (layers: readonly { readonly revision: number }[]): number[] =>
  [...new Set(layers.map(({ revision }) => revision))].sort((a, b) => a - b)
