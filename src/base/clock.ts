// Time as a value that is handed in. The only file that reads the machine's clock and sets its timers.

export type CancelTimer = () => void

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `run` once, `delayMs` from now. With no delay: after everything that is ready to run now, input and output included. */
  after(delayMs: number, run: () => void): CancelTimer
}

// Node cuts a longer delay down to one millisecond.
const longestTimerMs = 2 ** 31 - 1

export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    if (delayMs <= 0) {
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    if (delayMs <= longestTimerMs) {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    }
    let cancel: CancelTimer = () => {}
    const timer = setTimeout(() => {
      cancel = realClock.after(delayMs - longestTimerMs, run)
    }, longestTimerMs)
    cancel = () => clearTimeout(timer)
    return () => cancel()
  },
}

/** For work that can as well be left undone when the process ends: waiting for it is no reason to keep it. */
export function afterIfAlive(delayMs: number, run: () => void): CancelTimer {
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/** RFC 3339 in whole seconds, as metav1.Time is written: `2026-11-01T12:00:00Z`. */
export function formatTime(ms: number): string {
  // Nearly always the same second as the last time: writing it anew takes a microsecond of each write to the API.
  if (ms >= lastSecondMs && ms < lastSecondMs + 1000) return lastSecond
  const text = `${new Date(ms).toISOString().slice(0, 19)}Z`
  lastSecondMs = Math.floor(ms / 1000) * 1000
  lastSecond = text
  return text
}

let lastSecondMs = Number.NaN
let lastSecond = ''

/** RFC 3339 with microseconds, as metav1.MicroTime is written. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`
}

/** Milliseconds since 1970; NaN for a text that is no time. */
export function parseTime(text: string): number {
  // Of a thousand pods that are compared, most became ready in the same second.
  if (text === lastParsed) return lastParsedMs
  lastParsed = text
  lastParsedMs = Date.parse(text)
  return lastParsedMs
}

let lastParsed = ''
let lastParsedMs = Number.NaN
