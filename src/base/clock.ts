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

/** Runs `run` when no promise is left to settle: sooner than any timer, and before input and output. */
export function afterPromises(run: () => void): void {
  process.nextTick(run)
}

/** For work that can as well be left undone when the process ends: waiting for it is no reason to keep it. */
export function afterIfAlive(delayMs: number, run: () => void): CancelTimer {
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/** RFC 3339 in whole seconds, as metav1.Time is written: `2026-11-01T12:00:00Z`. */
export function formatTime(ms: number): string {
  // Nearly always one of the last few seconds, or a deadline some of them later: writing it anew takes a microsecond of
  // each write to the API.
  const second = Math.floor(ms / 1000)
  const slot = second & (writtenSeconds.length - 1)
  if (writtenSeconds[slot] === second) return writtenTexts[slot]!
  const text = `${new Date(ms).toISOString().slice(0, 19)}Z`
  writtenSeconds[slot] = second
  writtenTexts[slot] = text
  return text
}

const writtenSeconds = new Array<number>(64).fill(Number.NaN)
const writtenTexts = new Array<string>(64).fill('')

/** RFC 3339 with microseconds, as metav1.MicroTime is written. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`
}

/** Milliseconds since 1970; NaN for a text that is no time. */
export function parseTime(text: string): number {
  // Of a thousand pods that are compared, most became ready in the same few seconds.
  const known = parsedTimes.get(text)
  if (known !== undefined) return known
  const ms = Date.parse(text)
  if (parsedTimes.size >= mostParsedTimes) parsedTimes.clear()
  parsedTimes.set(text, ms)
  return ms
}

const parsedTimes = new Map<string, number>()
const mostParsedTimes = 256
