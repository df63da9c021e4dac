// Back-off for nodes that reject pods at once: each failure doubles the delay before the failed pod is replaced.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.podsShouldBeOnNode, failedPodsBackoffKey
// Kubernetes: k8s.io/client-go/util/flowcontrol.Backoff.*
import type { Backoff } from './snapshot.ts'

const minDelayMs = 1000
const maxDelayMs = 15 * 60 * 1000

const isExpired = ({ atMs }: Backoff, nowMs: number) => nowMs - atMs > 2 * maxDelayMs

/** When a failed pod may be deleted; undefined: at once. */
export function deletableAtMs(backoff: Backoff | undefined, nowMs: number): number | undefined {
  if (backoff === undefined || isExpired(backoff, nowMs)) return undefined
  const atMs = backoff.atMs + backoff.delayMs
  return atMs > nowMs ? atMs : undefined
}

export function nextBackoff(backoff: Backoff | undefined, nowMs: number): Backoff {
  if (backoff === undefined || isExpired(backoff, nowMs)) return { atMs: nowMs, delayMs: minDelayMs }
  return { atMs: nowMs, delayMs: Math.min(backoff.delayMs * 2, maxDelayMs) }
}

/** The back-offs that have not expired. */
export function unexpiredBackoffs(backoffs: ReadonlyMap<string, Backoff>, nowMs: number): Map<string, Backoff> {
  const kept = new Map<string, Backoff>()
  for (const [node, backoff] of backoffs) if (!isExpired(backoff, nowMs)) kept.set(node, backoff)
  return kept
}
