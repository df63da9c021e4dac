// A machine at work. Time is its own: a command that takes five seconds moves it five seconds on, and the machine
// rests until somebody runs it that far.
import { seededRandom } from '../../base/random.ts'
import { type Builtin, builtins } from './builtins.ts'
import { type Outcome, type Program, programs, type Surface } from './commands.ts'
import { type Expander, expandPattern, expandText, expandWords } from './expand.ts'
import { absolutePath, type Files, isDirectory, keyOfPath, type Mount, namesIn, readFile, removeFile, writeFile } from './files.ts'
import type { Frame, Job, Machine, Sink, Sinks, World } from './machine.ts'
import { parseScript } from './parse.ts'
import { isMatch } from './pattern.ts'
import type { Output } from './process.ts'
import { type Node, type Redirect, ShellSyntaxError, type Simple, type Word } from './syntax.ts'

/** A loop that never rests gets through so many steps a second. */
const stepsInASecond = 2000
const mostSteps = 100_000
const mostNestedSteps = 20_000
const deepestNesting = 16
const deepestCalls = 200
const longestNestedMs = 86_400_000
const mostCaptured = 64 * 1024

const signalNumbers: Readonly<Record<string, number>> = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, USR1: 10, USR2: 12, TERM: 15 }

export class ShellRun implements Expander {
  readonly world: World
  readonly output: Output[] = []
  files: Files
  timeMs: number
  exit: { readonly code: number; readonly atMs: number } | undefined
  control: Node | undefined
  frames: Frame | undefined
  status: number
  variables: Map<string, string>
  functions: Map<string, Node>
  traps: Map<string, string>
  positional: readonly string[]
  name: string
  directory: string
  options: Set<string>
  sinks: Sinks
  jobs: Job[]
  jobCount: number
  waitsFor: number | undefined
  captured = ''
  runsUnknown = false
  /** Signals for the shell that this one runs beside. */
  readonly #raised: string[] = []
  readonly #depth: number
  #pending: Machine['pending']
  #randomState: number
  #callDepth = 0

  constructor(machine: Machine, files: Files, depth = 0) {
    this.world = machine.world
    this.files = files
    this.timeMs = machine.nextMs ?? Number.POSITIVE_INFINITY
    this.exit = machine.exit
    this.control = machine.control
    this.frames = machine.frames
    this.status = machine.status
    this.variables = new Map(machine.variables)
    this.functions = new Map(machine.functions)
    this.traps = new Map(machine.traps)
    this.positional = machine.positional
    this.name = machine.name
    this.directory = machine.directory
    this.options = new Set(machine.options)
    this.sinks = machine.sinks
    this.jobs = [...machine.jobs]
    this.jobCount = machine.jobCount
    this.waitsFor = machine.waitsFor
    this.#pending = machine.pending
    this.#randomState = machine.randomState
    this.#depth = depth
    for (let frame = machine.frames; frame !== undefined; frame = frame.next) if (frame.type === 'call') this.#callDepth++
  }

  snapshot(): Machine {
    return {
      world: this.world,
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
      randomState: this.#randomState,
      ...(this.runsUnknown && { runsUnknown: true }),
    }
  }

  #nextMs(): { nextMs?: number } {
    if (this.exit !== undefined) return { nextMs: this.exit.atMs }
    const next = Math.min(this.#ownMs, this.#firstJobMs())
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

  /** Runs up to and including that moment. */
  go(limitMs: number, budget = mostSteps): void {
    let atMs = this.timeMs
    let idle = 0
    for (let steps = 0; this.exit === undefined; steps++) {
      const jobMs = this.#firstJobMs()
      const ownMs = this.#ownMs
      if (Math.min(jobMs, ownMs) > limitMs) return
      // Far behind, or a loop without end: whatever it would have done in between is lost.
      if (steps >= budget) {
        this.timeMs = Math.max(this.timeMs, limitMs + 1000)
        return
      }
      if (jobMs < ownMs) this.#runJob(jobMs)
      else this.#step()
      if (this.timeMs !== atMs) {
        atMs = this.timeMs
        idle = 0
      } else if (++idle >= stepsInASecond) this.timeMs += 1000
    }
  }

  #runJob(atMs: number): void {
    const index = this.jobs.findIndex(({ machine }) => machine.exit === undefined && machine.nextMs === atMs)
    const { number, machine } = this.jobs[index]!
    const run = new ShellRun(machine, this.files, this.#depth + 1)
    run.go(atMs)
    this.files = run.files
    this.output.push(...run.output)
    this.jobs[index] = { number, machine: run.snapshot() }
    if (run.exit !== undefined) this.#finishWait(atMs)
    for (const signal of run.#raised) this.#hear(signal, atMs)
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

  /** A signal to the script itself, from here or from what runs beside it. Undefined: it has ended by it. */
  raise(signal: string): 0 | undefined {
    if (this.#depth > 0) this.#raised.push(signal)
    else this.#hear(signal, this.timeMs)
    return this.exit === undefined ? 0 : undefined
  }

  #hear(signal: string, atMs: number): void {
    if (this.exit !== undefined) return
    if (signal === 'KILL' || !this.traps.has(signal)) {
      if (this.world.isFirst) return
      this.exit = { code: 128 + (signalNumbers[signal] ?? 15), atMs }
      return
    }
    this.#pending = [...this.#pending, { signal, atMs }]
    // `wait` hears of it at once, any other command is finished first.
    if (this.waitsFor === undefined) return
    this.waitsFor = undefined
    this.status = 128 + (signalNumbers[signal] ?? 15)
    this.timeMs = atMs
  }

  #step(): void {
    this.runsUnknown = false
    const signal = this.#pending.find(({ atMs }) => atMs <= this.timeMs)
    if (signal !== undefined) {
      this.#pending = this.#pending.filter((one) => one !== signal)
      const action = this.traps.get(signal.signal)
      if (action) {
        // What was about to be done comes after the trap.
        if (this.control !== undefined) this.frames = { type: 'list', items: [this.control], at: 0, next: this.frames }
        this.frames = { type: 'trap', status: this.status, next: this.frames }
        this.#enter(action)
        return
      }
    }
    const node = this.control
    this.control = undefined
    try {
      if (node !== undefined) this.#evaluate(node)
      else if (this.frames !== undefined) this.#leave(this.frames)
      else this.finish(this.status)
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error
      this.complain(`${this.name}: ${error.message}\n`)
      this.leaveShell(2)
    }
  }

  #enter(script: string): void {
    this.control = parseScript(script)
  }

  /** The end of the script, after what is trapped for it. */
  finish(code: number): void {
    const action = this.traps.get('EXIT')
    if (action) {
      this.traps.delete('EXIT')
      this.frames = { type: 'exit', code, next: undefined }
      this.#enter(action)
      return
    }
    this.exit = { code: code & 255, atMs: this.timeMs }
  }

  /** `exit`: ends the innermost subshell, or the script. */
  leaveShell(code: number): void {
    this.control = undefined
    const frame = this.unwind(({ type }) => type === 'subshell')
    this.status = code & 255
    if (frame !== undefined) this.#leave(frame)
    else this.finish(code)
  }

  /** Drops what is still to be done down to that frame, and returns it. */
  unwind(isWanted: (frame: Frame) => boolean): Frame | undefined {
    let frame = this.frames
    for (; frame !== undefined && !isWanted(frame); frame = frame.next) {
      if (frame.type === 'sinks') this.sinks = frame.sinks
      if (frame.type === 'call') {
        this.positional = frame.positional
        this.#callDepth--
      }
    }
    this.frames = frame
    return frame
  }

  #evaluate(node: Node): void {
    const next = this.frames
    switch (node.kind) {
      case 'simple':
        this.#runSimple(node)
        return
      case 'list':
        if (node.items.length > 0) this.frames = { type: 'list', items: node.items, at: 0, next }
        return
      case 'background':
        this.#startJob(node.body)
        return
      case 'and':
      case 'or':
        this.frames = { type: node.kind, right: node.right, next }
        this.control = node.left
        return
      case 'not':
        this.frames = { type: 'not', next }
        this.control = node.body
        return
      case 'pipe':
        this.#runPipe(node.stages)
        return
      case 'if':
        this.frames = { type: 'if', node, at: 0, next }
        this.control = node.branches[0]!.condition
        return
      case 'while':
        this.frames = { type: 'while', node, isInBody: false, status: 0, next }
        this.control = node.condition
        return
      case 'for':
        this.frames = { type: 'for', node, values: node.words ? expandWords(node.words, this) : this.positional, at: 0, next }
        this.status = 0
        return
      case 'case': {
        const text = expandText(node.word, this)
        const item = node.items.find(({ patterns }) => patterns.some((pattern) => isMatch(text, expandPattern(pattern, this))))
        this.status = 0
        this.control = item?.body
        return
      }
      case 'group':
      case 'subshell':
        this.frames = { type: 'sinks', sinks: this.sinks, next }
        this.#redirect(node.redirects)
        if (node.kind === 'subshell') this.enterSubshell()
        this.control = node.body
        return
      case 'function':
        this.functions.set(node.name, node.body)
        this.status = 0
        return
    }
  }

  /** What is changed from here on is forgotten at its end. */
  enterSubshell(): void {
    const variables = new Map(this.variables)
    this.frames = { type: 'subshell', variables, directory: this.directory, traps: new Map(this.traps), next: this.frames }
    this.traps.clear()
  }

  #leave(frame: Frame): void {
    const { next } = frame
    this.frames = next
    switch (frame.type) {
      case 'list':
        if (frame.at >= frame.items.length) return
        this.frames = frame.at + 1 < frame.items.length ? { ...frame, at: frame.at + 1 } : next
        this.control = frame.items[frame.at]
        return
      case 'and':
        if (this.status === 0) this.control = frame.right
        return
      case 'or':
        if (this.status !== 0) this.control = frame.right
        return
      case 'not':
        this.status = this.status === 0 ? 1 : 0
        return
      case 'if': {
        const { branches, otherwise } = frame.node
        if (this.status === 0) this.control = branches[frame.at]!.body
        else if (frame.at + 1 < branches.length) {
          this.frames = { ...frame, at: frame.at + 1 }
          this.control = branches[frame.at + 1]!.condition
        } else {
          this.status = 0
          this.control = otherwise
        }
        return
      }
      case 'while':
        if (frame.isInBody) {
          this.frames = { ...frame, isInBody: false, status: this.status }
          this.control = frame.node.condition
        } else if ((this.status === 0) !== frame.node.isUntil) {
          this.frames = { ...frame, isInBody: true }
          this.control = frame.node.body
        } else this.status = frame.status
        return
      case 'for':
        if (frame.at >= frame.values.length) return
        this.set(frame.node.name, frame.values[frame.at]!)
        this.frames = { ...frame, at: frame.at + 1 }
        this.control = frame.node.body
        return
      case 'call':
        this.positional = frame.positional
        this.#callDepth--
        return
      case 'subshell':
        this.variables = new Map(frame.variables)
        this.directory = frame.directory
        this.traps = new Map(frame.traps)
        this.#stopIfFailed()
        return
      case 'sinks':
        this.sinks = frame.sinks
        return
      case 'trap':
        this.status = frame.status
        return
      case 'exit':
        this.exit = { code: frame.code & 255, atMs: this.timeMs }
    }
  }

  #startJob(body: Node): void {
    const number = ++this.jobCount
    const machine = { ...this.#fork(body), sinks: this.sinks }
    this.jobs.push({ number, machine })
    this.set('!', String(100 + number))
    this.status = 0
  }

  /** The same shell at the start of `body`, with nothing to come back to. */
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

  /** Runs `body` to its end beside this shell; its time counts here. Null output: it never ends. */
  nest(body: Node, input: string, mostMs = longestNestedMs): { readonly text: string; readonly code: number } {
    if (this.#depth >= deepestNesting) throw new ShellSyntaxError('too many nested commands')
    const sinks: Sinks = { out: { type: 'capture' }, error: this.sinks.error, input }
    const run = new ShellRun({ ...this.#fork(body), sinks }, this.files, this.#depth + 1)
    run.go(this.timeMs + mostMs, mostNestedSteps)
    this.files = run.files
    this.output.push(...run.output)
    this.#randomState = run.#randomState
    const { exit } = run
    if (exit === undefined || exit.atMs > this.timeMs + mostMs) {
      this.timeMs += mostMs < longestNestedMs ? mostMs : Number.POSITIVE_INFINITY
      return { text: run.captured, code: 143 }
    }
    this.timeMs = exit.atMs
    return { text: run.captured, code: exit.code }
  }

  #runPipe(stages: readonly Node[]): void {
    let input = this.sinks.input
    for (const stage of stages.slice(0, -1)) input = this.nest(stage, input).text
    this.frames = { type: 'sinks', sinks: this.sinks, next: this.frames }
    this.sinks = { ...this.sinks, input }
    this.control = stages.at(-1)
  }

  #runSimple(node: Simple): void {
    const words = isDoubleTest(node.words) ? this.#testWords(node.words) : expandWords(node.words, this)
    if (words.length === 0) {
      this.status = 0
      for (const { name, value } of node.assignments) this.set(name, expandText(value, this))
      const { sinks } = this
      if (this.#redirectOrComplain(node.redirects)) this.sinks = sinks
      return
    }
    const own = new Map(node.assignments.map(({ name, value }) => [name, expandText(value, this)]))
    const { sinks } = this
    if (this.#redirectOrComplain(node.redirects)) this.runWords(words, sinks, own)
  }

  /** A command whose files cannot be opened fails, and the script goes on. */
  #redirectOrComplain(redirects: readonly Redirect[]): boolean {
    const { sinks } = this
    try {
      this.#redirect(redirects)
      return true
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error
      this.sinks = sinks
      this.complain(`${this.name}: ${error.message}\n`)
      this.status = 1
      this.#stopIfFailed()
      return false
    }
  }

  /** Runs a command whose words are known. `sinks`: where output goes when it is done. */
  runWords(words: readonly string[], sinks: Sinks, own: ReadonlyMap<string, string> = new Map()): void {
    const [name = '', ...rest] = words
    const body = this.functions.get(name)
    const restoring: Frame | undefined = sinks === this.sinks ? this.frames : { type: 'sinks', sinks, next: this.frames }
    if (body !== undefined) {
      if (++this.#callDepth > deepestCalls) throw new ShellSyntaxError(`${name}: too many nested calls`)
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
      if (this.exit === undefined) this.#stopIfFailed()
      return
    }
    this.#runProgram(name, rest, own)
    this.sinks = { ...sinks, ...(sinks.input !== this.sinks.input && this.sinks.out === sinks.out && { input: this.sinks.input }) }
    this.#stopIfFailed()
  }

  #runProgram(path: string, words: readonly string[], own: ReadonlyMap<string, string>): void {
    const name = path.replace(/^(?:\/usr)?(?:\/local)?\/s?bin\//, '')
    const program = programs.get(name)
    if (program === undefined) {
      const { onUnknown } = this.world
      if (onUnknown === 'fail') {
        this.complain(`${this.name}: ${path}: not found\n`)
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

  #callProgram(name: string, program: Program, words: readonly string[], own: ReadonlyMap<string, string>): Outcome {
    try {
      return program(words, this.#surface(own))
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error
      this.complain(`${name}: ${error.message}\n`)
      return { code: 1 }
    }
  }

  /** With `set -e` a failure ends the shell, unless somebody asks how it went. */
  #stopIfFailed(): void {
    if (this.status === 0 || !this.options.has('e') || this.exit !== undefined) return
    for (let frame = this.frames; frame !== undefined; frame = frame.next) {
      const { type } = frame
      if (type === 'and' || type === 'or' || type === 'not' || type === 'if' || (type === 'while' && !frame.isInBody)) return
    }
    this.leaveShell(this.status)
  }

  #testWords(words: readonly Word[]): string[] {
    return words.map((word, index) => {
      const operator = words[index - 1]?.parts[0]
      const isPattern = operator?.type === 'text' && ['=', '==', '!='].includes(operator.text)
      return isPattern ? expandPattern(word, this) : expandText(word, this)
    })
  }

  #redirect(redirects: readonly Redirect[]): void {
    for (const { descriptor, operator, target } of redirects) {
      const text = expandText(target, this)
      if (operator === '<<') this.sinks = { ...this.sinks, input: text }
      else if (operator === '<<<') this.sinks = { ...this.sinks, input: `${text}\n` }
      else if (operator === '<') this.sinks = { ...this.sinks, input: this.#readInput(text) }
      else {
        const sink =
          operator === '>&' ? (text === '1' ? this.sinks.out : text === '2' ? this.sinks.error : noSink) : this.#open(text, operator)
        this.sinks = descriptor === 2 ? { ...this.sinks, error: sink } : descriptor === 1 ? { ...this.sinks, out: sink } : this.sinks
      }
    }
  }

  #readInput(path: string): string {
    if (path === '/dev/null') return ''
    const text = this.read(path)
    if (text === undefined) throw new ShellSyntaxError(`can't open ${path}: no such file`)
    return text
  }

  #open(path: string, operator: '>' | '>>'): Sink {
    if (path === '/dev/null') return noSink
    if (['/dev/stdout', '/dev/stderr', '/dev/console', '/proc/1/fd/1', '/proc/1/fd/2'].includes(path))
      return { type: 'log', ...(path.endsWith('err') && { isError: true }) }
    const key = this.keyOf(path)
    if (this.#isFixed(key)) throw new ShellSyntaxError(`can't create ${path}: Read-only file system`)
    if (operator === '>' || readFile(this.files, key) === undefined) this.files = writeFile(this.files, key, '')
    return { type: 'file', key }
  }

  #isFixed(key: string): boolean {
    const { isReadOnly, own } = this.world
    return isReadOnly === true && key.startsWith(own) && !key.startsWith(`${own}/dev/`)
  }

  keyOf(path: string): string {
    return keyOfPath(absolutePath(path, this.directory), this.world.mounts, this.world.own)
  }

  read(path: string): string | undefined {
    return readFile(this.files, this.keyOf(path))
  }

  print(text: string): void {
    this.#emit(this.sinks.out, text)
  }

  complain(text: string): void {
    this.#emit(this.sinks.error, text)
  }

  #emit(sink: Sink, text: string): void {
    if (text === '') return
    if (sink.type === 'log') {
      const { isError } = sink
      const last = this.output.at(-1)
      if (last !== undefined && last.atMs === this.timeMs && last.isError === isError)
        this.output[this.output.length - 1] = { ...last, text: last.text + text }
      else this.output.push({ atMs: this.timeMs, text, ...(isError && { isError }) })
    } else if (sink.type === 'capture') this.captured = (this.captured + text).slice(-mostCaptured)
    else if (sink.type === 'file') this.files = writeFile(this.files, sink.key, (readFile(this.files, sink.key) ?? '') + text)
  }

  capture(script: Node): string {
    const { text, code } = this.nest(script, this.sinks.input)
    this.status = code
    return text.replace(/\n+$/, '')
  }

  get(name: string): string | undefined {
    if (/^[1-9]\d*$/.test(name)) return this.positional[Number(name) - 1]
    switch (name) {
      case '?':
        return String(this.status)
      case '#':
        return String(this.positional.length)
      case '@':
      case '*':
        return this.positional.join(' ')
      case '$':
        return '1'
      case '0':
        return this.name
      case '-':
        return [...this.options].join('')
      case 'RANDOM': {
        const value = Math.floor(seededRandom(this.#randomState).next() * 32768)
        this.#randomState = (this.#randomState + 0x6d2b79f5) >>> 0
        return String(value)
      }
      case 'SECONDS':
        return String(Math.floor((this.timeMs - this.world.nowMs) / 1000))
      case 'PWD':
        return this.directory
      default:
        return this.variables.get(name)
    }
  }

  set(name: string, value: string): void {
    if (this.variables.size < 1000 || this.variables.has(name)) this.variables.set(name, value.slice(0, mostCaptured))
  }

  #surface(own: ReadonlyMap<string, string>): Surface {
    return {
      nowMs: this.timeMs,
      hostname: this.world.hostname,
      directory: this.directory,
      stdin: this.sinks.input,
      user: this.world.user ?? rootUser,
      environment: own.size === 0 ? this.variables : new Map([...this.variables, ...own]),
      read: (path) => this.read(path),
      write: (path, text) => {
        const key = this.keyOf(path)
        if (this.#isFixed(key)) throw new ShellSyntaxError(`${path}: Read-only file system`)
        this.files = writeFile(this.files, key, text)
      },
      remove: (path) => {
        const before = this.files
        if (!this.#isFixed(this.keyOf(path))) this.files = removeFile(this.files, this.keyOf(path))
        return before !== this.files
      },
      names: (path) => namesIn(this.files, this.keyOf(path)),
      isFile: (path) => this.read(path) !== undefined,
      isDirectory: (path) => this.isDirectory(path),
      size: (path) => this.read(path)?.length ?? 0,
      print: (text) => this.print(text),
      complain: (text) => this.complain(text),
    }
  }

  /** A directory is there when it is mounted, when it holds a file, or when every system has it. */
  isDirectory(path: string): boolean {
    const full = absolutePath(path, this.directory)
    if (['/', '/tmp', '/var', '/etc', '/bin', '/usr', '/root', '/dev', '/proc', '/home'].includes(full)) return true
    const key = this.keyOf(path)
    // A mount of a path below a volume makes that path.
    const isMounted = ({ path, prefix }: Mount) => path === full || prefix === key || prefix.startsWith(`${key}/`)
    return this.world.mounts.some(isMounted) || isDirectory(this.files, key)
  }
}

const rootUser = { id: 0, group: 0 }
const noSink: Sink = { type: 'none' }

function isDoubleTest(words: readonly Word[]): boolean {
  const part = words[0]?.parts[0]
  return words[0]?.parts.length === 1 && part?.type === 'text' && part.text === '[['
}
