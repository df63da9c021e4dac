// How a measure is spread over the runs.
import { defined } from '../../base/defined.ts'
import type { Measures, Outcome, Percentiles } from './result.ts'

/** Absent in a run: never. It counts as longer than any time. */
const times: readonly (keyof Measures)[] = ['availableAfterMs', 'oldGoneAfterMs', 'completeAfterMs', 'drainedAfterMs']

/** By nearest rank: each is a value that occurred. Of `count` runs, those without a value come last. */
function spreadOf(values: readonly number[], count: number): Percentiles {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * count) - 1)]
  return { min: sorted[0]!, ...defined({ p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }) }
}

/** Of each time that some run has, and of each other measure that every run has. */
export function percentilesOf(runs: readonly Measures[]): Partial<Record<keyof Measures, Percentiles>> {
  const spread: Partial<Record<keyof Measures, Percentiles>> = {}
  const names = new Set(runs.flatMap((measures) => Object.keys(measures) as (keyof Measures)[]))
  for (const name of names) {
    const values = runs.map((measures) => measures[name]).filter((value) => value !== undefined)
    if (values.length === runs.length || times.includes(name)) spread[name] = spreadOf(values, runs.length)
  }
  return spread
}

/** As the table shows it. What half of the runs do not have, it does not have. */
export function withMedians(outcome: Outcome): Outcome {
  const { spread, measures } = outcome
  if (spread === undefined) return outcome
  const names = [...new Set([...Object.keys(measures), ...Object.keys(spread)])] as (keyof Measures)[]
  const medians = Object.fromEntries(names.map((name) => [name, spread[name]?.p50])) as unknown as Measures
  return { ...outcome, measures: defined(medians) as Measures }
}
