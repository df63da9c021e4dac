// What runs in a container: a server that waits for its end, a program that takes its time, or a script that is read
// step by step. Plain values; nothing happens between two calls of `runProcess`.
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
  /** When something happens next by itself. Absent: it runs until it is told to stop. */
  readonly nextMs?: number
  /** The code of its end at `nextMs`, for a program that is not read. */
  readonly endsWith?: number
  /** A script, while it runs. */
  readonly machine?: Machine
  /** The code with which it ends when it is asked to. */
  readonly codeOnTerm: number
  readonly isAsked?: boolean
}

/** Something that was printed. */
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

/** Whether anything happens in it up to and including that moment. */
export const isDue = ({ exit, nextMs }: Process, nowMs: number): boolean => exit === undefined && nextMs !== undefined && nextMs <= nowMs

/** Everything that happens up to and including that moment, as far as the work goes. */
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
 * SIGTERM. A script that traps it goes on as its trap says, and one that does not and is the first process of its container
 * as if nothing had happened; anything else ends after `stopMs`, and everything when `isForced`.
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
