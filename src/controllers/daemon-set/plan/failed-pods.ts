// A node that refuses a pod as soon as it comes must not be offered one after the other: each failure doubles the wait.
import type { Backoff } from './snapshot.ts'

const firstDelayMs = 1000
const longestDelayMs = 15 * 60 * 1000

const isForgotten = ({ atMs }: Backoff, nowMs: number) => nowMs - atMs > 2 * longestDelayMs

/** When a failed pod may be deleted; undefined: at once. */
export function deletableAtMs(backoff: Backoff | undefined, nowMs: number): number | undefined {
  if (backoff === undefined || isForgotten(backoff, nowMs)) return undefined
  const atMs = backoff.atMs + backoff.delayMs
  return atMs > nowMs ? atMs : undefined
}

export function nextBackoff(backoff: Backoff | undefined, nowMs: number): Backoff {
  if (backoff === undefined || isForgotten(backoff, nowMs)) return { atMs: nowMs, delayMs: firstDelayMs }
  return { atMs: nowMs, delayMs: Math.min(backoff.delayMs * 2, longestDelayMs) }
}

/** Without those that no longer matter. */
export function keptBackoffs(backoffs: ReadonlyMap<string, Backoff>, nowMs: number): Map<string, Backoff> {
  const kept = new Map<string, Backoff>()
  for (const [node, backoff] of backoffs) if (!isForgotten(backoff, nowMs)) kept.set(node, backoff)
  return kept
}
