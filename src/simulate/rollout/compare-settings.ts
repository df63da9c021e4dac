// Simulates combinations of settings and ranks them.
import type { Expectation } from './expectations.ts'
import type { Plan } from './plan.ts'
import type { Measures, Outcome } from './result.ts'
import type { RunTasksOptions } from './run-tasks.ts'
import { applySettings, type Combination } from './settings.ts'
import { simulate } from './simulate.ts'

export interface RankedCombination {
  readonly combination: Combination
  readonly measures: Measures
  /** Expectations that are not met, and why it does not complete. Empty: it is fit. */
  readonly failures: readonly string[]
}

/** The best first. */
export async function compareSettings(
  plan: Plan,
  combinations: readonly Combination[],
  options: RunTasksOptions = {},
): Promise<RankedCombination[]> {
  const outcomes: Outcome[] = []
  for (const [index, combination] of combinations.entries()) {
    const result = await simulate(applySettings(plan, combination), {
      ...(options.workers !== undefined && { workers: options.workers }),
      onProgress: (share) => options.onProgress?.((index + share) / combinations.length),
    })
    outcomes.push(result.outcomes[0]!)
  }
  // All runs end at the same time: otherwise a quick one would seem to need fewer nodes.
  const endMs = Math.max(0, ...outcomes.map(({ series }) => series.times.at(-1)!))
  return rank(
    outcomes.map((outcome, index) => ({
      combination: combinations[index]!,
      measures: prolonged(outcome, endMs, plan.nodePrice),
      failures: outcome.failures,
    })),
  )
}

function prolonged({ measures, series }: Outcome, endMs: number, price: number | undefined): Measures {
  const moreMs = endMs - series.times.at(-1)!
  const pods = series.layers.reduce((sum, { values, state }) => sum + (state === 'waiting' ? 0 : values.at(-1)!), 0)
  const nodeMinutes = measures.nodeMinutes + (series.nodes.at(-1)! * moreMs) / 60_000
  return {
    ...measures,
    podSeconds: measures.podSeconds + (pods * moreMs) / 1000,
    nodeMinutes,
    ...(price !== undefined && { cost: (nodeMinutes / 60) * price }),
  }
}

/** Combinations that meet the expectations come first; then those with fewer nodes, a shorter time, more available pods, and a lower peak. */
export function rank(combinations: readonly RankedCombination[]): RankedCombination[] {
  const never = Number.POSITIVE_INFINITY
  const order = ({ failures, measures }: RankedCombination): readonly number[] => [
    failures.length === 0 ? 0 : 1,
    measures.deadlinesPassed,
    measures.peakNodes,
    measures.completeAfterMs ?? never,
    -(measures.lowestAvailability ?? 0),
    measures.peakPods,
  ]
  const compare = (a: readonly number[], b: readonly number[]) => {
    const index = a.findIndex((value, at) => value !== b[at])
    return index < 0 ? 0 : a[index]! < b[index]! ? -1 : 1
  }
  return combinations
    .map((one, index) => ({ one, key: [...order(one), index] }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ one }) => one)
}

/** The goal of a search without expectations: no more pods than the current settings allow, and no less availability. */
export function defaultExpectations(current: Measures): Expectation[] {
  const availability = current.lowestAvailability ?? 0
  return [
    { text: `peakPods <= ${current.cap}`, measure: 'peakPods', comparison: '<=', than: current.cap },
    ...(availability > 0
      ? [
          {
            text: `availability >= ${Math.floor(availability * 1000) / 10}%`,
            measure: 'availability',
            comparison: '>=',
            than: availability,
          } as const,
        ]
      : []),
  ]
}
