// Results of simulations as files: what `rollcall simulate --json` wrote.
import { isJsonObject } from '../../api/machinery/json-object.ts'
import { InputError } from '../rollout/input-error.ts'
import { type Outcome, podStates, policies, type SimulationResult } from '../rollout/result.ts'
import { type Check, hasShape, isAbsentOr, isAmount, isCount, isListOf, isOneOf, isText } from './shapes.ts'

export const resultFormat = 'rollcall.simulation/1'

const neededMeasures = ['peakPods', 'cap', 'peakOverCap', 'podSeconds', 'peakNodes', 'nodeMinutes', 'waitedForRoom', 'deadlinesPassed']
const timesAndShares = ['availableAfterMs', 'oldGoneAfterMs', 'completeAfterMs', 'lowestAvailability', 'neededDeadlineMs']
const optionalMeasures = [...timesAndShares, 'matchedNoNode', 'peakWaiting', 'cost']
const isMeasures = hasShape({
  ...Object.fromEntries(neededMeasures.map((name) => [name, isAmount])),
  ...Object.fromEntries(optionalMeasures.map((name) => [name, isAbsentOr(isAmount)])),
})

const isPercentiles = hasShape({
  min: isAmount,
  p50: isAbsentOr(isAmount),
  p90: isAbsentOr(isAmount),
  p99: isAbsentOr(isAmount),
  max: isAbsentOr(isAmount),
})
const isSpread: Check = (value) => isJsonObject(value) && Object.values(value).every(isPercentiles)
const isLine = isListOf(isAmount)

const isOutcome = hasShape({
  policy: isOneOf(...policies),
  label: isAbsentOr(isText),
  measures: isMeasures,
  spread: isAbsentOr(isSpread),
  series: hasShape({
    times: (value) => isLine(value) && (value as readonly number[]).length > 0,
    layers: isListOf(hasShape({ revision: isCount, state: isOneOf(...podStates), values: isLine })),
    desired: isLine,
    cap: isLine,
    available: isLine,
    nodes: isLine,
  }),
  marks: isListOf(hasShape({ atMs: isAmount, type: isOneOf('step', 'condition', 'event', 'fault'), object: isText, text: isText })),
  kinds: isAbsentOr(isListOf(isText)),
  stuck: isAbsentOr(isListOf(isText)),
  cause: isAbsentOr(isText),
  failures: isListOf(isText),
  failedRuns: isAbsentOr(isCount),
})

/** Every line has a value for every time. */
function isEven({ series: { times, layers, desired, cap, available, nodes } }: Outcome): boolean {
  const lines = [...layers.map(({ values }) => values), desired, cap, available, nodes]
  return lines.every(({ length }) => length === times.length) && times.every((time, index) => time >= (times[index - 1] ?? 0))
}

/** Throws an InputError that says what is wrong with the file. */
export function readResult(value: unknown, name: string): SimulationResult {
  const refuse = (what: string) => new InputError(`Cannot show ${name} as a result: ${what}`)
  const isWhole = hasShape({
    title: isText,
    command: isText,
    sources: isListOf(hasShape({ name: isText, text: isText })),
    seed: isAmount,
    runs: isCount,
    outcomes: Array.isArray,
    advice: isAbsentOr(isText),
    how: isAbsentOr(isListOf(isText)),
    change: isAbsentOr(isListOf(isText)),
    assumptions: isAbsentOr(isListOf(isText)),
    ignored: isAbsentOr(isListOf(isText)),
    version: isAbsentOr(isText),
    createdAt: isAbsentOr(isText),
  })
  if (!isWhole(value)) throw refuse('it is damaged')
  const result = value as SimulationResult
  if (result.outcomes.length === 0) throw refuse('it has no outcomes')
  result.outcomes.forEach((outcome, index) => {
    if (!isOutcome(outcome) || !isEven(outcome)) throw refuse(`outcome ${index + 1} of ${result.outcomes.length} is damaged`)
  })
  return result
}
