// Simulates combinations of settings and ranks them.
import { type Expectation, missOf } from './expectations.ts'
import { InputError } from './input-error.ts'
import { withMedians } from './percentiles.ts'
import type { Plan, PlannedObject } from './plan.ts'
import { endTogether } from './prolonged.ts'
import type { Measures, Outcome, WorkloadOutcome } from './result.ts'
import type { RunTasksOptions } from './run-tasks.ts'
import { applySettings, type Combination } from './settings.ts'
import { simulate } from './simulate.ts'

export interface RankedCombination {
  readonly combination: Combination
  /** Of several runs the medians; pod-seconds, node-minutes and cost are those of the first run. */
  readonly measures: Measures
  /** Expectations that are not met, and why it does not complete. Empty: it is fit. */
  readonly failures: readonly string[]
  /** The runs in which some expectation is not met. Absent: there was one run. */
  readonly failedRuns?: number
  /** By how much the expectations are missed, all together. */
  readonly missed: number
}

/** With the whole outcome, of which all end at the same time. */
export interface RankedOutcome extends RankedCombination {
  readonly outcome: Outcome
}

/** A combination that cannot be simulated. */
export interface LeftOut {
  readonly combination: Combination
  readonly reason: string
}

export interface ComparedSettings {
  /** The best first. */
  readonly ranked: readonly RankedOutcome[]
  readonly leftOut: readonly LeftOut[]
}

/** Throws an InputError where no combination can be simulated. */
export async function compareSettings(
  plan: Plan,
  combinations: readonly Combination[],
  options: RunTasksOptions & { readonly workloads?: readonly PlannedObject[] } = {},
): Promise<ComparedSettings> {
  const simulated: { readonly combination: Combination; readonly outcome: Outcome }[] = []
  const leftOut: LeftOut[] = []
  let refusal: InputError | undefined
  for (const [index, combination] of combinations.entries()) {
    try {
      const { outcomes } = await simulate(applySettings(plan, combination, options.workloads), {
        workers: options.workers,
        onProgress: (share) => options.onProgress?.((index + share) / combinations.length),
      })
      simulated.push({ combination, outcome: outcomes[0]! })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      refusal ??= error
      leftOut.push({ combination, reason: reasonOf(error) })
    }
  }
  if (simulated.length === 0 && refusal !== undefined) throw refusal
  const together = endTogether(simulated.map(({ outcome }) => outcome))
  // Of several runs, the length of the first is known.
  const summed = ({ podSeconds, nodeMinutes, cost }: Measures) => ({ podSeconds, nodeMinutes, ...(cost !== undefined && { cost }) })
  const ranked = rank(
    simulated.map(({ combination, outcome }, index) => {
      const { failures, failedRuns } = outcome
      return {
        combination,
        measures: { ...withMedians(outcome).measures, ...summed(together[index]!.measures) },
        failures,
        ...(failedRuns !== undefined && { failedRuns }),
        missed: missedBy(plan.expectations, outcome),
        outcome: together[index]!,
      }
    }),
  )
  return { ranked, leftOut }
}

/** By the medians of the workload that each expectation is about, or of all. */
function missedBy(expectations: readonly Expectation[], outcome: Outcome): number {
  const own = expectations.filter(({ policy }) => policy === undefined || policy === outcome.policy)
  return own.reduce((sum, expectation) => {
    const part = outcome.workloads?.find((workload) => isAbout(expectation, workload))
    return sum + missOf(expectation, withMedians({ ...outcome, ...part } as Outcome).measures)
  }, 0)
}

const isAbout = ({ workload }: Expectation, { kind, namespace, name }: WorkloadOutcome): boolean =>
  workload !== undefined && kind === workload.kind && namespace === workload.namespace && name === workload.name

/** Without the place in the manifest, which is not where the value comes from, and without the name of the object. */
const reasonOf = ({ message }: InputError): string => message.replace(/^.*?the server refuses it: (?:\S+ "[^"]*" is invalid: )?/s, '')

/**
 * Combinations that meet the expectations in every run come first, then those that fail in fewer runs, then those that miss them by less;
 * then those with fewer passed deadlines, fewer nodes, a shorter time, more available pods, and a lower peak.
 */
export function rank<One extends RankedCombination>(combinations: readonly One[]): One[] {
  const never = Number.POSITIVE_INFINITY
  const order = ({ failures, failedRuns = failures.length === 0 ? 0 : 1, measures, missed }: RankedCombination): readonly number[] => [
    failedRuns,
    failedRuns === 0 ? 0 : missed,
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
export function defaultExpectations({ measures: current, spread }: Pick<Outcome, 'measures' | 'spread'>): Expectation[] {
  // It must hold in each run, and so it does under the current settings.
  const availability = spread?.lowestAvailability?.min ?? current.lowestAvailability ?? 0
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
