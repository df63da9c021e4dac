// A plan, played once for each policy and seed, and what it comes to.

import { defined } from '../../base/defined.ts'
import { groupBy } from '../../base/maps.ts'
import { chooseAdvice } from './advice.ts'
import { approximationsOf } from './approximations.ts'
import { asksForCompletion, type Expectation, findBreach } from './expectations.ts'
import { howToGet } from './how-to-get.ts'
import { loadKey } from './load/measured-load.ts'
import { percentilesOf, withMedians } from './percentiles.ts'
import { describeChange, type Plan } from './plan.ts'
import { prolongedSeries } from './prolonged.ts'
import {
  completes,
  ends,
  type Measures,
  type Origin,
  type Outcome,
  type Policy,
  type SimulationResult,
  type WorkloadOutcome,
} from './result.ts'
import type { RunAnswer, RunTask } from './run-task.ts'
import { type RunTasksOptions, runTasks } from './run-tasks.ts'
import type { Trace } from './trace.ts'

interface SimulateOptions extends RunTasksOptions {
  /** Who makes it, and when: part of the result. */
  readonly origin?: Origin
  /** The trace of the first run of each policy. */
  readonly onTrace?: ((trace: Trace) => void) | undefined
}

export async function simulate(plan: Plan, options: SimulateOptions = {}): Promise<SimulationResult> {
  const tasks = tasksOf(plan, options.onTrace !== undefined)
  const answers = await runTasks(plan, tasks, options)
  const outcomes = planOutcomes(plan, tasks, answers)
  const traced = answers.flatMap(({ trace }) => (trace === undefined ? [] : [trace]))
  // They end together, as the outcomes do.
  const endMs = Math.max(...traced.map((trace) => trace.endMs))
  for (const trace of traced) options.onTrace?.({ ...trace, endMs })
  const advice = chooseAdvice(outcomes.map(withMedians), plan.withinMs, plan.clusterHasPolicies)
  return {
    format: 'rollcall.simulation/1',
    title: plan.title,
    change: describeChange(plan),
    assumptions: plan.assumptions,
    approximations: approximationsOf(plan),
    ignored: plan.ignored,
    ...options.origin,
    command: plan.command,
    sources: plan.sources,
    seed: plan.seed,
    runs: plan.runs,
    outcomes,
    ...(advice !== undefined && { advice, ...defined({ how: howToGet(advice, plan) }) }),
  }
}

/** Seed by seed, so that the first of each policy come first. */
function tasksOf({ policies, seed, runs }: Plan, isTraced: boolean): RunTask[] {
  const tasks: RunTask[] = []
  for (let run = 0; run < runs; run++)
    for (const policy of policies) tasks.push({ policy, seed: seed + run, isDrawn: run === 0, isTraced: isTraced && run === 0 })
  return tasks
}

function planOutcomes(plan: Plan, tasks: readonly RunTask[], answers: readonly RunAnswer[]): Outcome[] {
  // Of one seed all end together: otherwise who is quick would seem to have needed fewer pods.
  const endMs = new Map<number, number>()
  for (const [index, { seed }] of tasks.entries()) endMs.set(seed, Math.max(endMs.get(seed) ?? 0, answers[index]!.endMs))
  return plan.policies.map((policy) => {
    const own = tasks
      .map((task, index) => ({ task, answer: answers[index]! }))
      .filter(({ task }) => task.policy === policy)
      .map(({ task, answer }) => ({ task, answer, ...prolonged(answer, endMs.get(task.seed)!, plan.nodePrice) }))
    const [first] = own
    const { series, marks, kinds } = first!.answer.measured
    const runs = own.map(({ task, answer, measures, workloads }) => ({
      seed: task.seed,
      measures,
      workloads,
      unrest: answer.unrest,
      breaches: answer.breaches,
    }))
    return {
      policy,
      measures: first!.measures,
      ...(plan.runs > 1 && { spread: percentilesOf(own.map(({ measures }) => measures)) }),
      series: prolongedSeries(series!, endMs.get(first!.task.seed)!),
      ...workloadsOf(own.map(({ workloads }) => workloads)),
      marks: marks!,
      kinds: kinds!,
      ...defined({ cause: first!.answer.cause }),
      ...stuckOf(runs),
      ...judge(plan, policy, runs),
    }
  })
}

/** Workloads that every run has. */
function workloadsOf(answers: readonly (readonly WorkloadOutcome[] | undefined)[]): Pick<Outcome, 'workloads'> {
  const [first] = answers
  if (first === undefined) return {}
  if (answers.length === 1) return { workloads: first }
  const runs = groupBy(
    answers.flatMap((workloads = []) => workloads),
    loadKey,
  )
  const spreadOf = (workload: WorkloadOutcome) => percentilesOf(runs.get(loadKey(workload))!.map(({ measures }) => measures))
  return { workloads: first.map((workload) => ({ ...workload, spread: spreadOf(workload) })) }
}

/** The measures of a run that goes on until then as it has ended, of all workloads together and of each. */
function prolonged({ measured, endMs, pods, nodes, workloads }: RunAnswer, untilMs: number, nodePrice: number | undefined) {
  const until = (measures: Measures, podCount: number, nodeCount: number): Measures => ({
    ...measures,
    podSeconds: measures.podSeconds + (podCount * (untilMs - endMs)) / 1000,
    nodeMinutes: measures.nodeMinutes + (nodeCount * (untilMs - endMs)) / 60_000,
  })
  return {
    measures: priced(until(measured.measures, pods, nodes), nodePrice),
    workloads: workloads?.map(({ pods: own, measures, ...workload }) => ({ ...workload, measures: until(measures, own, 0) })),
  }
}

const priced = (measures: Measures, price: number | undefined): Measures =>
  price === undefined ? measures : { ...measures, cost: (measures.nodeMinutes / 60) * price }

interface JudgedRun {
  readonly seed: number
  readonly measures: Measures
  /** Absent: there is one workload. */
  readonly workloads: readonly WorkloadOutcome[] | undefined
  readonly unrest: readonly string[] | undefined
  readonly breaches: readonly string[]
}

/** A line for each expectation that some run does not meet: the first such run speaks. `failedRuns`: runs with any such line. */
function judge(plan: Plan, policy: Policy, runs: readonly JudgedRun[]): Pick<Outcome, 'failures' | 'failedRuns'> {
  const own = plan.expectations.filter((expectation) => expectation.policy === undefined || expectation.policy === policy)
  // That a rollout completes is expected of every policy, unless an expectation speaks of it.
  const isAsked = asksForCompletion(own)
  const failedRuns = new Set<JudgedRun>()
  /** `breachOf` returns what is wrong with a run, then the reasons. Empty: nothing is. */
  const failuresOf = (name: string, breachOf: (run: JudgedRun) => readonly string[]): string[] => {
    const breached = runs.flatMap((run) => {
      const [what, ...reasons] = breachOf(run)
      return what === undefined ? [] : [{ run, what, reasons }]
    })
    for (const { run } of breached) failedRuns.add(run)
    const [first] = breached
    if (first === undefined) return []
    return [[`${name}: ${first.what}${shareOf(breached.length, first.run, runs)}`, ...first.reasons].join('; ')]
  }
  const unrestOf = (isComplete: boolean) => (run: JudgedRun) => (isAsked || isCompleteRun(run) !== isComplete ? [] : (run.unrest ?? []))
  const failures = [
    ...failuresOf(completes, unrestOf(false)),
    ...failuresOf(ends, unrestOf(true)),
    ...own.flatMap((expectation) =>
      failuresOf(expectation.text, (run) => {
        const measures = measuresFor(expectation, run)
        const breach = measures === undefined ? 'there is no such workload in the run' : findBreach(expectation, measures)
        return breach === undefined ? [] : [breach]
      }),
    ),
    ...(runs.find(({ breaches }) => breaches.length > 0)?.breaches ?? []),
  ]
  for (const run of runs) if (run.breaches.length > 0) failedRuns.add(run)
  return { failures, ...(runs.length > 1 && { failedRuns: failedRuns.size }) }
}

/** What is left to happen after that: pods terminate. */
const isCompleteRun = ({ measures }: JudgedRun) => measures.completeAfterMs !== undefined

/** Of the workload that an expectation is about, or of all. */
function measuresFor({ workload }: Expectation, { measures, workloads }: JudgedRun): Measures | undefined {
  if (workload === undefined || workloads === undefined) return measures
  return workloads.find(({ kind, namespace, name }) => kind === workload.kind && namespace === workload.namespace && name === workload.name)
    ?.measures
}

const shareOf = (count: number, { seed }: JudgedRun, runs: readonly JudgedRun[]) =>
  runs.length > 1 ? ` (${count} of ${runs.length} runs, such as seed ${seed})` : ''

/** The first run that did not end speaks. */
function stuckOf(runs: readonly JudgedRun[]): Pick<Outcome, 'stuck'> {
  const stuck = runs.filter(({ unrest }) => unrest !== undefined)
  if (stuck.length === 0) return {}
  const [first = '', ...reasons] = stuck[0]!.unrest!
  return { stuck: [`${first}${shareOf(stuck.length, stuck[0]!, runs)}`, ...reasons] }
}
