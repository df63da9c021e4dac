// How a measure is spread over the runs.
import type { Measures, Outcome, Percentiles } from './result.ts'

/** By nearest rank: each is a value that occurred. */
function spreadOf(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
  return { min: sorted[0]!, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1)! }
}

/** Of each measure that every run has. */
export function percentilesOf(runs: readonly Measures[]): Partial<Record<keyof Measures, Percentiles>> {
  const spread: Partial<Record<keyof Measures, Percentiles>> = {}
  const names = new Set(runs.flatMap((measures) => Object.keys(measures) as (keyof Measures)[]))
  for (const name of names) {
    const values = runs.map((measures) => measures[name]).filter((value) => value !== undefined)
    if (values.length === runs.length) spread[name] = spreadOf(values)
  }
  return spread
}

/** As the table shows it. What not every run has, it does not have. */
export function withMedians(outcome: Outcome): Outcome {
  const { spread, measures } = outcome
  if (spread === undefined) return outcome
  const names = Object.keys(measures) as (keyof Measures)[]
  return { ...outcome, measures: Object.fromEntries(names.flatMap((name) => (spread[name] ? [[name, spread[name].p50]] : []))) as never }
}
