// The state of a running shell: variables, files, redirections and the work budget.
import { seededRandom } from '../../base/random.ts'
import type { WorkBudget } from '../work-budget.ts'
import { expandText } from './expansion.ts'
import { type FileStatus, statusOf } from './file-status.ts'
import {
  absolutePath,
  type Files,
  isDirectory,
  isProvidedKey,
  keyOfPath,
  type Mount,
  namesIn,
  readFile,
  removeFile,
  setMode,
  writeFile,
} from './files.ts'
import type { Machine, ScriptSetup, Sink, Sinks } from './machine.ts'
import { isMatch } from './pattern.ts'
import type { Output } from './process.ts'
import type { ProgramContext } from './program-context.ts'
import { type Node, type Redirect, ShellSyntaxError } from './syntax.ts'

const maxTextLength = 64 * 1024
const maxVariables = 1000
const maxVariablesLength = 512 * 1024

export abstract class ShellState {
  readonly setup: ScriptSetup
  readonly work: WorkBudget
  readonly output: Output[] = []
  files: Files
  timeMs: number
  status: number
  variables: Map<string, string>
  positional: readonly string[]
  name: string
  directory: string
  options: Set<string>
  sinks: Sinks
  randomState: number
  #captured = ''

  constructor(machine: Machine, files: Files, work: WorkBudget) {
    this.setup = machine.setup
    this.work = work
    this.files = files
    this.timeMs = machine.nextMs ?? Number.POSITIVE_INFINITY
    this.status = machine.status
    this.variables = new Map(machine.variables)
    this.positional = machine.positional
    this.name = machine.name
    this.directory = machine.directory
    this.options = new Set(machine.options)
    this.sinks = machine.sinks
    this.randomState = machine.randomState
    work.add(2 + machine.variables.size / 10)
  }

  /** The output of the commands, without trailing line breaks. */
  abstract capture(script: Node): string

  get captured(): string {
    return this.#captured.slice(-maxTextLength)
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
        const value = Math.floor(seededRandom(this.randomState).next() * 32768)
        this.randomState = (this.randomState + 0x6d2b79f5) >>> 0
        return String(value)
      }
      case 'SECONDS':
        return String(Math.floor((this.timeMs - this.setup.nowMs) / 1000))
      case 'PWD':
        return this.directory
      default:
        return this.variables.get(name)
    }
  }

  set(name: string, value: string): void {
    if (this.variables.size >= maxVariables && !this.variables.has(name)) return
    if (value.length > 1024) {
      let length = value.length
      for (const one of this.variables.values()) length += one.length
      this.work.spend(this.variables.size / 20)
      if (length > maxVariablesLength) throw new ShellSyntaxError(`${name}: out of memory`)
    }
    this.variables.set(name, value.slice(0, maxTextLength))
  }

  print(text: string): void {
    this.#emit(this.sinks.out, text)
  }

  printError(text: string): void {
    this.#emit(this.sinks.error, text)
  }

  #emit(sink: Sink, text: string): void {
    if (text === '') return
    this.work.spend(1 + text.length / 32)
    if (sink.type === 'log') {
      const { isError } = sink
      const last = this.output.at(-1)
      if (last !== undefined && last.atMs === this.timeMs && last.isError === isError)
        this.output[this.output.length - 1] = { ...last, text: last.text + text }
      else this.output.push({ atMs: this.timeMs, text, ...(isError && { isError }) })
    } else if (sink.type === 'capture') {
      this.#captured += text
      if (this.#captured.length > 2 * maxTextLength) this.#captured = this.captured
    } else if (sink.type === 'file') this.#write(sink.key, (readFile(this.files, sink.key) ?? '') + text)
  }

  #write(key: string, text: string): void {
    this.work.spend(1 + (this.files.pod.size + this.files.host.size) / 20 + text.length / 64)
    this.files = writeFile(this.files, key, text)
  }

  /** Applies redirections. Throws ShellSyntaxError when a file cannot be opened. */
  redirect(redirects: readonly Redirect[]): void {
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
    if (operator === '>' || readFile(this.files, key) === undefined) this.#write(key, '')
    return { type: 'file', key }
  }

  #isFixed(key: string): boolean {
    const { isReadOnly, own } = this.setup
    if (isProvidedKey(key)) return true
    return isReadOnly === true && key.startsWith(own) && !key.startsWith(`${own}/dev/`)
  }

  keyOf(path: string): string {
    this.work.spend(1 + path.length / 32 + this.setup.mounts.length / 10)
    return keyOfPath(absolutePath(path, this.directory), this.setup.mounts, this.setup.own)
  }

  read(path: string): string | undefined {
    return readFile(this.files, this.keyOf(path))
  }

  matchPaths(pattern: string): readonly string[] {
    let found = [pattern.startsWith('/') ? '/' : '']
    for (const part of pattern.split('/').filter((one) => one !== ''))
      found = found.flatMap((path) => {
        if (!/[*?[]/.test(part)) return [`${path}${part}/`]
        const names = namesIn(this.files, this.keyOf(path === '' ? '.' : path)).filter((name) => name !== '.keep')
        this.work.spend((this.files.pod.size + this.files.host.size) / 5)
        const isShown = (name: string) => !name.startsWith('.') || part.startsWith('.')
        return names.filter((name) => isShown(name) && isMatch(name, part, this.work)).map((name) => `${path}${name}/`)
      })
    const exists = (path: string) => this.read(path) !== undefined || this.isDirectory(path)
    return found.map((path) => path.replace(/\/$/, '')).filter((path) => path !== '' && exists(path))
  }

  /** Whether only the image could provide the file: its contents are unknown, and no volume covers the path. */
  #mayBeInImage(path: string): boolean {
    return this.setup.onUnknown !== 'fail' && path.startsWith('/') && this.keyOf(path).startsWith(this.setup.own)
  }

  #readOrAssume(path: string): string | undefined {
    return this.read(path) ?? (this.setup.assumesFile?.(absolutePath(path, this.directory)) === true ? '' : undefined)
  }

  /** The interface that a program receives. */
  context(own: ReadonlyMap<string, string>): ProgramContext {
    return {
      work: this.work,
      nowMs: this.timeMs,
      hostname: this.setup.hostname,
      directory: this.directory,
      stdin: this.sinks.input,
      user: this.setup.user ?? rootUser,
      environment: own.size === 0 ? this.variables : new Map([...this.variables, ...own]),
      read: (path) => this.#readOrAssume(path),
      mayBeInImage: (path) => this.#mayBeInImage(path),
      write: (path, text, mode) => {
        const key = this.keyOf(path)
        if (this.#isFixed(key)) throw new ShellSyntaxError(`${path}: Read-only file system`)
        if (mode !== undefined && readFile(this.files, key) === undefined) this.files = setMode(this.files, key, mode)
        this.#write(key, text)
      },
      isWritable: (path) => !this.#isFixed(this.keyOf(path)),
      status: (path) => this.#statusOf(path),
      remove: (path) => {
        const before = this.files
        const key = this.keyOf(path)
        this.work.spend((this.files.pod.size + this.files.host.size) / 20)
        if (!this.#isFixed(key)) this.files = removeFile(this.files, key)
        return before !== this.files
      },
      names: (path) => {
        this.work.spend((this.files.pod.size + this.files.host.size) / 5)
        return namesIn(this.files, this.keyOf(path))
      },
      isFile: (path) => this.#readOrAssume(path) !== undefined,
      isDirectory: (path) => this.isDirectory(path),
      size: (path) => this.read(path)?.length ?? 0,
      print: (text) => this.print(text),
      printError: (text) => this.printError(text),
    }
  }

  #statusOf(path: string): FileStatus | undefined {
    const { mounts, own, user = rootUser } = this.setup
    const full = absolutePath(path, this.directory)
    this.work.spend(1 + path.length / 32 + mounts.length / 10 + (this.files.pod.size + this.files.host.size) / 20)
    return statusOf(this.files, full, knownDirectories.includes(full), { mounts, own, user })
  }

  /** A directory exists if it is mounted, if it contains a file, or if every system has it. */
  isDirectory(path: string): boolean {
    const full = absolutePath(path, this.directory)
    if (knownDirectories.includes(full)) return true
    const key = this.keyOf(path)
    this.work.spend((this.files.pod.size + this.files.host.size) / 20)
    // A subPath may be a file.
    if (isProvidedKey(key) && readFile(this.files, key) !== undefined) return false
    // A mount with a subPath creates that path.
    const isMounted = ({ path, prefix }: Mount) => path === full || prefix === key || prefix.startsWith(`${key}/`)
    return this.setup.mounts.some(isMounted) || isDirectory(this.files, key)
  }
}

/** Every system has them. */
const knownDirectories = ['/', '/tmp', '/var', '/etc', '/bin', '/usr', '/root', '/dev', '/proc', '/home']
const rootUser = { id: 0, group: 0 }
const noSink: Sink = { type: 'none' }
