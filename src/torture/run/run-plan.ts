// Runs one plan in a fork of the prepared cluster.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock, sleep } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import { ClientFaults } from '../../cluster/faults/client-faults.ts'
import type { ForkableCluster, ForkUser } from '../../cluster/forked-cluster.ts'
import type { StoreContent } from '../../store/revision-store.ts'
import type { Store } from '../../store/store.ts'
import type { FaultPlan } from '../plan/fault-plan.ts'
import { describeStep, type Scenario } from '../scenario.ts'
import { isMark, type RunEvent, type RunProblem, type RunTrace } from '../trace.ts'
import { applyStep } from './apply-step.ts'
import { Expectations } from './expectations.ts'
import { isBackground, Observer } from './observer.ts'
import { PlannedFaults } from './planned-faults.ts'
import { Program } from './program.ts'
import { Settling } from './settle.ts'
import type { Slots } from './slots.ts'

export interface Pace {
  /** How long nothing may happen before the program counts as quiet. */
  readonly quietMs: number
  /** Whether the timers of the program say when it goes on: then quiet need not be waited for. */
  readonly trustsTimers: boolean
  /** The watches that the program has when it has started. 0: unknown. */
  readonly watches: number
  /** How long a program may take until it is quiet. */
  readonly limitMs: number
  /** How long a run is prolonged when its end is not the expected one: requests are repeated with increasing delays. */
  readonly patienceMs: number
  /** How long `long` holds last. */
  readonly longMs: number
}

export interface RunOptions {
  readonly scenario: Scenario
  readonly plan: FaultPlan
  readonly clusters: ForkableCluster
  readonly content: StoreContent
  readonly pace: Pace
  readonly slots: Slots
  /** Whether an undisturbed run may have these objects after this step, or what differs is known. Undefined: the run is not judged. */
  isExpected?(end: ReadonlyMap<string, string>, step: number): boolean
  readonly signal?: AbortSignal
}

const maxExits = 5
const restartMs = 20
const patienceStepMs = 500
const minPatienceStepMs = 20

const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, n) => sum + n, 0)

export async function runPlan(options: RunOptions): Promise<RunTrace> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-torture-'))
  await options.slots.acquire()
  try {
    return await new PlanRun(options, folder).run()
  } finally {
    options.slots.release()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

class PlanRun {
  readonly #options: RunOptions
  readonly #folder: string
  readonly #programs = new Map<ForkUser, Program>()
  readonly #problems: RunProblem[] = []
  readonly #events: RunEvent[] = []
  #observer!: Observer
  #env: (user: ForkUser) => Record<string, string | undefined> = () => ({})
  #restarts: 'at-once' | 'next-step' | undefined
  #exits = 0
  /** What differed after a step did not vanish with time. */
  #hasDiffered = false
  #isOver = false
  /** The program whose end is no problem: another one has taken over. */
  #replaced: ForkUser | undefined
  #residentBytes = 0
  #output = ''

  constructor(options: RunOptions, folder: string) {
    this.#options = options
    this.#folder = folder
  }

  async run(): Promise<RunTrace> {
    const { scenario, plan, clusters, content, pace } = this.#options
    const startedMs = realClock.now()
    let planned!: PlannedFaults
    const fork = await clusters.fork(content, startedMs, {
      findFault: ({ store }) => {
        const faults = new ClientFaults({ clock: realClock, revision: () => store.revision })
        planned = new PlannedFaults({
          plan,
          faults,
          kill: (restart) => this.#crash(restart),
          takeOver: () => this.#takeOver(),
          terminatingRevision: (key) => this.#observer.changes.findLast((change) => change.key === key && isMark(change))?.revision,
          revision: () => store.revision,
          isElection: (call) => this.#observer.isElection(call),
          note: (text) => this.#note(text),
        })
        this.#observer = new Observer({ store, judge: (call) => planned.judge(call) })
        return this.#observer.findFault
      },
    })
    const observer = this.#observer
    const start = new Map(content.records.filter(({ key, value }) => !isBackground(key, value)).map(({ key, value }) => [key, value]))
    const readEnd = () =>
      new Map(
        fork.store
          .list('')
          .records.filter(({ key, value }) => !isBackground(key, value))
          .map(({ key, value }) => [key, value]),
      )
    let busy = 0
    const settling = new Settling({
      observer,
      clock: fork.clock,
      port: fork.port,
      trustsTimers: pace.trustsTimers,
      programs: () => [...this.#programs.values()],
      isBusy: () => busy > 0,
    })
    this.#env = (user) => {
      const path = join(this.#folder, user)
      writeFileSync(path, fork.kubeconfig(user), { mode: 0o600 })
      return { ...process.env, KUBECONFIG: path }
    }
    const stopExpecting = this.#watchExpectations(new Expectations(fork.store, fork.kinds, scenario.always, scenario.finally), fork.store)
    try {
      await fork.clock.stepBy(1000)
      planned.beginStep(0)
      this.#startProgram('program')
      await this.#started(0)
      await this.#quiet(settling, planned, 'the start')
      const watchesAtStart = sumOf(observer.watched)
      const stepEnds: RunTrace['stepEnds'][number][] = []
      const endStep = async (number: number) => {
        const isDisturbed = planned.isHolding || this.#restarts !== undefined
        if (!isDisturbed) await this.#bePatient(settling, readEnd, number)
        stepEnds.push(isDisturbed ? undefined : readEnd())
      }
      await endStep(0)
      for (const [index, step] of scenario.steps.entries()) {
        if (this.#options.signal?.aborted) break
        observer.step = index + 1
        planned.beginStep(index + 1)
        this.#note(`step ${index + 1}: ${describeStep(step)}`)
        busy++
        const applied = applyStep(step, {
          client: fork.client,
          kinds: fork.kinds,
          env: this.#env('scenario'),
          directory: scenario.directory,
        })
          .catch((error: unknown) => this.#addProblem('step', `step ${index + 1}, ${describeStep(step)}: ${messageOf(error)}`))
          .finally(() => busy--)
        // A command may wait for the cluster, whose time has to go on.
        if (step.type === 'shell') await this.#stepUntil(applied, fork.clock)
        else await applied
        if (this.#restarts === 'next-step') {
          await settling.settle(pace.quietMs, pace.limitMs)
          await this.#restart()
        }
        await this.#quiet(settling, planned, `step ${index + 1}`)
        if (index + 1 < scenario.steps.length) await endStep(index + 1)
      }
      const hasRestarted = await this.#restart()
      if (planned.endHolds(true) || hasRestarted) await this.#quiet(settling, planned, 'the end')
      await this.#bePatient(settling, readEnd, scenario.steps.length)
      for (const source of stopExpecting()) this.#addProblem('expectation', source)
      return {
        requests: observer.requests,
        changes: observer.changes,
        watchesAtStart,
        watched: observer.watched,
        reads: observer.reads,
        events: this.#events,
        start,
        stepEnds,
        end: readEnd(),
        problems: this.#problems,
        unforeseenWakeups: settling.unforeseenWakeups,
        hasOccurred: planned.hasOccurred,
        durationMs: realClock.now() - startedMs,
        residentBytes: this.#residentBytes,
        output: [...this.#programs.values()].at(-1)?.output ?? this.#output,
      }
    } finally {
      this.#isOver = true
      for (const program of this.#programs.values()) program.kill()
      await fork.stop()
    }
  }

  /** Waits until the program is quiet, and ends the holds that wait for it. */
  async #quiet(settling: Settling, planned: PlannedFaults, where: string): Promise<void> {
    const { pace, signal, slots } = this.#options
    for (let round = 0; round < 20; round++) {
      if (!(await settling.settle(pace.quietMs, pace.limitMs))) {
        this.#addProblem('restless', `the program was not quiet within ${pace.limitMs / 1000} s after ${where}`)
        planned.endHolds(false)
        return
      }
      for (const program of this.#programs.values()) this.#residentBytes = Math.max(this.#residentBytes, program.residentBytes())
      if (this.#restarts === 'at-once') {
        await this.#restart()
        continue
      }
      if (this.#replaced === 'program') {
        this.#programs.get('program')?.resume()
        this.#note('the first instance continues')
        this.#replaced = undefined
        await sleep(realClock, pace.quietMs)
        continue
      }
      if (planned.takeLongWait()) {
        const endMs = realClock.now() + pace.longMs
        await slots.without(async () => {
          while (realClock.now() < endMs && !signal?.aborted) await sleep(realClock, 200)
        })
      }
      if (!planned.endHolds(false)) return
    }
  }

  /** Repeats of failed requests come with increasing delays: a difference counts only when it stays. */
  async #bePatient(settling: Settling, readEnd: () => ReadonlyMap<string, string>, step: number): Promise<void> {
    const { pace, isExpected, signal, slots } = this.#options
    if (isExpected === undefined || this.#hasDiffered) return
    const endMs = realClock.now() + pace.patienceMs
    for (let nowMs = realClock.now(); nowMs < endMs && !signal?.aborted && !isExpected(readEnd(), step); nowMs = realClock.now()) {
      const { dueMs = 0 } = settling
      if (pace.trustsTimers && dueMs > endMs - nowMs) break
      const waitMs = pace.trustsTimers ? Math.min(patienceStepMs, Math.max(minPatienceStepMs, dueMs)) : patienceStepMs
      await slots.without(() => sleep(realClock, waitMs))
      await settling.settle(pace.quietMs, pace.limitMs)
    }
    this.#hasDiffered = !isExpected(readEnd(), step)
  }

  async #stepUntil(done: Promise<unknown>, clock: { stepBy(ms: number): Promise<unknown> }): Promise<void> {
    let isDone = false
    void done.then(() => {
      isDone = true
    })
    while (!isDone) {
      await sleep(realClock, 30)
      if (!isDone) await clock.stepBy(1000)
    }
  }

  #watchExpectations(expectations: Expectations, store: Pick<Store, 'watch' | 'revision'>) {
    const seen = new Set<string>()
    const close = store.watch('', store.revision, (events) => {
      for (const source of new Set(events.flatMap(({ record }) => expectations.broken('always', record.key))))
        if (!seen.has(source)) {
          seen.add(source)
          this.#addProblem('expectation', source)
        }
    })
    return () => {
      close()
      return expectations.broken('finally')
    }
  }

  #startProgram(user: ForkUser): void {
    const { scenario } = this.#options
    this.#programs.set(
      user,
      new Program({
        command: scenario.run,
        env: this.#env(user),
        directory: scenario.directory,
        onExit: ({ code, signal, output }) => {
          if (this.#isOver || this.#replaced !== undefined || this.#programs.size > 1) return
          this.#output = output
          this.#addProblem('exit', `the program ended by itself with ${signal ?? `exit code ${code}`}:\n${output}`)
          this.#programs.delete(user)
          if (++this.#exits < maxExits) this.#restarts = 'at-once'
        },
      }),
    )
  }

  /** Resolves when the program has opened its watches. */
  async #started(before: number): Promise<void> {
    const { watches, limitMs } = this.#options.pace
    const count = () => sumOf(this.#observer.watched) - before
    const endMs = realClock.now() + limitMs
    const isEnough = () => (watches > 0 ? count() >= watches : count() > 0 || this.#observer.reads.size > 0)
    while (!isEnough() && realClock.now() < endMs && this.#programs.size > 0) await sleep(realClock, 5)
  }

  #crash(restart: 'at-once' | 'next-step'): void {
    const program = this.#programs.get('program')
    program?.kill()
    this.#output = program?.output ?? ''
    this.#programs.delete('program')
    this.#restarts = restart
    this.#note('the program is killed')
  }

  /** Resolves to whether the program had to be started. */
  async #restart(): Promise<boolean> {
    if (this.#restarts === undefined) return false
    this.#restarts = undefined
    await sleep(realClock, restartMs)
    const before = sumOf(this.#observer.watched)
    this.#note('the program starts again')
    this.#startProgram('program')
    await this.#started(before)
    return true
  }

  #takeOver(): void {
    this.#programs.get('program')?.suspend()
    this.#replaced = 'program'
    this.#startProgram('program-2')
  }

  #note(text: string): void {
    this.#events.push({ atMs: this.#observer.elapsedMs, revision: this.#observer.revision, text })
  }

  #addProblem(type: RunProblem['type'], text: string): void {
    this.#problems.push({ type, text, atMs: this.#observer.elapsedMs })
    this.#note(text.split('\n', 1)[0]!)
  }
}
