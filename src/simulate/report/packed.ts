// A result as it lies in the report. In most moments one or two of a dozen lines change, so only changes are written:
// a run of 10,000 pods is a tenth of the size. Pure: packed by the command, unpacked by the page.
import type { Layer, Outcome, Series, SimulationResult } from '../rollout/result.ts'

/** Pairs: so many places after the last change, by so much. The line before its first change is 0. */
type PackedLine = readonly number[]

interface PackedSeries {
  /** Each as the distance from the one before. */
  readonly times: readonly number[]
  readonly layers: readonly (Omit<Layer, 'values'> & { readonly values: PackedLine })[]
  readonly desired: PackedLine
  readonly cap: PackedLine
  readonly available: PackedLine
  readonly nodes: PackedLine
  readonly load?: PackedLine
}

export interface PackedResult extends Omit<SimulationResult, 'outcomes' | 'sources'> {
  readonly outcomes: readonly (Omit<Outcome, 'series'> & { readonly series: PackedSeries })[]
}

export function packResult({ outcomes, sources: _, ...result }: SimulationResult): PackedResult {
  return { ...result, outcomes: outcomes.map(({ series, ...outcome }) => ({ ...outcome, series: packSeries(series) })) }
}

export function unpackOutcomes({ outcomes }: PackedResult): Outcome[] {
  return outcomes.map(({ series, ...outcome }) => ({ ...outcome, series: unpackSeries(series) }))
}

function packSeries({ times, layers, desired, cap, available, nodes, load }: Series): PackedSeries {
  return {
    times: times.map((time, index) => time - (times[index - 1] ?? 0)),
    layers: layers.map(({ values, ...layer }) => ({ ...layer, values: packLine(values) })),
    desired: packLine(desired),
    cap: packLine(cap),
    available: packLine(available),
    nodes: packLine(nodes),
    ...(load !== undefined && { load: packLine(load) }),
  }
}

function unpackSeries({ times: distances, layers, desired, cap, available, nodes, load }: PackedSeries): Series {
  let time = 0
  const times = distances.map((distance) => {
    time += distance
    return time
  })
  const { length } = times
  return {
    times,
    layers: layers.map(({ values, ...layer }) => ({ ...layer, values: unpackLine(values, length) })),
    desired: unpackLine(desired, length),
    cap: unpackLine(cap, length),
    available: unpackLine(available, length),
    nodes: unpackLine(nodes, length),
    ...(load !== undefined && { load: unpackLine(load, length) }),
  }
}

export function packLine(values: readonly number[]): PackedLine {
  const packed: number[] = []
  let [last, place] = [0, 0]
  values.forEach((value, index) => {
    if (value === last) return
    packed.push(index - place, value - last)
    last = value
    place = index
  })
  return packed
}

export function unpackLine(packed: PackedLine, length: number): number[] {
  const values = new Array<number>(length).fill(0)
  let [value, place] = [0, 0]
  for (let pair = 0; pair < packed.length; pair += 2) {
    const next = place + packed[pair]!
    values.fill(value, place, next)
    value += packed[pair + 1]!
    place = next
  }
  return values.fill(value, place)
}
