// A result as it is embedded in the report. In most moments one or two of a dozen lines change, so only changes are written:
// a run of 10,000 pods is a tenth of the size. Pure: packed by the command, unpacked by the page.
import { mapSeries, type Outcome, type Series, type SimulationResult } from '../rollout/result.ts'

/** Pairs: the distance from the last change in places, and the amount of the change. The line is 0 before its first change. */
type PackedLine = readonly number[]

/** Every line is packed; times are distances from the time before. */
type PackedSeries = Series

export interface PackedResult extends Omit<SimulationResult, 'outcomes' | 'sources'> {
  readonly outcomes: readonly (Omit<Outcome, 'series'> & { readonly series: PackedSeries })[]
}

export function packResult({ outcomes, sources: _, ...result }: SimulationResult): PackedResult {
  return { ...result, outcomes: outcomes.map(({ series, ...outcome }) => ({ ...outcome, series: packSeries(series) })) }
}

export function unpackOutcomes({ outcomes }: PackedResult): Outcome[] {
  return outcomes.map(({ series, ...outcome }) => ({ ...outcome, series: unpackSeries(series) }))
}

function packSeries(series: Series): PackedSeries {
  const distances = series.times.map((time, index) => time - (series.times[index - 1] ?? 0))
  return mapSeries(series, distances, packLine)
}

function unpackSeries(packed: PackedSeries): Series {
  let time = 0
  const times = packed.times.map((distance) => {
    time += distance
    return time
  })
  return mapSeries(packed, times, (line) => unpackLine(line, times.length))
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
