// The state of a running script, as an immutable value: the next command, the stack and the variables. The same machine, run to the
// same time, gives the same result.

import { WorkBudget } from '../work-budget.ts'
import { commandOf } from './builtins.ts'
import { programs } from './commands.ts'
import type { Files, Mount } from './files.ts'
import { Interpreter } from './interpreter.ts'
import { parseScript } from './parser.ts'
import type { Output } from './process.ts'
import type { FunctionNode, Node } from './syntax.ts'

/** What a script is started with. */
export interface ScriptSetup {
  readonly nowMs: number
  readonly environment: ReadonlyMap<string, string>
  readonly mounts: readonly Mount[]
  /** The key prefix of files outside of volumes. */
  readonly own: string
  readonly directory: string
  readonly hostname: string
  /** Absent: root. */
  readonly user?: { readonly id: number; readonly group: number }
  /** Only volumes and /dev are writable. */
  readonly isReadOnly?: boolean
  /** Standard input, which a shell without a script executes. Absent: empty. */
  readonly input?: string
  /** The seed of `$RANDOM`. */
  readonly seed: number
  /** What an unknown program does: fail, run until it is stopped, or succeed after this many milliseconds. */
  readonly onUnknown: 'fail' | 'serve' | number
  /** Whether a file that is missing may be taken for an empty one: an unknown program of the container writes it. Absent: never. */
  assumesFile?(path: string): boolean
  /** Process 1 of its container: it does not receive signals that it does not handle. */
  readonly isFirst?: boolean
}

export type Sink =
  | { readonly type: 'log'; readonly isError?: true }
  | { readonly type: 'none' }
  | { readonly type: 'file'; readonly key: string }
  | { readonly type: 'capture' }

export interface Sinks {
  readonly out: Sink
  readonly error: Sink
  /** Standard input. */
  readonly input: string
}

/** The stack: what remains to be done after the current command, innermost first. */
export type Frame = { readonly next: Frame | undefined } & (
  | { readonly type: 'list'; readonly items: readonly Node[]; readonly at: number }
  | { readonly type: 'and' | 'or'; readonly right: Node }
  | { readonly type: 'not' }
  | { readonly type: 'if'; readonly node: Extract<Node, { kind: 'if' }>; readonly at: number }
  | { readonly type: 'while'; readonly node: Extract<Node, { kind: 'while' }>; readonly isInBody: boolean; readonly status: number }
  | { readonly type: 'for'; readonly node: Extract<Node, { kind: 'for' }>; readonly values: readonly string[]; readonly at: number }
  | { readonly type: 'call'; readonly positional: readonly string[] }
  | ({ readonly type: 'subshell' } & Pick<Machine, 'variables' | 'directory' | 'traps'>)
  | { readonly type: 'sinks'; readonly sinks: Sinks }
  | { readonly type: 'trap'; readonly status: number }
  | { readonly type: 'exit'; readonly code: number }
)

export interface Job {
  readonly number: number
  readonly machine: Machine
}

export interface Machine {
  readonly setup: ScriptSetup
  readonly exit?: { readonly code: number; readonly atMs: number }
  /** When it continues. Absent: on a signal, or never. */
  readonly nextMs?: number
  /** The next command. Absent: the stack decides. */
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
  /** The background job that `wait` waits for; 0: all. */
  readonly waitsFor?: number
  /** Trapped signals that were not handled yet. */
  readonly pending: readonly { readonly signal: string; readonly atMs: number }[]
  readonly randomState: number
  /** An unknown program is running. */
  readonly runsUnknown?: boolean
}

const shells = new Set(['sh', 'bash', 'ash', 'dash', 'zsh', 'ksh'])
const baseName = (path: string) => path.split('/').at(-1) ?? path

/** Undefined: `command` is neither a shell nor a known program. */
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
    sinks: { out: { type: 'log' }, error: { type: 'log', isError: true }, input: setup.input ?? '' },
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
  return { ...base, control: commandOf([name, ...command.slice(1)]) }
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
  // The content of a script file is not known.
  if (script === undefined && at < words.length) return undefined
  const rest = words.slice(at)
  const sinks = script === undefined ? { ...base.sinks, input: '' } : base.sinks
  script ??= base.sinks.input
  const started = { ...base, sinks, options, name: rest[0] ?? name, positional: rest.slice(1) }
  try {
    return { ...started, control: parseScript(script) }
  } catch (error) {
    const complain = commandOf(['echo', `${name}: ${(error as Error).message}`])
    return { ...started, control: { kind: 'list', items: [complain, commandOf(['exit', '2'])] } }
  }
}

/** Runs everything up to and including that time. */
export function runMachine(
  machine: Machine,
  files: Files,
  nowMs: number,
  work = new WorkBudget(),
): { machine: Machine; files: Files; output: readonly Output[] } {
  const run = new Interpreter(machine, files, work)
  run.runUntil(nowMs)
  return { machine: run.snapshot(), files: run.files, output: run.output }
}

/**
 * Whether an untrapped signal has no effect. A shell executes the last command of its script in its own process, and an unknown
 * program is assumed to handle signals.
 */
export function ignoresSignals({ setup, runsUnknown, frames, control }: Machine): boolean {
  return setup.isFirst === true && !(runsUnknown && frames === undefined && control === undefined)
}

/** The machine with the signal pending. Undefined: no trap is set for it. */
export function signalMachine(machine: Machine, signal: string, atMs: number): Machine | undefined {
  const action = machine.traps.get(signal)
  if (action === undefined || machine.exit !== undefined) return undefined
  const pending = [...machine.pending, { signal, atMs }]
  // `wait` returns at once; any other command finishes first.
  if (machine.waitsFor === undefined) return { ...machine, pending }
  const { waitsFor: _, ...rest } = machine
  return { ...rest, pending, status: 143, nextMs: atMs }
}
