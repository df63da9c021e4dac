// The interpreter of scripts. It has its own clock: a command that takes five seconds advances it by five seconds, and the script
// continues when it is run up to that time.
import { type WorkBudget, WorkLimitError } from '../work-budget.ts'
import { type Builtin, builtins, signalNumbers } from './builtins.ts'
import { programs } from './commands.ts'
import { type Expander, expandPattern, expandText, expandWords } from './expansion.ts'
import type { Files } from './files.ts'
import type { Frame, Job, Machine, Sinks } from './machine.ts'
import { type Program, ProgramFailure, type ProgramResult } from './program-context.ts'
import { maxCallDepth, ShellControl } from './shell-control.ts'
import { type Node, type Redirect, ShellSyntaxError, type Simple, type Word } from './syntax.ts'

/** The speed of a loop without `sleep`, in its own clock. */
const stepsPerSecond = 2000
/** The pause of a script that has exhausted its work budget. */
const throttleMs = 1000
const maxNesting = 16
const maxFrames = 20_000
const maxPendingSignals = 16
const maxNestedMs = 86_400_000
/** The maximum number of concurrent background jobs, of a script and of one of its jobs. */
const maxJobs: readonly number[] = [100, 4]
const killedExitCode = 137

export class Interpreter extends ShellControl implements Expander {
  jobs: Job[]
  jobCount: number
  waitsFor: number | undefined
  runsUnknown = false
  /** Signals for the shell that started this one as a job. */
  readonly #raised: string[] = []
  readonly #depth: number
  /** Runs to completion within one command of another shell, without interruption. */
  readonly #isNested: boolean
  #pending: Machine['pending']
  #throttledUntilMs = Number.NEGATIVE_INFINITY
  /** How many substitutions have run. */
  #captures = 0

  constructor(machine: Machine, files: Files, work: WorkBudget, depth = 0, isNested = false) {
    super(machine, files, work)
    this.jobs = [...machine.jobs]
    this.jobCount = machine.jobCount
    this.waitsFor = machine.waitsFor
    this.#pending = machine.pending
    this.#depth = depth
    this.#isNested = isNested
  }

  snapshot(): Machine {
    return {
      setup: this.setup,
      ...(this.exit !== undefined && { exit: this.exit }),
      ...this.#nextMs(),
      ...(this.control !== undefined && { control: this.control }),
      frames: this.frames,
      status: this.status,
      variables: this.variables,
      functions: this.functions,
      traps: this.traps,
      positional: this.positional,
      name: this.name,
      directory: this.directory,
      options: this.options,
      sinks: this.sinks,
      jobs: this.jobs,
      jobCount: this.jobCount,
      ...(this.waitsFor !== undefined && { waitsFor: this.waitsFor }),
      pending: this.#pending,
      randomState: this.randomState,
      ...(this.runsUnknown && { runsUnknown: true }),
    }
  }

  #nextMs(): { nextMs?: number } {
    if (this.exit !== undefined) return { nextMs: this.exit.atMs }
    const next = Math.max(this.#throttledUntilMs, Math.min(this.#ownMs, this.#firstJobMs()))
    return Number.isFinite(next) ? { nextMs: next } : {}
  }

  get #ownMs(): number {
    return this.waitsFor === undefined ? this.timeMs : Number.POSITIVE_INFINITY
  }

  #firstJobMs(): number {
    let first = Number.POSITIVE_INFINITY
    for (const { machine } of this.jobs) if (machine.exit === undefined) first = Math.min(first, machine.nextMs ?? Number.POSITIVE_INFINITY)
    return first
  }

  /** Runs up to and including that time, or until the work budget is exhausted: then the rest of the time is skipped. */
  runUntil(limitMs: number): void {
    let atMs = this.timeMs
    let idle = 0
    for (let steps = 1; this.exit === undefined; steps++) {
      const jobMs = this.#firstJobMs()
      const ownMs = this.#ownMs
      if (Math.min(jobMs, ownMs) > limitMs) return
      if (!this.#isNested) {
        if (this.work.isSpent) {
          this.#throttledUntilMs = limitMs + throttleMs
          return
        }
        this.work.beginStep()
      }
      this.work.spend(1 + this.jobs.length / 50)
      if (steps % 1000 === 0) this.#checkFrames()
      if (jobMs < ownMs) this.#runJob(jobMs)
      else this.#step()
      if (this.timeMs !== atMs) {
        atMs = this.timeMs
        idle = 0
      } else if (++idle >= stepsPerSecond) this.timeMs += 1000
    }
  }

  /** The stack of a script that evaluates itself grows without bound. */
  #checkFrames(): void {
    let count = 0
    for (let frame = this.frames; frame !== undefined; frame = frame.next) count++
    this.work.spend(count / 100)
    if (count <= maxFrames) return
    if (this.#isNested) throw new WorkLimitError()
    this.#kill(`${this.name}: killed: too many nested commands`)
  }

  /** Ends the script at once, without its EXIT trap. */
  #kill(message: string): void {
    this.work.beginStep()
    this.printError(`${message}\n`)
    this.control = undefined
    this.frames = undefined
    this.exit = { code: killedExitCode, atMs: this.timeMs }
  }

  #runJob(atMs: number): void {
    const index = this.jobs.findIndex(({ machine }) => machine.exit === undefined && machine.nextMs === atMs)
    const { number, machine } = this.jobs[index]!
    const run = new Interpreter(machine, this.files, this.work, this.#depth + 1, this.#isNested)
    run.runUntil(atMs)
    this.files = run.files
    this.output.push(...run.output)
    this.jobs[index] = { number, machine: run.snapshot() }
    if (run.exit !== undefined) this.#finishWait(atMs)
    for (const signal of run.#raised) this.#receive(signal, atMs)
  }

  #finishWait(atMs: number): void {
    if (this.waitsFor === undefined) return
    const ended = this.jobs.filter(({ machine }) => machine.exit !== undefined)
    const awaited = this.jobs.find(({ number }) => number === this.waitsFor)
    if (this.waitsFor === 0 ? ended.length < this.jobs.length : awaited !== undefined && awaited.machine.exit === undefined) return
    this.status = this.waitsFor === 0 ? 0 : (awaited?.machine.exit?.code ?? 127)
    this.jobs = this.waitsFor === 0 ? [] : this.jobs.filter((job) => job !== awaited)
    this.waitsFor = undefined
    this.timeMs = Math.max(atMs, Number.isFinite(this.timeMs) ? this.timeMs : atMs)
  }

  /** Waits for one background job, or for all of them (0). */
  wait(number: number): void {
    this.waitsFor = number
    this.#finishWait(this.timeMs)
  }

  /** Sends a signal to the script, from itself or from one of its jobs. Undefined: the signal ended it. */
  raise(signal: string): 0 | undefined {
    if (this.#depth > 0) this.#raised.push(signal)
    else this.#receive(signal, this.timeMs)
    return this.exit === undefined ? 0 : undefined
  }

  #receive(signal: string, atMs: number): void {
    if (this.exit !== undefined) return
    if (signal === 'KILL' || !this.traps.has(signal)) {
      if (this.setup.isFirst) return
      this.exit = { code: 128 + (signalNumbers.get(signal) || 15), atMs }
      return
    }
    if (this.#pending.length >= maxPendingSignals) return
    this.#pending = [...this.#pending, { signal, atMs }]
    // `wait` returns at once; any other command finishes first.
    if (this.waitsFor === undefined) return
    this.waitsFor = undefined
    this.status = 128 + (signalNumbers.get(signal) || 15)
    this.timeMs = atMs
  }

  #step(): void {
    this.runsUnknown = false
    const signal = this.#pending.find(({ atMs }) => atMs <= this.timeMs)
    if (signal !== undefined && this.callDepth < maxCallDepth) {
      this.#pending = this.#pending.filter((one) => one !== signal)
      const action = this.traps.get(signal.signal)
      if (action) {
        // The interrupted command follows after the trap.
        if (this.control !== undefined) this.frames = { type: 'list', items: [this.control], at: 0, next: this.frames }
        this.frames = { type: 'trap', status: this.status, next: this.frames }
        this.callDepth++
        this.enter(action)
        return
      }
    }
    const node = this.control
    this.control = undefined
    try {
      if (node !== undefined) this.evaluate(node)
      else if (this.frames !== undefined) this.leave(this.frames)
      else this.finish(this.status)
    } catch (error) {
      if (error instanceof WorkLimitError && !this.#isNested) this.#kill(`${this.name}: killed: ${error.message}`)
      else if (error instanceof ShellSyntaxError) {
        this.printError(`${this.name}: ${error.message}\n`)
        this.leaveShell(2)
      } else throw error
    }
  }

  protected startJob(body: Node): void {
    const running = this.jobs.filter(({ machine }) => machine.exit === undefined)
    const limit = maxJobs[this.#depth] ?? 0
    if (running.length >= limit) throw new ShellSyntaxError("can't fork: Resource temporarily unavailable")
    // Exit codes are kept only for the newest jobs that have ended.
    const kept = this.jobs.length - limit
    if (kept >= limit) this.jobs = this.jobs.filter(({ machine }, index) => machine.exit === undefined || index >= kept)
    this.work.spend(5 + this.variables.size / 10)
    const number = ++this.jobCount
    const machine = { ...this.#fork(body), sinks: this.sinks }
    this.jobs.push({ number, machine })
    this.set('!', String(100 + number))
    this.status = 0
  }

  /** A copy of this shell that runs only `body`. */
  #fork(body: Node): Machine {
    const { waitsFor: _, exit: __, ...rest } = this.snapshot()
    return {
      ...rest,
      nextMs: this.timeMs,
      control: body,
      frames: undefined,
      variables: new Map(this.variables),
      functions: new Map(this.functions),
      traps: new Map(),
      jobs: [],
      pending: [],
    }
  }

  /** Runs `body` to completion in a subshell. Its time is added to this shell's. */
  nest(body: Node, input: string, timeoutMs = maxNestedMs): { readonly text: string; readonly code: number } {
    if (this.#depth >= maxNesting) throw new ShellSyntaxError('too many nested commands')
    this.work.spend(5 + this.variables.size / 10)
    const sinks: Sinks = { out: { type: 'capture' }, error: this.sinks.error, input }
    const run = new Interpreter({ ...this.#fork(body), sinks }, this.files, this.work, this.#depth + 1, true)
    run.runUntil(this.timeMs + timeoutMs)
    this.files = run.files
    this.output.push(...run.output)
    this.randomState = run.randomState
    const { exit } = run
    if (exit === undefined || exit.atMs > this.timeMs + timeoutMs) {
      this.timeMs += timeoutMs < maxNestedMs ? timeoutMs : Number.POSITIVE_INFINITY
      return { text: run.captured, code: 143 }
    }
    this.timeMs = exit.atMs
    return { text: run.captured, code: exit.code }
  }

  protected runPipe(stages: readonly Node[]): void {
    let input = this.sinks.input
    for (const stage of stages.slice(0, -1)) input = this.nest(stage, input).text
    this.frames = { type: 'sinks', sinks: this.sinks, next: this.frames }
    this.sinks = { ...this.sinks, input }
    this.control = stages.at(-1)
  }

  protected runSimple(node: Simple): void {
    const capturesBefore = this.#captures
    const words = isDoubleTest(node.words) ? this.#testWords(node.words) : expandWords(node.words, this)
    if (words.length === 0) {
      for (const { name, value } of node.assignments) this.set(name, expandText(value, this))
      // Without a command, the code is that of the last substitution.
      if (this.#captures === capturesBefore) this.status = 0
      const { sinks } = this
      if (this.#redirectOrComplain(node.redirects)) this.sinks = sinks
      return
    }
    const own = new Map(node.assignments.map(({ name, value }) => [name, expandText(value, this)]))
    const { sinks } = this
    if (this.#redirectOrComplain(node.redirects)) this.runWords(words, sinks, own)
  }

  /** A command whose redirections cannot be opened fails, and the script continues. */
  #redirectOrComplain(redirects: readonly Redirect[]): boolean {
    const { sinks } = this
    try {
      this.redirect(redirects)
      return true
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error
      this.sinks = sinks
      this.printError(`${this.name}: ${error.message}\n`)
      this.status = 1
      this.stopIfFailed()
      return false
    }
  }

  /** Runs a command after its words were expanded. `sinks`: the redirections to restore afterwards. */
  runWords(words: readonly string[], sinks: Sinks, own: ReadonlyMap<string, string> = new Map()): void {
    const [name = '', ...rest] = words
    const body = this.functions.get(name)?.body
    const restoring: Frame | undefined = sinks === this.sinks ? this.frames : { type: 'sinks', sinks, next: this.frames }
    if (body !== undefined) {
      this.deepen(name)
      for (const [variable, value] of own) this.set(variable, value)
      this.frames = { type: 'call', positional: this.positional, next: restoring }
      this.positional = rest
      this.control = body
      return
    }
    const builtin: Builtin | undefined = builtins.get(name)
    if (builtin !== undefined) {
      this.frames = restoring
      const status = builtin(this, rest)
      if (status === undefined) return
      this.status = status
      if (this.exit === undefined) this.stopIfFailed()
      return
    }
    this.#runProgram(name, rest, own)
    this.sinks = { ...sinks, ...(sinks.input !== this.sinks.input && this.sinks.out === sinks.out && { input: this.sinks.input }) }
    this.stopIfFailed()
  }

  #runProgram(path: string, words: readonly string[], own: ReadonlyMap<string, string>): void {
    const name = path.replace(/^(?:\/usr)?(?:\/local)?\/s?bin\//, '')
    const program = programs.get(name)
    if (program === undefined) {
      const { onUnknown } = this.setup
      if (onUnknown === 'fail') {
        this.printError(`${this.name}: ${path}: not found\n`)
        this.status = 127
      } else {
        this.status = 0
        this.runsUnknown = true
        this.timeMs += onUnknown === 'serve' ? Number.POSITIVE_INFINITY : onUnknown
      }
      return
    }
    const { code, tookMs = 0 } = this.#callProgram(name, program, words, own)
    this.status = code
    this.timeMs += tookMs
  }

  #callProgram(name: string, program: Program, words: readonly string[], own: ReadonlyMap<string, string>): ProgramResult {
    try {
      return program(words, this.context(own))
    } catch (error) {
      if (!(error instanceof ShellSyntaxError || error instanceof ProgramFailure)) throw error
      this.printError(`${name}: ${error.message}\n`)
      return { code: error instanceof ProgramFailure ? error.code : 1 }
    }
  }

  #testWords(words: readonly Word[]): string[] {
    return words.map((word, index) => {
      const operator = words[index - 1]?.parts[0]
      const isPattern = operator?.type === 'text' && ['=', '==', '!='].includes(operator.text)
      return isPattern ? expandPattern(word, this) : expandText(word, this)
    })
  }

  capture(script: Node): string {
    const { text, code } = this.nest(script, this.sinks.input)
    this.status = code
    this.#captures++
    return withoutLastBreaks(text)
  }
}

function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}

function isDoubleTest(words: readonly Word[]): boolean {
  const part = words[0]?.parts[0]
  return words[0]?.parts.length === 1 && part?.type === 'text' && part.text === '[['
}
