// Runs a script step by step in a time of its own. Between two calls it is a plain value: what comes next, what is
// still to be finished, and the variables. The same machine run to the same moment gives the same outcome.

import { WorkBudget } from '../work-budget.ts'
import { programs } from './commands.ts'
import type { Files, Mount } from './files.ts'
import { ShellRun } from './interpreter.ts'
import { parseScript } from './parser.ts'
import type { Output } from './process.ts'
import type { FunctionNode, Node, Redirect, Word } from './syntax.ts'

/** Where a script runs. */
export interface ScriptSetup {
  readonly nowMs: number
  readonly environment: ReadonlyMap<string, string>
  readonly mounts: readonly Mount[]
  /** Before the paths of files that are in no volume. */
  readonly own: string
  readonly directory: string
  readonly hostname: string
  /** Absent: root. */
  readonly user?: { readonly id: number; readonly group: number }
  /** Nothing can be written but in volumes and below /dev. */
  readonly isReadOnly?: boolean
  /** Of `$RANDOM`. */
  readonly seed: number
  /** A program that is not known fails, serves until it is stopped, or takes so many milliseconds and succeeds. */
  readonly onUnknown: 'fail' | 'serve' | number
  /** It is the first process of its container: the kernel keeps signals from it that it does not handle. */
  readonly isFirst?: boolean
}

/** Where output goes. */
export type Sink =
  | { readonly type: 'log'; readonly isError?: true }
  | { readonly type: 'none' }
  | { readonly type: 'file'; readonly key: string }
  | { readonly type: 'capture' }

export interface Sinks {
  readonly out: Sink
  readonly error: Sink
  /** What there is to read. */
  readonly input: string
}

/** What is still to be done when the current command is done; innermost first. */
export type Frame =
  | { readonly type: 'list'; readonly items: readonly Node[]; readonly at: number; readonly next: Frame | undefined }
  | { readonly type: 'and' | 'or'; readonly right: Node; readonly next: Frame | undefined }
  | { readonly type: 'not'; readonly next: Frame | undefined }
  | { readonly type: 'if'; readonly node: Extract<Node, { kind: 'if' }>; readonly at: number; readonly next: Frame | undefined }
  | {
      readonly type: 'while'
      readonly node: Extract<Node, { kind: 'while' }>
      readonly isInBody: boolean
      readonly status: number
      readonly next: Frame | undefined
    }
  | {
      readonly type: 'for'
      readonly node: Extract<Node, { kind: 'for' }>
      readonly values: readonly string[]
      readonly at: number
      readonly next: Frame | undefined
    }
  | { readonly type: 'call'; readonly positional: readonly string[]; readonly next: Frame | undefined }
  | {
      readonly type: 'subshell'
      readonly variables: ReadonlyMap<string, string>
      readonly directory: string
      readonly traps: ReadonlyMap<string, string>
      readonly next: Frame | undefined
    }
  | { readonly type: 'sinks'; readonly sinks: Sinks; readonly next: Frame | undefined }
  | { readonly type: 'trap'; readonly status: number; readonly next: Frame | undefined }
  | { readonly type: 'exit'; readonly code: number; readonly next: Frame | undefined }

export interface Job {
  readonly number: number
  readonly machine: Machine
}

export interface Machine {
  readonly setup: ScriptSetup
  readonly exit?: { readonly code: number; readonly atMs: number }
  /** When it goes on. Absent: when it is told to, or never. */
  readonly nextMs?: number
  /** What comes next; absent: what `frames` says. */
  readonly control?: Node
  readonly frames: Frame | undefined
  readonly status: number
  readonly variables: ReadonlyMap<string, string>
  readonly functions: ReadonlyMap<string, FunctionNode>
  readonly traps: ReadonlyMap<string, string>
  readonly positional: readonly string[]
  readonly name: string
  readonly directory: string
  readonly options: ReadonlySet<string>
  readonly sinks: Sinks
  readonly jobs: readonly Job[]
  readonly jobCount: number
  /** Waits for a background job, or for all (0). */
  readonly waitsFor?: number
  /** Signals that came and are trapped, with the time. */
  readonly pending: readonly { readonly signal: string; readonly atMs: number }[]
  readonly randomState: number
  /** Rests while a program runs that is not known. */
  readonly runsUnknown?: boolean
}

const shells = new Set(['sh', 'bash', 'ash', 'dash', 'zsh', 'ksh'])
const baseName = (path: string) => path.split('/').at(-1) ?? path

/** Prepares `command`; undefined when it is neither a shell nor a program that is known. */
export function startMachine(command: readonly string[], setup: ScriptSetup): Machine | undefined {
  const base: Machine = {
    setup,
    nextMs: setup.nowMs,
    frames: undefined,
    status: 0,
    variables: new Map(setup.environment),
    functions: new Map(),
    traps: new Map(),
    positional: [],
    name: 'sh',
    directory: setup.directory,
    options: new Set(),
    sinks: { out: { type: 'log' }, error: { type: 'log', isError: true }, input: '' },
    jobs: [],
    jobCount: 0,
    pending: [],
    randomState: setup.seed,
  }
  const name = baseName(command[0] ?? '')
  if (shells.has(name)) return startShell(base, command[0]!, command.slice(1))
  if (name === 'tini' || name === 'dumb-init') {
    const rest = command.slice(1)
    const at = rest.findIndex((word) => !word.startsWith('-'))
    return at < 0 ? undefined : startMachine(rest.slice(at), { ...setup, isFirst: false })
  }
  if (!programs.has(name) || name.startsWith('[')) return undefined
  const literal = (text: string): Word => ({ parts: [{ type: 'text', text, isQuoted: true }] })
  return {
    ...base,
    control: { kind: 'simple', assignments: [], words: [name, ...command.slice(1)].map(literal), redirects: [] as Redirect[] },
  }
}

function startShell(base: Machine, name: string, words: readonly string[]): Machine | undefined {
  const options = new Set<string>()
  let at = 0
  let script: string | undefined
  for (; at < words.length && /^[-+]/.test(words[at]!); at++) {
    const word = words[at]!
    if (word === '--') continue
    if (word === '-o') {
      if (words[++at] === 'errexit') options.add('e')
      continue
    }
    for (const letter of word.slice(1)) options.add(letter)
    if (word.includes('c') && !word.startsWith('--')) {
      script = words[++at] ?? ''
      at++
      break
    }
  }
  // A script file is somebody's program: nobody here can read it. A shell without input ends.
  if (script === undefined) return at < words.length ? undefined : { ...base, name, control: { kind: 'list', items: [] } }
  const rest = words.slice(at)
  const started = { ...base, options, name: rest[0] ?? name, positional: rest.slice(1) }
  try {
    return { ...started, control: parseScript(script) }
  } catch (error) {
    const complaint: Word = { parts: [{ type: 'text', text: `${name}: ${(error as Error).message}`, isQuoted: true }] }
    const words = (texts: readonly string[]): Word[] => texts.map((text) => ({ parts: [{ type: 'text', text, isQuoted: true }] }))
    return {
      ...started,
      control: {
        kind: 'list',
        items: [
          { kind: 'simple', assignments: [], words: [...words(['echo']), complaint], redirects: [] },
          { kind: 'simple', assignments: [], words: words(['exit', '2']), redirects: [] },
        ],
      },
    }
  }
}

/** Everything that happens up to and including that moment. */
export function runMachine(
  machine: Machine,
  files: Files,
  nowMs: number,
  work = new WorkBudget(),
): { machine: Machine; files: Files; output: readonly Output[] } {
  const run = new ShellRun(machine, files, work)
  run.go(nowMs)
  return { machine: run.snapshot(), files: run.files, output: run.output }
}

/**
 * Whether a signal that nothing traps changes nothing. A shell gives its place to the last command of its script, and a
 * program that nobody here knows is taken to handle what it is told.
 */
export function ignoresSignals({ setup, runsUnknown, frames, control }: Machine): boolean {
  return setup.isFirst === true && !(runsUnknown && frames === undefined && control === undefined)
}

/** The machine with the signal on its way; undefined when nothing traps it. */
export function signalMachine(machine: Machine, signal: string, atMs: number): Machine | undefined {
  const action = machine.traps.get(signal)
  if (action === undefined || machine.exit !== undefined) return undefined
  const pending = [...machine.pending, { signal, atMs }]
  // `wait` hears of it at once, any other command is finished first.
  if (machine.waitsFor === undefined) return { ...machine, pending }
  const { waitsFor: _, ...rest } = machine
  return { ...rest, pending, status: 143, nextMs: atMs }
}
