// How far the runs of an outcome come. Pure.
import type { Outcome } from './result.ts'

/** Whether every run completes. `stuck` may be there all the same: of pods that are still terminating. */
export const isAlwaysComplete = ({ measures, spread }: Pick<Outcome, 'measures' | 'spread'>): boolean =>
  (spread === undefined ? measures.completeAfterMs : spread.completeAfterMs?.max) !== undefined

/** What a rollout that is `stuck` does not do. */
export function missedEnd(outcome: Pick<Outcome, 'measures' | 'spread'>): 'end' | 'complete' | 'always complete' {
  if (isAlwaysComplete(outcome)) return 'end'
  return outcome.spread?.completeAfterMs === undefined ? 'complete' : 'always complete'
}

/** Whether pods were replaced or deleted in any of them: otherwise there is no time until old pods are gone. */
export const hadOldPods = (outcomes: readonly Pick<Outcome, 'series' | 'measures'>[]): boolean =>
  outcomes.some(
    ({ series, measures }) => measures.oldGoneAfterMs !== undefined || series.layers.some(({ state }) => state === 'terminating'),
  )
