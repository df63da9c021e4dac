// A token bucket, as client-go limits its requests: `burst` requests at once, then `qps` a second, in the order of the calls.
import type { Clock } from '../base/clock.ts'

export interface RateLimiter {
  /** Resolves when the request may be sent. */
  acquire(): Promise<void>
}

interface RateLimiterOptions {
  readonly clock: Clock
  /** Requests a second. */
  readonly qps: number
  readonly burst: number
}

export function createRateLimiter({ clock, qps, burst }: RateLimiterOptions): RateLimiter {
  if (!(qps > 0) || !(burst >= 1)) throw new RangeError(`Cannot limit requests to ${qps} a second with a burst of ${burst}`)
  /** When the bucket is full again if nothing more is taken. Tokens are reserved in advance, which keeps the order. */
  let fullAtMs = Number.NEGATIVE_INFINITY
  const tokenMs = 1000 / qps
  return {
    acquire() {
      const nowMs = clock.now()
      fullAtMs = Math.max(fullAtMs, nowMs) + tokenMs
      const waitMs = fullAtMs - burst * tokenMs - nowMs
      return waitMs <= 0 ? Promise.resolve() : new Promise((resolve) => void clock.after(waitMs, resolve))
    },
  }
}
