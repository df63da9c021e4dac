// Outcomes of different lengths, made to end at the same time: otherwise a quick run would seem to need fewer pods and nodes. Pure.
import { lastPods } from './last-pods.ts'
import { type Measures, mapSeries, type Outcome, type Series } from './result.ts'

type Shown = Pick<Outcome, 'measures' | 'series'>

/** The measures of a run that stays until then as it has ended. */
function prolongedMeasures({ measures, series }: Shown, endMs: number): Measures {
  const moreMs = endMs - series.times.at(-1)!
  const nodeMinutes = measures.nodeMinutes + (series.nodes.at(-1)! * moreMs) / 60_000
  return {
    ...measures,
    podSeconds: measures.podSeconds + (lastPods(series) * moreMs) / 1000,
    nodeMinutes,
    ...(measures.cost !== undefined && measures.nodeMinutes > 0 && { cost: (measures.cost * nodeMinutes) / measures.nodeMinutes }),
  }
}

export function prolongedSeries(series: Series, endMs: number): Series {
  if (series.times.at(-1)! >= endMs) return series
  return mapSeries(series, [...series.times, endMs], (values) => [...values, values.at(-1)!])
}

/** The outcomes, all until the end of the longest. */
export function endTogether<T extends Shown>(outcomes: readonly T[]): T[] {
  const endMs = Math.max(0, ...outcomes.map(({ series }) => series.times.at(-1)!))
  return outcomes.map((one) => ({ ...one, measures: prolongedMeasures(one, endMs), series: prolongedSeries(one.series, endMs) }))
}
