// Ours: plans say as data when to reconcile again.
/** The earliest of the moments at which something has to be reconciled again; undefined when there is none. */
export function earliest(...timesMs: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined
  for (const timeMs of timesMs) if (timeMs !== undefined && (first === undefined || timeMs < first)) first = timeMs
  return first
}
