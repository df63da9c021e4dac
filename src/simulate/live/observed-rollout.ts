// A rollout as the dashboard has seen it: counts over time, without the objects. Pure.
import { defined } from '../../base/defined.ts'
import { type Mark, mapSeries, type Outcome, type Series, type SimulationResult } from '../rollout/result.ts'

export interface ObservedRollout {
  readonly title: string
  readonly kind: string
  readonly series: Series
  readonly marks: readonly Mark[]
}

/** All that was seen. Measures that need more than the counts are absent. */
export function observedResult(observed: ObservedRollout): SimulationResult {
  return {
    format: 'rollcall.simulation/1',
    title: observed.title,
    command: 'rollcall dashboard',
    sources: [],
    seed: 0,
    runs: 1,
    outcomes: [observedOutcome(observed)],
  }
}

export function observedOutcome({ kind, series, marks }: Pick<ObservedRollout, 'kind' | 'series' | 'marks'>): Outcome {
  const { times, layers, cap, nodes, desired, available } = series
  const sum = (isCounted: (layer: Series['layers'][number]) => boolean) => {
    const counted = layers.filter(isCounted)
    return times.map((_, index) => counted.reduce((pods, { values }) => pods + values[index]!, 0))
  }
  const newest = Math.max(0, ...layers.map(({ revision }) => revision))
  const total = sum(({ state }) => state !== 'waiting')
  const waiting = sum(({ state }) => state === 'waiting')
  const updated = sum(({ revision, state }) => revision === newest && state === 'ready')
  const others = sum(({ revision, state }) => state === 'terminating' || revision !== newest)
  const after = (isDone: (index: number) => boolean) => lastingFrom(times, isDone)
  const area = (values: readonly number[]) =>
    times.reduce((all, atMs, index) => all + (index + 1 < times.length ? values[index]! * (times[index + 1]! - atMs) : 0), 0)
  const availableAfterMs = after((index) => updated[index]! >= desired[index]!)
  const oldGoneAfterMs = after((index) => others[index] === 0)
  const completeAfterMs = after((index) => updated[index] === desired[index] && total[index]! + waiting[index]! === updated[index])
  const shares = times.flatMap((_, index) => (desired[index]! > 0 ? [Math.min(1, available[index]! / desired[index]!)] : []))
  return {
    policy: 'None',
    label: 'observed',
    kinds: [kind],
    measures: {
      peakPods: Math.max(0, ...total),
      cap: Math.max(0, ...cap),
      peakOverCap: Math.max(0, ...total.map((pods, index) => pods - cap[index]!)),
      ...defined({ availableAfterMs, oldGoneAfterMs, completeAfterMs }),
      ...(shares.length > 0 && { lowestAvailability: Math.min(...shares) }),
      podSeconds: area(total) / 1000,
      peakNodes: Math.max(0, ...nodes),
      nodeMinutes: area(nodes) / 60_000,
      waitedForRoom: 0,
      matchedNoNode: 0,
      deadlinesPassed: 0,
      ...(waiting.some((pods) => pods > 0) && { peakWaiting: Math.max(...waiting) }),
    },
    series,
    marks,
    failures: [],
  }
}

/** The time from which it is true to the end. Undefined: it is not true at the end. */
function lastingFrom(times: readonly number[], isTrue: (index: number) => boolean): number | undefined {
  let first: number | undefined
  for (let index = times.length - 1; index >= 0 && isTrue(index); index--) first = times[index]
  return first
}

/** The most terminating pods at a time. */
export const peakTerminating = ({ layers, times }: Series): number =>
  times.reduce(
    (most, _, index) =>
      Math.max(
        most,
        layers.reduce((pods, { state, values }) => pods + (state === 'terminating' ? values[index]! : 0), 0),
      ),
    0,
  )

/** A tail after the end of a rollout shows that it has ended. */
const tailMs = 5000

/**
 * The last rollout alone: from the moment at which the newest revision has its first pod, or else the size changes last, until all is
 * settled. What was seen from its middle starts with what was seen first.
 */
export function lastRollout(observed: ObservedRollout): ObservedRollout {
  const { times, layers, desired } = observed.series
  const newest = Math.max(0, ...layers.map(({ revision }) => revision))
  const born = times.findIndex((_, index) => layers.some(({ revision, values }) => revision === newest && values[index]! > 0))
  const scaled = desired.findLastIndex((value, index) => index > 0 && value !== desired[index - 1])
  const first = born > 0 ? born : Math.max(0, scaled)
  const startMs = times[first] ?? 0
  const indexes = times.flatMap((_, index) => (index >= first - 1 ? [index] : []))
  const cut = (values: readonly number[]) => indexes.map((index) => values[index]!)
  // The state before it holds for a moment, so that both charts start alike.
  const sinceStart = indexes.map((index, place) => (place === 0 ? 0 : Math.max(1, times[index]! - startMs)))
  const whole = mapSeries(observed.series, sinceStart, cut)
  const series = { ...whole, layers: whole.layers.filter(({ values }) => values.some((value) => value > 0)) }
  const { completeAfterMs } = observedOutcome({ ...observed, series }).measures
  const marks = observed.marks.filter(({ atMs }) => atMs >= startMs).map((mark) => ({ ...mark, atMs: mark.atMs - startMs }))
  return { ...observed, series: completeAfterMs === undefined ? series : endedAt(series, completeAfterMs + tailMs), marks }
}

function endedAt(series: Series, endMs: number): Series {
  const last = series.times.findLastIndex((atMs) => atMs <= endMs)
  if (last === series.times.length - 1) return series
  return mapSeries(series, [...series.times.slice(0, last + 1), endMs], (values) => [...values.slice(0, last + 1), values[last]!])
}
