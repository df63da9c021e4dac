// Tools of the benchmarks: time and processor time of this and of other processes, and concurrent work.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Spent {
  readonly wallMs: number
  /** The processor time of this process, in all its threads. */
  readonly cpuMs: number
}

export async function timed(work: () => unknown): Promise<Spent> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Calls `work` with every number below `count`, at most `atATime` of them concurrently. */
export async function inParallel(count: number, atATime: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

/** Removes the folder at the end. */
export async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-bench-'))
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

let ticksPerSecond: number | undefined

/** Of another process. */
export function cpuSecondsOf(pid: number): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** A field of /proc/PID/status, such as VmRSS. NaN where the system does not have it. */
export function megabytesOf(pid: number, field: string): number {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024
  } catch {
    return Number.NaN
  }
}
