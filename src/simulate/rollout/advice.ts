// What to choose, and why, in one sentence.
import { groupBy } from '../../base/maps.ts'
import { exceededCap } from './exceeded-cap.ts'
import { formatLength, formatShare } from './lengths.ts'
import { isAlwaysComplete, missedEnd } from './outcome-end.ts'
import { ends, isField, type Measures, type Outcome, type Policy } from './result.ts'

/** How policies are called in the advice. */
export const adviceNames: Readonly<Record<Policy, string>> = {
  None: 'no policy',
  TerminationStarted: 'TerminationStarted',
  TerminationComplete: 'TerminationComplete',
  'TerminationComplete+terminatingAsActive': 'TerminationComplete with terminatingAsActive',
  Pacer: 'the pacer',
  'Pacer+evictions': 'the pacer with evictions',
}

/** Half as long again is a price that one pays for staying within the cap. */
const muchSlower = 1.5
const longMs = 60_000

const noField = 'The cluster does not have the field podReplacementPolicy'

/** `hasFields`: whether the cluster knows the field podReplacementPolicy. Undefined is returned where there is nothing to choose from. */
export function chooseAdvice(outcomes: readonly Outcome[], withinMs: number, hasFields?: boolean): string | undefined {
  if (outcomes.length < 2) return undefined
  if (outcomes.some(({ measures: { drains = 0 } }) => drains > 0)) return adviseDrain(outcomes)
  const withoutFields = outcomes.filter(({ policy }) => !isField(policy))
  const pacer = outcomes.find(({ policy }) => policy === 'Pacer')
  if (hasFields === false) {
    if (pacer === undefined) return `${noField}. Add Pacer to --policies to see what rollcall pacer does for it.`
    const choice = adviceAmong(withoutFields, withinMs)
    return choice === undefined ? `${noField}.` : `${noField}. ${choice}${deadlineOf(choice, pacer)}`
  }
  if (pacer === undefined || withoutFields.length === outcomes.length) {
    const choice = adviceAmong(outcomes, withinMs)
    return choice && pacer ? `${choice}${deadlineOf(choice, pacer)}` : choice
  }
  const choice = adviceAmong(
    outcomes.filter((outcome) => outcome !== pacer),
    withinMs,
  )
  const { measures } = pacer
  const instead =
    hasFields === true || measures.completeAfterMs === undefined
      ? ''
      : ` Where the cluster does not have that field, the pacer ${describe(measures)}.`
  return `${choice ?? ''}${instead}`.trim() || undefined
}

/** First those under which the drain ends, then those under which more stays available, then the quicker. */
function adviseDrain(outcomes: readonly Outcome[]): string {
  const low = ({ measures }: Outcome) => measures.lowestAvailability ?? 1
  const lasts = ({ measures }: Outcome) => measures.drainedAfterMs ?? Number.POSITIVE_INFINITY
  const [best, ...others] = [...outcomes].sort(
    (a, b) =>
      Number(lasts(b) < Number.POSITIVE_INFINITY) - Number(lasts(a) < Number.POSITIVE_INFINITY) || low(b) - low(a) || lasts(a) - lasts(b),
  ) as [Outcome, ...Outcome[]]
  if (best.measures.drainedAfterMs === undefined) return 'The drain does not end under any of them: change the budgets that block it.'
  const describeOther = (outcome: Outcome) =>
    outcome.measures.drainedAfterMs === undefined
      ? `under ${adviceNames[outcome.policy]} the drain does not end`
      : `under ${adviceNames[outcome.policy]} it ends after ${formatLength(outcome.measures.drainedAfterMs)}, with ${formatShare(low(outcome))} at the lowest`
  return `Choose ${adviceNames[best.policy]}: the drain ends after ${formatLength(best.measures.drainedAfterMs)}, with ${formatShare(low(best))} of the pods available at the lowest; ${others.map(describeOther).join(', ')}.`
}

/** The built-in controller's deadline does not stop while pods wait for the pacer. */
const deadlineOf = (choice: string, { measures: { deadlinesPassed, neededDeadlineMs = 0 } }: Outcome) =>
  choice.startsWith('Choose the pacer') && deadlinesPassed > 0
    ? ` Set progressDeadlineSeconds to more than ${Math.ceil(neededDeadlineMs / 1000)}.`
    : ''

function adviceAmong(outcomes: readonly Outcome[], withinMs: number): string | undefined {
  if (outcomes.length < 2) return undefined
  const name = ({ policy }: Outcome) => adviceNames[policy]
  const complete = outcomes.filter(hasEnded)
  if (complete.length === 0) return noneEnds(outcomes, withinMs)
  const met = complete.filter(({ failures }) => failures.length === 0)
  if (complete.length < outcomes.length) {
    const [best] = bestOf(met.length > 0 ? met : complete)
    const rest = groupBy(
      outcomes.filter((outcome) => !complete.includes(outcome)),
      missedEnd,
    )
    const others = [...rest].map(
      ([verb, own]) => `under ${own.map(name).join(' and ')} it does not ${verb} within ${formatLength(withinMs)}`,
    )
    return `Choose ${name(best!)}: it completes in ${formatLength(best!.measures.completeAfterMs!)}, and ${others.join(', and ')}.`
  }
  const isOver = ({ measures }: Outcome) => measures.peakOverCap > 0
  if (met.length > 0 && met.length < complete.length) {
    const [best] = bestOf(met)
    // Of outcomes that are alike in this, the sentence about all of them would not include those that do not meet the expectations.
    const differ = met.some(isOver) && !met.every(isOver)
    const choice = differ ? adviceAmong(met, withinMs)! : `Choose ${name(best!)}: it ${describe(best!.measures)}.`
    const unmet = complete.filter((outcome) => !met.includes(outcome))
    const names = unmet.map(name).join(' and ')
    return `${choice} ${names.slice(0, 1).toUpperCase()}${names.slice(1)} ${unmet.length === 1 ? 'does' : 'do'} not meet the expectations.`
  }
  const within = complete.filter((outcome) => !isOver(outcome))
  const over = complete.filter(isOver)
  const fastest = [...complete].sort((a, b) => timeOf(a.measures) - timeOf(b.measures))[0]!
  if (over.length === 0 || within.length === 0) {
    const [best] = bestOf(complete)
    const reason = over.length === 0 ? 'the pods stay within the cap under all of them' : 'the pods go over the cap under all of them'
    if (isAlike(complete)) return `Keep ${name(complete[0]!)}: ${reason}, and they take the same time.`
    return `Choose ${name(best!)}: ${reason}, and it ${describe(best!.measures)}.`
  }
  const [best] = bestOf(within)
  const worst = [...over].sort((a, b) => b.measures.peakOverCap - a.measures.peakOverCap)[0]!
  const cap = exceededCap(worst)
  const caps = (worst.workloads ?? []).length > 1 ? 'their caps' : cap === undefined ? 'the cap' : `the cap of ${cap}`
  const spared = `${count(worst.measures.peakOverCap, 'pod')} over ${caps}`
  const waited = worst.measures.waitedForRoom - best!.measures.waitedForRoom
  const nodes = worst.measures.peakNodes - best!.measures.peakNodes
  const costs = [
    spared,
    ...(nodes > 0 ? [`${count(nodes, 'node')} more`] : []),
    ...(waited > 0 ? [`${count(waited, 'pod')} waiting for room`] : []),
  ].join(', ')
  const slowerMs = timeOf(best!.measures) - timeOf(fastest.measures)
  const slower = isSameTime(best!.measures, fastest.measures)
    ? 'and takes no longer'
    : `for ${formatLength(slowerMs)} more (${formatLength(timeOf(best!.measures))} until all are available)`
  const dip =
    (best!.measures.lowestAvailability ?? 1) < (worst.measures.lowestAvailability ?? 1)
      ? `, with ${formatShare(best!.measures.lowestAvailability ?? 1)} available at the lowest`
      : ''
  const isDear = timeOf(best!.measures) > muchSlower * timeOf(fastest.measures) && slowerMs > longMs
  const sentence = `Choose ${name(best!)}: it spares you ${costs} (${name(worst)}), ${slower}${dip}`
  return isDear
    ? `${sentence}; if that is too slow and there is room, ${name(fastest)} is done in ${formatLength(timeOf(fastest.measures))}.`
    : `${sentence}.`
}

/** As it is expected of every policy: where an expectation is about completion, pods may still be terminating. */
const hasEnded = (outcome: Outcome) => isAlwaysComplete(outcome) && !outcome.failures.some((failure) => failure.startsWith(`${ends}: `))

function noneEnds(outcomes: readonly Outcome[], withinMs: number): string {
  const within = formatLength(withinMs)
  const verbs = new Set(outcomes.map(missedEnd))
  if (verbs.size === 1 && verbs.has('end'))
    return `It completes, but does not end within ${within} under any of the policies: pods are still terminating. Allow more time with --within.`
  if (verbs.has('end'))
    return `It does not end within ${within} under any of the policies. Allow more time with --within, or remove the cause first; a policy cannot.`
  const verb = verbs.has('always complete') ? 'always complete' : 'complete'
  return `It does not ${verb} within ${within} under any of the policies. Remove the cause first; a policy cannot.`
}

const timeOf = ({ availableAfterMs, completeAfterMs }: Measures) => availableAfterMs ?? completeAfterMs ?? Number.POSITIVE_INFINITY

/** First who keeps to the cap and needs the fewest nodes, then who is quick, then the simpler one. */
const bestOf = (outcomes: readonly Outcome[]): Outcome[] =>
  [...outcomes].sort(
    ({ measures: a }, { measures: b }) =>
      a.deadlinesPassed - b.deadlinesPassed || a.peakOverCap - b.peakOverCap || a.peakNodes - b.peakNodes || timeOf(a) - timeOf(b),
  )

function isAlike(outcomes: readonly Outcome[]): boolean {
  const [{ measures: first }] = outcomes as readonly [Outcome]
  return outcomes.every(
    ({ measures }) => isSameTime(measures, first) && isSameCompletion(measures, first) && measures.peakPods === first.peakPods,
  )
}

/** As it is shown: some milliseconds more are no reason to choose. */
const isSameTime = (a: Measures, b: Measures) => formatLength(timeOf(a)) === formatLength(timeOf(b))
const isSameCompletion = (a: Measures, b: Measures) => formatLength(a.completeAfterMs ?? 0) === formatLength(b.completeAfterMs ?? 0)

const describe = (measures: Measures) =>
  `has all available after ${formatLength(timeOf(measures))} with at most ${count(measures.peakPods, 'pod')}`

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
