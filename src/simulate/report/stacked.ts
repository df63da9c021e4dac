// One run as stacked layers of pods, from the bottom to the top. Pure.
import { type Layer, type PodState, podStates, type Series } from '../rollout/result.ts'

interface StackedLayer extends Layer {
  readonly key: string
}

export interface Stack {
  readonly times: readonly number[]
  /** From the bottom: serving pods, then terminating ones; the older revision first. */
  readonly layers: readonly StackedLayer[]
  /** All pods that take room, whatever is shown: those that wait for the pacer do not. */
  readonly total: readonly number[]
  /** The cap; where it became smaller, the pods that this left behind, which may only become fewer. */
  readonly allowed: readonly number[]
  /** With those that wait: how high the layers are. */
  readonly height: readonly number[]
}

export const keyOfLayer = ({ revision, state }: { readonly revision: number; readonly state: PodState }) => `${revision}-${state}`

const place = ({ state, revision }: Layer) => podStates.indexOf(state) * 1e6 + revision

export function stackOf({ times, layers, cap }: Series): Stack {
  const sorted = [...layers].sort((a, b) => place(a) - place(b)).map((layer) => ({ ...layer, key: keyOfLayer(layer) }))
  const sumOf = (own: readonly StackedLayer[]) =>
    times.map((_, index) => {
      let sum = 0
      for (const { values } of own) sum += values[index]!
      return sum
    })
  const room = sorted.filter(({ state }) => state !== 'waiting')
  const total = sumOf(room)
  let allowed = 0
  const allowedAt = total.map((pods, index) => {
    allowed = Math.max(cap[index]!, Math.min(allowed, pods))
    return allowed
  })
  return { times, layers: sorted, total, allowed: allowedAt, height: room.length === sorted.length ? total : sumOf(sorted) }
}

/** The heights at which the shown layers end, from the bottom; a hidden layer has no height. */
export function edgesOf({ layers, times }: Stack, isShown: (layer: StackedLayer) => boolean): Float64Array[] {
  let below = new Float64Array(times.length)
  return layers.map((layer) => {
    if (isShown(layer)) {
      const edge = new Float64Array(times.length)
      for (let index = 0; index < edge.length; index++) edge[index] = below[index]! + layer.values[index]!
      below = edge
    }
    return below
  })
}

/** The last index whose time is not after `atMs`: the values that hold then. */
export function indexAt(times: readonly number[], atMs: number): number {
  let low = 0
  let high = times.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (times[middle]! <= atMs) low = middle
    else high = middle - 1
  }
  return low
}

/** The first moment with the largest number of pods. */
export function peakIndex(total: readonly number[]): number {
  let peak = 0
  for (let index = 1; index < total.length; index++) if (total[index]! > total[peak]!) peak = index
  return peak
}
