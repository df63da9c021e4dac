// Learns what a program does, disturbs it according to plans, and judges what comes of it.
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { realClock } from '../base/clock.ts'
import { messageOf } from '../base/error-message.ts'
import { ForkableCluster } from '../cluster/forked-cluster.ts'
import type { StoreContent } from '../store/revision-store.ts'
import { type Finding, Judge } from './judge/findings.ts'
import { createNodeNames } from './node-names.ts'
import { classOf, describePlan, type FaultPlan } from './plan/fault-plan.ts'
import { makePlans } from './plan/make-plans.ts'
import { applyStep } from './run/apply-step.ts'
import { type Pace, runPlan } from './run/run-plan.ts'
import { Slots } from './run/slots.ts'
import { describeStep, type Scenario } from './scenario.ts'
import type { RunTrace } from './trace.ts'

export interface TortureOptions {
  readonly scenario: Scenario
  readonly seed: number
  readonly jobs: number
  readonly budgetMs: number
  /** Default: as many as the budget allows. */
  readonly maxPlans?: number
  /** Only these plans: a replay. */
  readonly plans?: readonly FaultPlan[]
  /** How long the program must do nothing in the first run until it counts as quiet. */
  readonly learnMs: number
  readonly patienceMs: number
  /** How long minutes of staleness last; 0: there are none. */
  readonly longMs: number
  readonly version: string
  readonly signal: AbortSignal
  onProgress(progress: Progress): void
  log(line: string): void
}

export interface Progress {
  readonly phase: 'prepare' | 'learn' | 'run' | 'confirm'
  readonly plans: number
  readonly singles: number
  readonly bugs: number
  readonly elapsedMs: number
}

/** A finding with the smallest plan that shows it. */
export interface Bug {
  readonly finding: Finding
  readonly also: readonly Finding[]
  readonly plan: FaultPlan
  readonly trace: RunTrace
  /** How many plans showed it. */
  plans: number
  /** Of the repetitions. */
  readonly repeats: { readonly shown: number; readonly of: number }
}

export interface TortureResult {
  readonly bugs: readonly Bug[]
  /** Findings in a run without faults. */
  readonly undisturbed: readonly string[]
  readonly plans: number
  readonly effective: number
  readonly singles: number
  readonly durationMs: number
  readonly baseline: RunTrace
  readonly pace: Pace
}

const repetitions = 3
const limitMs = 30_000
const prepareMs = 60_000
const minQuietMs = 80
const learnedRuns = 3
const longJobs = 2
/** So many runs for each job: those that only wait for a difference to vanish use no processor. */
const runsPerJob = 3
/** A repetition shows what the first run has shown after all its patience. */
const repeatPatience = 0.25

export async function torture(options: TortureOptions): Promise<TortureResult> {
  const session = new Session(options)
  return session.run()
}

class Session {
  readonly #options: TortureOptions
  readonly #startMs = realClock.now()
  readonly #clusters: ForkableCluster
  readonly #slots: Slots
  #content!: StoreContent
  #pace: Pace
  #judge!: Judge
  #plans = 0
  #effective = 0
  #singles = 0
  readonly #bugs = new Map<string, Bug>()
  /** Findings that are being confirmed, and in how many plans they were seen meanwhile. */
  readonly #pending = new Map<string, number>()

  constructor(options: TortureOptions) {
    this.#options = options
    const { scenario, seed, version, log, learnMs, patienceMs, longMs } = options
    this.#clusters = new ForkableCluster({
      gates: defaultFeatureGates,
      nodes: createNodeNames(scenario.nodes),
      controllers: scenario.controllers,
      seed,
      version,
      log,
    })
    this.#slots = new Slots(options.jobs)
    this.#pace = { quietMs: learnMs, trustsTimers: false, watches: 0, limitMs, patienceMs, longMs }
  }

  async run(): Promise<TortureResult> {
    this.#report('prepare')
    await this.#prepare()
    this.#report('learn')
    const undisturbed = await this.#learn()
    const baseline = undisturbed[0]!
    this.#judge = new Judge(undisturbed)
    const { scenario, seed, plans } = this.#options
    const list = makePlans({ trace: baseline, steps: scenario.steps.length, seed })
    this.#singles = plans?.length ?? list.singles
    if (plans !== undefined) for (const plan of plans) await this.#try(plan)
    else if (list.singles > 0) await this.#runAll(list)
    return {
      bugs: [...new Set(this.#bugs.values())],
      undisturbed: undisturbedProblems(undisturbed),
      plans: this.#plans,
      effective: this.#effective,
      singles: this.#singles,
      durationMs: realClock.now() - this.#startMs,
      baseline,
      pace: this.#pace,
    }
  }

  #report(phase: Progress['phase']): void {
    const bugs = new Set(this.#bugs.values()).size
    this.#options.onProgress({ phase, plans: this.#plans, singles: this.#singles, bugs, elapsedMs: realClock.now() - this.#startMs })
  }

  /** The cluster with everything that exists before the program starts. */
  async #prepare(): Promise<void> {
    const { scenario } = this.#options
    const fork = await this.#clusters.fork(undefined, realClock.now())
    try {
      await fork.clock.stepBy(prepareMs)
      for (const step of scenario.setup) {
        const context = { client: fork.client, kinds: fork.kinds, env: process.env, directory: scenario.directory }
        await applyStep(step, context).catch((error: unknown) => {
          throw new Error(`Cannot set up the cluster: ${describeStep(step)}: ${messageOf(error)}`)
        })
        await fork.clock.stepBy(prepareMs)
      }
      this.#content = fork.content()
    } finally {
      await fork.stop()
    }
  }

  /** Several runs without faults: the first says how fast the program is, the others which values differ by nature. */
  async #learn(): Promise<RunTrace[]> {
    const traces: RunTrace[] = []
    const none: FaultPlan = { id: 0, faults: [] }
    for (let i = 0; i < learnedRuns && !this.#options.signal.aborted; i++) {
      const trace = await this.#runOne(none, 'learned')
      requireWorking(trace)
      traces.push(trace)
      this.#options.log(
        `learned in ${trace.durationMs} ms; quiet after ${quietOf(trace, this.#options.learnMs)} ms, ${trace.watchesAtStart} watches, ${trace.unforeseenWakeups} unforeseen wakeups`,
      )
      if (i === 0) this.#pace = { ...this.#pace, quietMs: quietOf(trace, this.#options.learnMs), watches: trace.watchesAtStart }
    }
    this.#pace = { ...this.#pace, trustsTimers: traces.every(({ unforeseenWakeups }) => unforeseenWakeups === 0) }
    if (traces.length === 0) throw new Error('Interrupted before the program was learned.')
    return traces
  }

  #runOne(plan: FaultPlan, as: 'learned' | 'judged' | 'repeated'): Promise<RunTrace> {
    const { scenario, signal } = this.#options
    const isExpected = (end: ReadonlyMap<string, string>, step: number) => {
      const differences = this.#judge.differencesAt(end, step)
      return differences.length === 0 || (as === 'judged' && differences.some((signature) => this.#isKnown(signature, plan)))
    }
    const { patienceMs } = this.#pace
    return runPlan({
      scenario,
      plan,
      clusters: this.#clusters,
      content: this.#content,
      pace: { ...this.#pace, patienceMs: as === 'repeated' ? patienceMs * repeatPatience : patienceMs },
      slots: this.#slots,
      signal,
      ...(as !== 'learned' && { isExpected }),
    })
  }

  async #runAll(list: ReturnType<typeof makePlans>): Promise<void> {
    const { jobs, budgetMs, maxPlans = Number.POSITIVE_INFINITY, signal, longMs } = this.#options
    const endMs = this.#startMs + budgetMs
    const isParallel = jobs > 1
    let next = 1
    const isOver = () => signal.aborted || realClock.now() >= endMs
    const work = async () => {
      while (!isOver() && next <= maxPlans && (isParallel || longMs === 0 || next <= list.singles)) await this.#try(list.planAt(next++))
    }
    let nextLong = 0
    const workLong = async () => {
      while (!isOver() && longMs > 0 && nextLong < list.long.length && realClock.now() + longMs < endMs)
        await this.#try(list.long[nextLong++]!)
    }
    if (isParallel) await Promise.all([...Array.from({ length: jobs * runsPerJob }, work), ...Array.from({ length: longJobs }, workLong)])
    else {
      // Two instances may not run at a time.
      await work()
      await workLong()
    }
  }

  /** Whether a run has shown this difference under a fault of that class. */
  #isKnown(signature: string, plan: FaultPlan): boolean {
    const name = bugName(signature, plan)
    return this.#bugs.has(name) || this.#pending.has(name)
  }

  async #try(plan: FaultPlan): Promise<void> {
    const trace = await this.#runOne(plan, 'judged')
    this.#options.log(`plan ${plan.id}: ${trace.durationMs} ms, ${trace.hasOccurred ? '' : 'no effect, '}${describePlan(plan)}`)
    if (this.#options.signal.aborted) return
    this.#plans++
    if (trace.hasOccurred) this.#effective++
    const findings = this.#judge.judge(trace, plan)
    this.#report('run')
    const [finding] = findings
    if (finding === undefined) return
    const nameOf = ({ signature }: Finding) => bugName(signature, plan)
    const known = findings.map((one) => this.#bugs.get(nameOf(one))).find((bug) => bug !== undefined)
    if (known !== undefined) {
      known.plans++
      return
    }
    const pending = this.#pending.get(nameOf(finding))
    if (pending !== undefined) {
      this.#pending.set(nameOf(finding), pending + 1)
      return
    }
    this.#pending.set(nameOf(finding), 1)
    this.#options.log(`plan ${plan.id}: ${finding.text}`)
    await this.#confirm(plan, trace, findings)
    this.#report('run')
  }

  /** Shrinks the plan to the fewest faults, and repeats it. */
  async #confirm(plan: FaultPlan, trace: RunTrace, findings: readonly Finding[]): Promise<void> {
    const { signature } = findings[0]!
    let smallest = { plan, trace, findings }
    if (plan.faults.length > 1)
      for (const fault of plan.faults) {
        const smaller = { id: plan.id, faults: [fault] }
        const shown = await this.#runOne(smaller, 'repeated')
        const found = this.#judge.judge(shown, smaller)
        if (!found.some((one) => one.signature === signature)) continue
        smallest = { plan: smaller, trace: shown, findings: found }
        break
      }
    let shown = 0
    let of = 0
    const isLong = plan.faults.some((fault) => 'until' in fault && fault.until === 'long')
    for (; of < (isLong ? 0 : repetitions) && !this.#options.signal.aborted; of++) {
      this.#report('confirm')
      const again = await this.#runOne(smallest.plan, 'repeated')
      if (this.#judge.judge(again, smallest.plan).some((one) => one.signature === signature)) shown++
    }
    const main = smallest.findings.find((one) => one.signature === signature) ?? smallest.findings[0]!
    const also = smallest.findings.filter((one) => one !== main)
    const name = bugName(signature, plan)
    const plans = this.#pending.get(name) ?? 1
    this.#pending.delete(name)
    // Once and never again: a busy machine, or a race that needs no fault. It is shown only where it repeats.
    if (!isLong && shown === 0 && of > 0) return
    const bug: Bug = { finding: main, also, plan: smallest.plan, trace: smallest.trace, plans, repeats: { shown, of } }
    for (const one of [main, ...also]) {
      const key = bugName(one.signature, plan)
      if (!this.#bugs.has(key)) this.#bugs.set(key, bug)
    }
  }
}

const bugName = (signature: string, plan: FaultPlan) => `${signature}, ${classOf(plan)}`

function requireWorking({ problems }: RunTrace): void {
  const fatal = problems.find(({ type }) => type === 'step' || type === 'exit')
  if (fatal !== undefined) throw new Error(`The scenario fails without faults: ${fatal.text}`)
}

/** The longest pause between two activities of the program in one step, and some more. */
function quietOf({ requests, changes }: RunTrace, learnMs: number): number {
  const moments = [...requests, ...changes].map(({ step, atMs }) => ({ step, atMs })).sort((a, b) => a.atMs - b.atMs)
  let longest = 0
  for (const [i, { step, atMs }] of moments.entries()) {
    const before = moments[i - 1]
    if (before?.step === step) longest = Math.max(longest, atMs - before.atMs)
  }
  return Math.round(Math.min(learnMs, Math.max(minQuietMs, longest * 1.3 + 40)))
}

function undisturbedProblems(undisturbed: readonly RunTrace[]): string[] {
  const found = new Set<string>()
  for (const { problems, end } of undisturbed) {
    for (const { type, text } of problems) found.add(type === 'expectation' ? `the expectation does not hold: ${text}` : text)
    for (const [key, json] of end) if (json.includes('"deletionTimestamp"')) found.add(`${key} is being deleted and never goes`)
  }
  return [...found]
}
