// Built-in commands: those that change the shell itself.
import { readSecondsOrDurationMs } from '../../base/duration.ts'
import { evaluateArithmetic } from './arithmetic.ts'
import { programs } from './commands.ts'
import { absolutePath } from './files.ts'
import type { Interpreter } from './interpreter.ts'
import type { Node, Word } from './syntax.ts'

/** The exit code. Undefined: execution continues elsewhere, and the exit code comes from there. */
export type Builtin = (shell: Interpreter, words: readonly string[]) => number | undefined

const codeOf = (text: string | undefined, fallback: number) => (text !== undefined && /^-?\d+$/.test(text) ? Number(text) : fallback)

export const signalNumbers: ReadonlyMap<string, number> = new Map([
  ['EXIT', 0],
  ['HUP', 1],
  ['INT', 2],
  ['QUIT', 3],
  ['KILL', 9],
  ['USR1', 10],
  ['USR2', 12],
  ['TERM', 15],
])
const signalName = (text: string) => {
  const name = text.replace(/^SIG/, '').toUpperCase()
  return [...signalNumbers.keys()].find((one) => String(signalNumbers.get(one)) === name) ?? name
}

const literal = (text: string): Word => ({ parts: [{ type: 'text', text, isQuoted: true }] })
export const commandOf = (words: readonly string[]): Node => ({ kind: 'simple', assignments: [], words: words.map(literal), redirects: [] })

function leaveLoop(shell: Interpreter, isBreak: boolean): void {
  const frame = shell.unwind(({ type }) => type === 'while' || type === 'for' || type === 'call' || type === 'subshell')
  shell.status = 0
  if (frame?.type === 'while') shell.frames = isBreak ? frame.next : { ...frame, isInBody: true }
  else if (frame?.type === 'for' && isBreak) shell.frames = frame.next
}

function assign(shell: Interpreter, words: readonly string[]): number {
  for (const word of words) {
    const match = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word)
    if (match !== null) shell.set(match[1]!, match[2]!)
  }
  return 0
}

const longOptions = new Map([
  ['errexit', 'e'],
  ['nounset', 'u'],
  ['xtrace', 'x'],
  ['pipefail', 'p'],
])

function set(shell: Interpreter, words: readonly string[]): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const isLong = word === '-o' || word === '+o'
    if (word === '--' || !/^[-+]\w/.test(word)) {
      shell.positional = words.slice(word === '--' ? at + 1 : at)
      return
    }
    const letters = isLong ? [longOptions.get(words[at + 1] ?? '') ?? ''] : word.slice(1)
    for (const letter of letters) {
      if (word.startsWith('-')) shell.options.add(letter)
      else shell.options.delete(letter)
    }
    if (word.endsWith('o')) at++
  }
}

function trap(shell: Interpreter, words: readonly string[]): void {
  const [action, ...signals] = words[0] === '--' ? words.slice(1) : words
  if (action === undefined) return
  for (const signal of signals.length === 0 ? [action] : signals) {
    if (action === '-' || signals.length === 0) shell.traps.delete(signalName(signal))
    else shell.traps.set(signalName(signal), action)
  }
}

function jobNumber(text: string): number {
  return text.startsWith('%') ? Number(text.slice(1)) : Number(text) - 100
}

function kill(shell: Interpreter, words: readonly string[]): number | undefined {
  const option = words[0] === '-s' ? `-${words[1] ?? 'TERM'}` : words.find((word) => word.startsWith('-'))
  const targets = words.slice(words[0] === '-s' ? 2 : 0).filter((word) => !word.startsWith('-'))
  if (option === '-0') return targets.every((one) => one === '1' || shell.jobs.some(({ number }) => number === jobNumber(one))) ? 0 : 1
  for (const target of targets) {
    if (target === '1') {
      const status = shell.raise(signalName(option?.slice(1) ?? 'TERM'))
      if (status === undefined) return undefined
      continue
    }
    shell.jobs = shell.jobs.map((job) =>
      job.number === jobNumber(target) && job.machine.exit === undefined
        ? { ...job, machine: { ...job.machine, exit: { code: 143, atMs: shell.timeMs } } }
        : job,
    )
  }
  return 0
}

function read(shell: Interpreter, words: readonly string[]): number {
  const names = words.filter((word) => !word.startsWith('-'))
  const { input } = shell.sinks
  if (input === '') {
    for (const name of names) shell.set(name, '')
    return 1
  }
  const end = input.indexOf('\n')
  const line = end < 0 ? input : input.slice(0, end)
  shell.sinks = { ...shell.sinks, input: end < 0 ? '' : input.slice(end + 1) }
  const fields = line.trim().split(/[ \t]+/)
  for (const [index, name] of (names.length === 0 ? ['REPLY'] : names).entries())
    shell.set(name, index === names.length - 1 ? fields.slice(index).join(' ') : (fields[index] ?? ''))
  return 0
}

function runShell(shell: Interpreter, words: readonly string[]): number | undefined {
  const at = words.findIndex((word) => /^-\w*c\w*$/.test(word))
  if (at < 0) return words.length === 0 ? 0 : 127
  shell.enterSubshell()
  for (const letter of words[at]!.slice(1)) if (letter !== 'c') shell.options.add(letter)
  shell.enter(words[at + 1] ?? '')
  return undefined
}

function timeout(shell: Interpreter, words: readonly string[]): number {
  let at = 0
  for (; words[at]?.startsWith('-'); at++) if (/^-[sk]$/.test(words[at]!)) at++
  const [limit = '', ...command] = words.slice(at)
  const ms = readSecondsOrDurationMs(limit)
  if (ms === undefined || command.length === 0) return 125
  const startMs = shell.timeMs
  const { text, code } = shell.nest(commandOf(command), shell.sinks.input, ms)
  shell.print(text)
  return code === 143 && shell.timeMs - startMs >= ms ? 124 : code
}

/** A prefix command, which runs another command. */
const prefix =
  (skip: RegExp): Builtin =>
  (shell, words) => {
    let at = 0
    while (at < words.length && skip.test(words[at]!)) at++
    const rest = words.slice(at)
    if (rest.length === 0) return 0
    shell.control = commandOf(rest)
    return undefined
  }

const changing =
  (code: 0 | undefined) =>
  (change: (shell: Interpreter, words: readonly string[]) => void): Builtin =>
  (shell, words) => {
    change(shell, words)
    return code
  }

/** Succeeds. */
const does = changing(0)
/** Execution continues elsewhere. */
const continues = changing(undefined)

const isKnown = (shell: Interpreter, name = '') => programs.has(name) || shell.functions.has(name)

const table: Readonly<Record<string, Builtin>> = {
  exit: continues((shell, words) => shell.leaveShell(codeOf(words[0], shell.status))),
  return: continues((shell, words) => {
    const code = codeOf(words[0], shell.status)
    shell.unwind(({ type }) => type === 'call' || type === 'subshell')
    shell.status = code
  }),
  break: continues((shell) => leaveLoop(shell, true)),
  continue: continues((shell) => leaveLoop(shell, false)),
  cd: does((shell, words) => {
    shell.directory = absolutePath(words[0] ?? '/root', shell.directory)
  }),
  export: assign,
  local: assign,
  readonly: assign,
  declare: assign,
  unset: does((shell, words) => {
    for (const word of words) {
      shell.variables.delete(word)
      shell.functions.delete(word)
    }
  }),
  set: does(set),
  shift: does((shell, words) => {
    shell.positional = shell.positional.slice(codeOf(words[0], 1))
  }),
  trap: does(trap),
  wait: continues((shell, words) => shell.wait(words[0] === undefined ? 0 : jobNumber(words[0]) || 0)),
  kill,
  read,
  eval: continues((shell, words) => shell.enter(words.join(' '))),
  exec(shell, words) {
    if (words.length === 0) return 0
    shell.frames = undefined
    shell.control = commandOf(words)
    return undefined
  },
  let(shell, words) {
    let value = 0
    for (const word of words) value = evaluateArithmetic(word, shell)
    return value === 0 ? 1 : 0
  },
  command(shell, words) {
    if (words[0] !== '-v') return prefix(/^-p$/)(shell, words)
    const name = words[1] ?? ''
    if (!isKnown(shell, name) && !builtins.has(name)) return 1
    shell.print(`${name}\n`)
    return 0
  },
  type: (shell, words) => (isKnown(shell, words[0]) ? 0 : 127),
  which: (shell, words) => (isKnown(shell, words[0]) ? 0 : 1),
  sh: runShell,
  bash: runShell,
  '/bin/sh': runShell,
  '/bin/bash': runShell,
  timeout,
  time: prefix(/^-p$/),
  nohup: prefix(/^-/),
  nice: prefix(/^-/),
  sudo: prefix(/^-/),
  stdbuf: prefix(/^-/),
  alias: () => 0,
  jobs: () => 0,
  hash: () => 0,
}

export const builtins: ReadonlyMap<string, Builtin> = new Map(Object.entries(table))
