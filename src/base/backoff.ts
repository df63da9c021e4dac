// Exponential back-off. Those that client-go's flowcontrol.Backoff describes keep their last delay instead of a count, because it expires.

interface BackoffLimits {
  readonly firstMs: number
  readonly maxMs: number
}

/** The delay after so many failures in a row: the first one, which doubles with each further failure up to the maximum. */
export const backoffMs = (failures: number, { firstMs, maxMs }: BackoffLimits): number =>
  Math.min(firstMs * 2 ** Math.max(0, failures - 1), maxMs)
