// What the threads of a process and of its children do, as Linux reports it in /proc: whether they sleep, whether they have run, and when a timer wakes them.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { realClock } from '../../base/clock.ts'

export interface ThreadActivity {
  readonly isAsleep: boolean
  /** Whether a thread has run since the last call. */
  readonly hasRun: boolean
  /** In how many milliseconds a timer wakes a thread, at the earliest. Infinity: there is none. Undefined: the platform does not say. */
  readonly dueMs: number | undefined
}

interface KnownThread {
  /** The time slices that it has had. */
  readonly slices: string
  /** It fell asleep after this time. */
  readonly sinceMs: number
}

type Timeout =
  | 'epoll' // Milliseconds in the fourth argument; -1: none.
  | 'poll' // Milliseconds in the third argument.
  | 'futex' // A pointer in the fourth argument, relative or absolute.
  | 'clock_nanosleep'
  | { readonly pointer: number; readonly unit: 'ns' | 'us' }

/** The system calls that end with a timeout, by their numbers. */
const timeouts: Readonly<Record<string, Readonly<Record<number, Timeout>>>> = {
  x64: {
    7: 'poll',
    23: { pointer: 4, unit: 'us' },
    35: { pointer: 0, unit: 'ns' },
    202: 'futex',
    230: 'clock_nanosleep',
    232: 'epoll',
    270: { pointer: 4, unit: 'ns' },
    271: { pointer: 2, unit: 'ns' },
    281: 'epoll',
    441: { pointer: 3, unit: 'ns' },
  },
  arm64: {
    22: 'epoll',
    72: { pointer: 4, unit: 'ns' },
    73: { pointer: 2, unit: 'ns' },
    98: 'futex',
    101: { pointer: 0, unit: 'ns' },
    115: 'clock_nanosleep',
    441: { pointer: 3, unit: 'ns' },
  },
}
const ofPlatform = timeouts[process.arch]

const futexWait = 0
const futexWaitBitset = 9
const futexCommands = 0x7f
const futexRealtime = 0x100
const realtime = 0

/** Elsewhere than on Linux, only requests and time say whether a program is quiet. */
export const hasProc = existsSync('/proc/self/task')

export class ThreadObserver {
  readonly #pid: number
  #pids: readonly number[]
  #threads = new Map<string, KnownThread>()
  #lastMs = realClock.now()

  constructor(pid: number) {
    this.#pid = pid
    this.#pids = [pid]
  }

  observe(): ThreadActivity {
    const nowMs = realClock.now()
    const threads = new Map<string, KnownThread>()
    let isAsleep = true
    let hasRun = false
    let dueMs: number | undefined = Number.POSITIVE_INFINITY
    for (const pid of this.#pids)
      for (const thread of list(`/proc/${pid}/task`)) {
        const folder = `/proc/${pid}/task/${thread}`
        const call = read(`${folder}/syscall`)
        const slices = read(`${folder}/schedstat`)?.trim().split(' ')[2]
        if (call === undefined || slices === undefined) {
          hasRun = true
          continue
        }
        const before = this.#threads.get(folder)
        const known = before?.slices === slices ? before : { slices, sinceMs: this.#lastMs }
        if (known !== before) hasRun = true
        threads.set(folder, known)
        if (call.startsWith('running') || call.startsWith('-1')) {
          isAsleep = false
          continue
        }
        const timeoutMs = timeoutOf(pid, call)
        dueMs = timeoutMs === undefined || dueMs === undefined ? undefined : Math.min(dueMs, timeoutMs - (nowMs - known.sinceMs))
      }
    if (threads.size !== this.#threads.size) hasRun = true
    this.#threads = threads
    this.#lastMs = nowMs
    // While no thread runs, none starts a process.
    if (hasRun) this.#pids = withChildren(this.#pid)
    return { isAsleep, hasRun, dueMs }
  }
}

/** Undefined: unknown. */
function timeoutOf(pid: number, line: string): number | undefined {
  if (ofPlatform === undefined) return undefined
  const [number, ...args] = line.trim().split(' ').map(Number)
  const timeout = ofPlatform[number!]
  if (timeout === undefined) return Number.POSITIVE_INFINITY
  if (timeout === 'epoll' || timeout === 'poll') return fromMilliseconds(args[timeout === 'epoll' ? 3 : 2]!)
  if (timeout === 'futex') {
    const operation = args[1]! & futexCommands
    if (operation !== futexWait && operation !== futexWaitBitset) return Number.POSITIVE_INFINITY
    const wantedMs = readTime(pid, args[3]!, 'ns')
    if (wantedMs === undefined || operation === futexWait) return wantedMs
    return wantedMs - (args[1]! & futexRealtime ? realClock.now() : monotonicMs())
  }
  if (timeout === 'clock_nanosleep') {
    const wantedMs = readTime(pid, args[2]!, 'ns')
    if (wantedMs === undefined || (args[1]! & 1) === 0) return wantedMs
    return wantedMs - (args[0] === realtime ? realClock.now() : monotonicMs())
  }
  return readTime(pid, args[timeout.pointer]!, timeout.unit)
}

const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n)

/** The argument is a number of 32 bits, shown as one of up to 64. */
function fromMilliseconds(argument: number): number {
  const signed = (argument % 2 ** 32) | 0
  return signed < 0 ? Number.POSITIVE_INFINITY : signed
}

/** A time in the memory of a sleeping thread. */
function readTime(pid: number, address: number, unit: 'ns' | 'us'): number | undefined {
  if (address === 0) return Number.POSITIVE_INFINITY
  let file: number | undefined
  try {
    file = openSync(`/proc/${pid}/mem`, 'r')
    const bytes = Buffer.alloc(16)
    if (readSync(file, bytes, 0, 16, address) < 16) return undefined
    return Number(bytes.readBigInt64LE(0)) * 1000 + Number(bytes.readBigInt64LE(8)) / (unit === 'ns' ? 1e6 : 1e3)
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The process and those that it has started. */
export function withChildren(pid: number): number[] {
  const found = [pid]
  for (const one of found) {
    for (const thread of list(`/proc/${one}/task`)) {
      const children = read(`/proc/${one}/task/${thread}/children`)?.trim()
      if (children) found.push(...children.split(' ').map(Number))
    }
  }
  return found
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

export function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
