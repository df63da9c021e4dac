// Time is injected. This is the only file that reads the machine's clock and sets its timers.
import { cached } from './cached.ts'

export type CancelTimer = () => void

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `run` once, `delayMs` from now. With no delay: after everything that is ready to run now, I/O included. */
  after(delayMs: number, run: () => void): CancelTimer
}

// Node reduces a longer delay to one millisecond.
const maxTimerMs = 2 ** 31 - 1

export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    if (delayMs <= 0) {
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    if (delayMs <= maxTimerMs) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    }
    let cancel: CancelTimer = () => {}
    const timer = setTimeout(() => {
      cancel = realClock.after(delayMs - maxTimerMs, run)
    }, maxTimerMs)
    cancel = () => clearTimeout(timer)
    return () => cancel()
  },
}

/** Resolves after the delay. */
export const sleep = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))

/** Runs `run` when the running code has ended: before timers and I/O. */
export function afterPromises(run: () => void): void {
  process.nextTick(run)
}

/** A timer that does not keep the process alive. */
export function afterIfAlive(delayMs: number, run: () => void): CancelTimer {
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/** RFC 3339 in whole seconds, as metav1.Time is written: `2026-11-01T12:00:00Z`. */
export function formatTime(ms: number): string {
  // Cached: nearly always one of the last few seconds, and formatting takes a microsecond of each write to the API.
  const second = Math.floor(ms / 1000)
  const slot = second & (formattedSeconds.length - 1)
  if (formattedSeconds[slot] === second) return formattedTexts[slot]!
  const text = `${new Date(ms).toISOString().slice(0, 19)}Z`
  formattedSeconds[slot] = second
  formattedTexts[slot] = text
  return text
}

const formattedSeconds = new Array<number>(64).fill(Number.NaN)
const formattedTexts = new Array<string>(64).fill('')

/** RFC 3339 with microseconds, as metav1.MicroTime is written. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`
}

/** Milliseconds since 1970; NaN for an invalid time. Cached: most pods of a set became ready in the same few seconds. */
export const parseTime = cached(256, (text: string): number => Date.parse(text))

/** Undefined without a time. Where Kubernetes always writes the field, a time that was not set is null. */
export const parseOptionalTime = (text: string | null | undefined): number | undefined => (text ? parseTime(text) : undefined)
