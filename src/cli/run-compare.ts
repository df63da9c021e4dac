// Runs `rollcall simulate --compare` and `--advise`.
import { formatTime, realClock } from '../base/clock.ts'
import { groupBy } from '../base/maps.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { assumedTiming } from '../simulate/rollout/assumed-timing.ts'
import { changedWorkloads } from '../simulate/rollout/changed-workloads.ts'
import { type ComparedSettings, compareSettings, defaultExpectations, type RankedOutcome } from '../simulate/rollout/compare-settings.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { renderJunit } from '../simulate/rollout/output/junit.ts'
import {
  describeCombination,
  nameOfPolicy,
  renderAdvice,
  renderLeftOut,
  renderSettings,
  renderUnmet,
} from '../simulate/rollout/output/settings-table.ts'
import { styleOf, wrap } from '../simulate/rollout/output/style.ts'
import { describeChange, type Plan, type PlannedObject, targetOf } from '../simulate/rollout/plan.ts'
import { completes, ends, type Outcome, type Policy, type SimulationResult } from '../simulate/rollout/result.ts'
import {
  applySettings,
  type Choice,
  type Combination,
  combinationsOf,
  currentValue,
  mergeChoices,
  parseChoice,
  patchFor,
  policyOf,
  searchedChoices,
  settingsWithoutEffect,
} from '../simulate/rollout/settings.ts'
import { simulate } from '../simulate/rollout/simulate.ts'
import { isData, printData } from './flag-values.ts'
import { writeOutputFile } from './output-files.ts'
import { progressBar } from './progress-bar.ts'
import type { SimulateCommandOptions } from './simulate.ts'

const maxCombinations = 500
/** What a search tries where no policies are named, besides the current one: what any cluster can do, the pacer, and the field. */
const searchedPolicies: readonly Policy[] = ['None', 'Pacer', 'TerminationComplete']

/** Returns the exit code. */
export async function runCompare(plan: Plan, options: SimulateCommandOptions): Promise<number> {
  const changed = changedWorkloads(plan)
  const adjustable = changed.filter(isAdjustable)
  const workloads = options.advise && adjustable.length > 0 ? adjustable : changed
  const choices = mergeChoices(
    (options.compare ?? []).flatMap(wordsOf).map((text): Choice => {
      const choice = parseChoice(text)
      if (typeof choice === 'string') throw new InputError(`--compare: ${choice}`)
      return choice
    }),
  )
  if (options.stop !== undefined && choices.some(({ setting }) => setting === 'preStop'))
    throw new InputError('--compare: --stop says how long pods take to terminate, whatever their hook. Leave out --stop to compare preStop')
  const [own = 'None'] = workloads.map(({ object }) => policyOf(object))
  const policies = options.policies !== undefined ? plan.policies : options.advise ? searchedFor(workloads, own) : (['None'] as const)
  const tried =
    options.advise && choices.every(({ setting }) => setting === 'policy') ? [...choices, ...searchedSettings(plan, adjustable)] : choices
  const asCurrent = (choice: Choice): Choice =>
    choice.setting === 'policy' ? choice : { ...choice, values: [currentOf(choice.setting, workloads)] }
  const current = options.advise ? combinationsOf(tried.map(asCurrent), policies) : []
  // Of equals, the first is the best: what needs no change.
  const inOrder = [...current, ...combinationsOf(tried, policies)]
  const all = [...inOrder.filter(({ policy }) => policy === own), ...inOrder]
  const combinations = uniqueCombinations([...groupBy(all, ({ policy }) => policy).values()].flat())
  if (combinations.length > maxCombinations)
    throw new InputError(`--compare: these are ${combinations.length} combinations. Give values for at most ${maxCombinations}`)
  const bar = progressBar(process.stderr)
  const run = { onProgress: bar.show, workloads, workers: options.workers }
  const startedMs = realClock.now()
  try {
    const idle = settingsWithoutEffect(tried, workloads)
    const noted = {
      ...plan,
      assumptions: [
        ...assumptionsOf(plan, combinations, workloads),
        ...idle.map((name) => `${name} makes no difference: no workload that changes has it`),
      ],
    }
    const aimed = options.advise ? await withDefaults(noted, own, choices) : noted
    const compared = await compareSettings(aimed, combinations, run)
    bar.clear()
    await write(aimed, workloads, compared, options, (realClock.now() - startedMs) / 1000)
    return compared.ranked.some(({ failures }) => failures.length === 0) ? 0 : 1
  } finally {
    bar.clear()
  }
}

/** The grace period and the hook of pods decide how long they are assumed to take, so each combination may have sentences of its own. */
function assumptionsOf(plan: Plan, combinations: readonly Combination[], workloads: readonly PlannedObject[]): string[] {
  const { timing, timings } = plan
  const sentencesOf = ({ objects }: Plan) =>
    assumedTiming(objects, { startup: timing.startup !== undefined, stop: timing.stop !== undefined }, timings)
  const own = sentencesOf(plan)
  const tried = combinations.flatMap((one) => sentencesOf(applySettings(plan, one, workloads)))
  return [...new Set([...plan.assumptions.filter((sentence) => !own.includes(sentence) || tried.includes(sentence)), ...tried])]
}

const uniqueCombinations = (all: readonly Combination[]): Combination[] => [
  ...new Map(all.map((combination) => [JSON.stringify(combination), combination])).values(),
]

/** Those of Kubernetes. */
const defaultSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Deployment: { maxSurge: '25%', maxUnavailable: '25%' },
  DaemonSet: { maxSurge: '0', maxUnavailable: '1' },
}

/** What all of them have: that may be better than any value that a search tries. */
function currentOf(setting: string, workloads: readonly PlannedObject[]): string {
  const values = workloads.map((workload) => {
    if (setting.startsWith('max') && !isAdjustable(workload)) return undefined
    const { strategy, updateStrategy } = strategiesOf(workload)
    const given = (strategy ?? updateStrategy)?.rollingUpdate?.[setting]
    return given ?? defaultSettings[workload.object.kind ?? '']?.[setting]
  })
  const [first] = values
  return first !== undefined && values.every((value) => value === first) ? String(first) : currentValue
}

/** `maxSurge=0,25% maxUnavailable=0,1` in one text, as rollcall.yaml may have it. */
const wordsOf = (text: string): string[] => text.trim().split(/\s+(?=[A-Za-z]+=)/)

const searchedFor = (workloads: readonly PlannedObject[], own: Policy): readonly Policy[] =>
  workloads.some(({ object }) => object.kind === 'Deployment') ? [...new Set([...searchedPolicies, own])] : ['None']

const strategyKinds = ['Deployment', 'DaemonSet']

interface Strategy {
  readonly type?: string
  readonly rollingUpdate?: Readonly<Record<string, string | number>>
}

interface Strategies {
  readonly replicas?: number
  readonly strategy?: Strategy
  readonly updateStrategy?: Strategy
}

const strategiesOf = ({ object }: PlannedObject) => (object as { readonly spec?: Strategies }).spec ?? {}

/** A strategy other than a rolling update was chosen for a reason: two versions must not run at the same time, or an operator deletes the pods. */
function isAdjustable(workload: PlannedObject): boolean {
  const { strategy, updateStrategy } = strategiesOf(workload)
  return strategyKinds.includes(workload.object.kind ?? '') && ((strategy ?? updateStrategy)?.type ?? 'RollingUpdate') === 'RollingUpdate'
}

/** Of several workloads, the largest has the most values that differ. A DaemonSet may have a pod on each node. */
function searchedSettings({ nodes }: Plan, adjustable: readonly PlannedObject[]): Choice[] {
  if (adjustable.length === 0) return []
  const nodeCount = nodes.reduce((sum, { count = 1 }) => sum + count, 0)
  const sizes = adjustable.map((one) => (one.object.kind === 'DaemonSet' ? nodeCount : Number(strategiesOf(one).replicas ?? 1)))
  return searchedChoices(Math.max(...sizes), (setting) => currentOf(setting, adjustable))
}

/**
 * No less availability than the current settings give, and no more pods than they allow, unless an expectation speaks of it. A larger
 * maxSurge would otherwise keep `peakOverCap` at 0 by raising the cap. Values of maxSurge that the user names are free to raise it.
 */
async function withDefaults(plan: Plan, policy: Policy, choices: readonly Choice[]): Promise<Plan> {
  const isFree = plan.expectations.length > 0 && choices.some(({ setting }) => setting === 'maxSurge')
  const given = new Set([...plan.expectations.map(({ measure }) => measure), ...(isFree ? (['peakPods'] as const) : [])])
  if (given.has('availability') && given.has('peakPods')) return plan
  const { outcomes } = await simulate(applySettings(plan, { policy, values: [] }))
  const expectations = defaultExpectations(outcomes[0]!).filter(({ measure }) => !given.has(measure))
  if (expectations.length === 0) return plan
  return {
    ...plan,
    expectations: [...plan.expectations, ...expectations],
    assumptions: [
      ...plan.assumptions,
      `expected as of the current settings: ${expectations.map(({ text }) => text).join(', ')} (--expect)`,
    ],
  }
}

const nameOf = ({ kind = '', metadata }: PlannedObject['object']) =>
  `${kind.toLowerCase()} ${metadata?.name}${(metadata?.namespace ?? 'default') === 'default' ? '' : ` -n ${metadata?.namespace}`}`

const patchOf = (workload: PlannedObject, { policy, values }: Combination): object =>
  patchFor(workload.object, { policy, values: values.filter(({ setting, value }) => value !== currentOf(setting, [workload])) })

const runsOf = ({ runs, seed }: Plan) => (runs > 1 ? ` (${runs} runs, seeds ${seed} to ${seed + runs - 1})` : '')

const settingsOf = (values: Combination['values']) => Object.fromEntries(values.map(({ setting, value }) => [setting, value]))

/** A choice that counts terminating pods lets an autoscaler's new pods wait for them. Empty: none waits. */
function delayOfScaleUps({ autoscaled = [] }: Plan, { combination: { policy }, outcome: { series } }: RankedOutcome): string[] {
  const layers = series.layers.filter(({ state }) => state === 'terminating')
  const most = Math.max(0, ...series.times.map((_, index) => layers.reduce((sum, { values }) => sum + values[index]!, 0)))
  if (autoscaled.length === 0 || policy === 'None' || most === 0) return []
  const names = autoscaled.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`).join(', ')
  const pods = most === 1 ? '1 pod' : `${most} pods`
  return [`While pods terminate, a scale-up by the autoscaler of ${names} waits too, for up to ${pods}.`]
}

/** Named after its settings. */
const outcomeOf = (one: RankedOutcome): Outcome => ({ ...one.outcome, label: describeCombination(one) })

/** Whose charts fit on a page. */
const maxCharts = 6

/** The best combinations, and the worst beside them. */
function reportOf(plan: Plan, ranked: readonly RankedOutcome[]): SimulationResult {
  const shown = ranked.length <= maxCharts ? ranked : [...ranked.slice(0, maxCharts - 1), ranked.at(-1)!]
  const left = ranked.length - shown.length
  return {
    format: 'rollcall.simulation/1',
    title: plan.title,
    change: describeChange(plan),
    assumptions: [
      ...plan.assumptions,
      ...(left === 0 ? [] : [`the best ${maxCharts - 1} of ${ranked.length} combinations are shown, and the last`]),
    ],
    version: rollcallVersion,
    createdAt: formatTime(realClock.now()),
    command: plan.command,
    sources: plan.sources,
    seed: plan.seed,
    runs: plan.runs,
    outcomes: shown.map(outcomeOf),
  }
}

async function write(
  plan: Plan,
  workloads: readonly PlannedObject[],
  { ranked, leftOut }: ComparedSettings,
  { output, json, report, junit, advise }: SimulateCommandOptions,
  seconds: number,
): Promise<void> {
  const best = ranked.find(({ failures }) => failures.length === 0)
  const patches = best === undefined ? [] : workloads.map((one) => ({ object: one.object, patch: patchOf(one, best.combination) }))
  const result = {
    title: plan.title,
    seed: plan.seed,
    runs: plan.runs,
    assumptions: plan.assumptions,
    combinations: ranked.map(({ combination: { policy, values }, measures, failures, failedRuns }) => ({
      policy,
      settings: settingsOf(values),
      measures,
      failures,
      ...(failedRuns !== undefined && { failedRuns }),
    })),
    leftOut: leftOut.map(({ combination: { policy, values }, reason }) => ({ policy, settings: settingsOf(values), reason })),
    ...(best !== undefined && {
      best: {
        policy: best.combination.policy,
        patch: patches[0]!.patch,
        patches: patches.map(({ object, patch }) => ({ ...targetOf(object), patch })),
      },
    }),
  }
  if (typeof json === 'string') writeOutputFile(json, `${JSON.stringify(result)}\n`, 'the comparison as JSON')
  if (junit !== undefined) {
    const judged = (advise ? ranked.slice(0, 1) : ranked).map(outcomeOf)
    writeOutputFile(junit, renderJunit(plan, { title: plan.title, outcomes: judged }, seconds), 'the expectations as JUnit XML')
  }
  if (report !== undefined) {
    const { renderReport } = await import('../simulate/report/render-report.ts')
    writeOutputFile(report, renderReport(reportOf(plan, ranked)), 'the report, for a browser')
  }
  if (isData(output)) return printData(result, output)
  if (report === '-' || junit === '-') return
  const style = styleOf(process.stdout, process.env)
  const isShort = advise === true && output !== 'wide'
  const kinds = [...new Set(ranked.map(({ combination }) => nameOfPolicy(combination.policy)))]
  const lines = [
    ...renderSettings(
      style,
      `${plan.title}: ${ranked.length} ${ranked.length === 1 ? 'combination' : 'combinations'} of settings, ${kinds.join(', ')}${runsOf(plan)}`,
      isShort ? ranked.slice(0, 10) : ranked,
      plan,
    ),
    ...(isShort && ranked.length > 10 ? [`and ${ranked.length - 10} more (-o wide, -o json)`] : []),
    ...(advise && best !== undefined ? [] : renderUnmet(style, ranked, [completes, ends, ...plan.expectations.map(({ text }) => text)])),
    ...renderLeftOut(style, leftOut),
    ...(advise
      ? renderAdvice(
          style,
          ranked,
          patches.map(({ object, patch }) => ({ name: nameOf(object), patch })),
          plan.runs,
        )
      : []),
    ...(advise && best !== undefined ? delayOfScaleUps(plan, best).flatMap((line) => wrap(line, style.width)) : []),
    ...(plan.assumptions.length === 0 ? [] : ['', ...wrap(`Assumed: ${plan.assumptions.join('; ')}.`, style.width, '  ')]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
