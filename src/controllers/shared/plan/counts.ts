// Ours: Go's encoder omits counts of zero.
/** The counts that are not 0: Kubernetes leaves out fields with a zero value. */
export function withoutZeros(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
}
