// The process of a container: a server that runs until it is stopped, a program with a fixed duration, or a script. An immutable
// value; only `runProcess` advances it.
import type { WorkBudget } from '../work-budget.ts'
import type { Files } from './files.ts'
import { ignoresSignals, type Machine, runMachine, signalMachine } from './machine.ts'

interface ProcessExit {
  readonly code: number
  readonly atMs: number
}

export interface Process {
  readonly startedAtMs: number
  readonly exit?: ProcessExit
  /** When it continues by itself. Absent: it runs until it is stopped. */
  readonly nextMs?: number
  /** The exit code at `nextMs`, for a program with a fixed duration. */
  readonly endsWith?: number
  /** The running script. */
  readonly machine?: Machine
  /** The exit code after SIGTERM. */
  readonly codeOnTerm: number
  readonly isAsked?: boolean
}

export interface Output {
  readonly atMs: number
  readonly text: string
  /** On stderr. */
  readonly isError?: true
}

export interface ProcessRun {
  readonly process: Process
  readonly files: Files
  readonly output: readonly Output[]
}

const nothing: readonly Output[] = []

/** Whether anything is due up to and including that time. */
export const isDue = ({ exit, nextMs }: Process, nowMs: number): boolean => exit === undefined && nextMs !== undefined && nextMs <= nowMs

/** Runs everything up to and including that time, within the work budget. */
export function runProcess(process: Process, files: Files, nowMs: number, work: WorkBudget): ProcessRun {
  if (!isDue(process, nowMs)) return { process, files, output: nothing }
  if (process.machine === undefined || process.endsWith !== undefined)
    return { process: { ...process, exit: { code: process.endsWith ?? 0, atMs: process.nextMs! } }, files, output: nothing }
  const { machine, files: nextFiles, output } = runMachine(process.machine, files, nowMs, work)
  return { process: withMachine(process, machine), files: nextFiles, output }
}

export function withMachine(process: Process, machine: Machine): Process {
  const { nextMs: _, ...rest } = process
  return {
    ...rest,
    machine,
    ...(machine.exit !== undefined && { exit: machine.exit }),
    ...(machine.nextMs !== undefined && { nextMs: machine.nextMs }),
  }
}

/**
 * SIGTERM. A script that traps it continues with its trap. A script that does not, as process 1, ignores it. Any other process
 * ends after `stopMs`. With `isForced` all of them do.
 */
export function terminateProcess(process: Process, nowMs: number, stopMs: number, isForced: boolean): Process {
  if (process.exit !== undefined || process.isAsked) return process
  if (process.machine !== undefined && !isForced) {
    const signalled = signalMachine(process.machine, 'TERM', nowMs)
    if (signalled !== undefined) return { ...withMachine(process, signalled), isAsked: true }
    if (ignoresSignals(process.machine)) return { ...process, isAsked: true }
  }
  return { ...process, isAsked: true, nextMs: nowMs + stopMs, endsWith: process.codeOnTerm }
}

/** SIGKILL. */
export function killProcess(process: Process, nowMs: number): Process {
  return process.exit !== undefined ? process : { ...process, exit: { code: 137, atMs: nowMs } }
}
