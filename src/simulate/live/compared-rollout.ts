// An observed rollout beside its simulation, with the differences in numbers.

import type { KubernetesObject } from '../../api/types.ts'
import { isIncomplete, measureRows } from '../report/measure-rows.ts'
import { renderReport } from '../report/render-report.ts'
import { InputError } from '../rollout/input-error.ts'
import { makePlan } from '../rollout/make-plan.ts'
import type { Measures, Origin, Outcome, Policy, SimulationResult } from '../rollout/result.ts'
import { simulate } from '../rollout/simulate.ts'
import { lastRollout, type ObservedRollout, observedOutcome, peakTerminating } from './observed-rollout.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ComparisonRequest {
  /** The workload before its last change. */
  readonly before?: Fields
  readonly after: Fields
  readonly observed: ObservedRollout
  /** How long its pods took to become ready and to stop. Empty: assumed. */
  readonly startup: string
  readonly stop: string
}

interface ComparedRow {
  readonly name: string
  readonly observed: string
  readonly simulated: string
  readonly difference: string
}

const policyAnnotation = 'rollcall.dev/pod-replacement-policy'
const pacerGate = 'rollcall.dev/pacer'

/** The policy that the rollout had: pods that waited for a gate were paced. */
export function policyOf({ after, observed }: Pick<ComparisonRequest, 'after' | 'observed'>): Policy {
  if (after['kind'] !== 'Deployment') return 'None'
  const spec = (after['spec'] ?? {}) as Fields
  const template = (spec['template'] as { readonly spec?: { readonly schedulingGates?: readonly { readonly name: string }[] } } | undefined)
    ?.spec
  const isGated = template?.schedulingGates?.some(({ name }) => name === pacerGate) ?? false
  if (isGated || observed.series.layers.some(({ state }) => state === 'waiting')) return 'Pacer'
  if (spec['terminatingAsActive'] === true) return 'TerminationComplete+terminatingAsActive'
  const annotations = (after['metadata'] as { readonly annotations?: Readonly<Record<string, string>> } | undefined)?.annotations
  const policy = spec['podReplacementPolicy'] ?? annotations?.[policyAnnotation]
  return policy === 'TerminationStarted' || policy === 'TerminationComplete' ? policy : 'None'
}

export async function compareWithSimulation(request: ComparisonRequest, origin: Origin): Promise<object> {
  const { before, after, startup, stop } = request
  if (before === undefined) throw new InputError('there is no earlier revision or size to simulate the change from')
  const name = String((after['metadata'] as Fields | undefined)?.['name'] ?? '')
  const observed = lastRollout(request.observed)
  const plan = await makePlan({
    given: [{ name: `${name}-before.json`, objects: [before as KubernetesObject] }],
    givenTo: [{ name: `${name}.json`, objects: [after as KubernetesObject] }],
    files: [],
    to: [],
    scale: [],
    policies: policyOf(request),
    startup: startup || undefined,
    stop: stop || undefined,
    faults: [],
    expect: [],
    command: `rollcall simulate -f ${name}-before.json --to ${name}.json --policies ${policyOf(request)}`,
  })
  const result = await simulate(plan, { origin, keepsThreadFree: true })
  const seen = { ...observedOutcome(observed), policy: policyOf(request) }
  const played = { ...result.outcomes[0]!, label: 'simulated' }
  const both: SimulationResult = { ...result, title: observed.title, outcomes: [seen, played] }
  return {
    // Counted in the same way on both sides: a peak without a duration, which only a simulation can observe, is in neither.
    rows: comparedRows(seen, { ...played, measures: observedOutcome({ ...observed, series: played.series }).measures }),
    observed: seen.series,
    simulated: played.series,
    stuck: played.stuck ?? [],
    assumptions: result.assumptions ?? [],
    html: renderReport(both),
  }
}

/** The measures that follow from counts alone. Measures that depend on the length of the run, such as pod-seconds, are left out. */
const comparedKeys: readonly (keyof Measures)[] = [
  'peakPods',
  'peakOverCap',
  'peakWaiting',
  'availableAfterMs',
  'oldGoneAfterMs',
  'completeAfterMs',
  'lowestAvailability',
]

export function comparedRows(observed: Outcome, simulated: Outcome): ComparedRow[] {
  const rows = comparedKeys.flatMap((key): ComparedRow[] => {
    const row = measureRows.find((one) => one.key === key)!
    const [a, b] = [observed.measures[key], simulated.measures[key]]
    if (a === undefined && b === undefined && row.isOptional) return []
    return [comparedRow(row.label, a, b, row.format, isIncomplete(simulated) ? 'never' : '–')]
  })
  const terminating = comparedRow('Peak terminating', peakTerminating(observed.series), peakTerminating(simulated.series), String, '–')
  return [rows[0]!, terminating, ...rows.slice(1)]
}

function comparedRow(
  name: string,
  observed: number | undefined,
  simulated: number | undefined,
  format: (value: number) => string,
  never: string,
): ComparedRow {
  const shown = (value: number | undefined, absent: string) => (value === undefined ? absent : format(value))
  return {
    name,
    observed: shown(observed, 'not yet'),
    simulated: shown(simulated, never),
    difference: differenceOf(observed, simulated, format),
  }
}

/** Simulated minus observed. Two values that are written alike do not differ. */
function differenceOf(observed: number | undefined, simulated: number | undefined, format: (value: number) => string): string {
  if (observed === undefined || simulated === undefined) return '–'
  if (format(observed) === format(simulated)) return '0'
  return `${simulated > observed ? '+' : '−'}${format(Math.abs(simulated - observed))}`
}
