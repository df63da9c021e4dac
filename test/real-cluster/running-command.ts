// Commands of the built `rollcall` in processes of their own, and waiting for what they do.
import { type ChildProcess, spawn } from 'node:child_process'
import { realClock } from '../../src/base/clock.ts'
import { command } from '../front-door/running-cluster.ts'

const pollMs = 50
/** Generous: it only bounds how long a failure takes. */
const defaultPatienceMs = 120_000

export const pause = (ms: number) => new Promise<void>((resolve) => void realClock.after(ms, resolve))

/** Asks until the answer is neither undefined nor false. Requests that fail are made again: a server may be restarting. */
export async function until<T>(what: string, read: () => Promise<T | undefined | false>, patienceMs = defaultPatienceMs): Promise<T> {
  const untilMs = realClock.now() + patienceMs
  let last: unknown
  for (;;) {
    try {
      const found = await read()
      if (found !== undefined && found !== false) return found
      last = undefined
    } catch (error) {
      last = error
    }
    if (realClock.now() > untilMs)
      throw new Error(`timed out waiting until ${what}${last === undefined ? '' : `: ${(last as Error).message}`}`)
    await pause(pollMs)
  }
}

export interface RunningCommand {
  readonly process: ChildProcess
  output(): string
  /** Resolves when the output contains the text. */
  prints(text: string): Promise<unknown>
  /** Resolves to the exit code when the process has ended and its output is complete. */
  readonly ended: Promise<number | null>
  end(signal: NodeJS.Signals): Promise<number | null>
}

export function run(
  args: readonly string[],
  nodeFlags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): RunningCommand {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, [...nodeFlags, command, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env })
  let output = ''
  const keep = (text: Buffer) => {
    output += text.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    process: child,
    output: () => output,
    ended,
    async prints(text) {
      await until(`rollcall ${args[0]} prints ${text}`, async () => {
        if (output.includes(text)) return true
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`)
        return false
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${output}`)
      })
    },
    end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}

/** `rollcall controllers` with limits that do not slow a test down. */
export const runControllers = (kubeconfig: string, ...flags: readonly string[]) =>
  run([
    ...['controllers', '--kubeconfig', kubeconfig, '--health-address', '0', '--kube-api-qps', '1000', '--kube-api-burst', '2000'],
    ...flags,
  ])

export const runNodes = (kubeconfig: string, ...flags: readonly string[]) =>
  run(['nodes', '--kubeconfig', kubeconfig, '--nodes', '5', '--scheduler', ...flags])
