// The rows of the table of pods. Only the visible ones are built.
import type { ClusterState } from './cluster-state.ts'
import { type PodEntry, type PodState, podStates, reasonOf, terminatingForMs } from './pod-summary.ts'
import type { PodRow } from './views.ts'

/** Terminating and waiting pods come first, because they are of most interest. Finished ones come last. */
const order: readonly (PodState | undefined)[] = ['terminating', 'lost', 'waiting', 'pending', 'starting', 'ready', undefined]

/** The rows of the window, by state and then by name. Only the states that are visible in it are sorted. */
export function sortedPods(entries: readonly PodEntry[], from: number, to: number): PodEntry[] {
  const byState = new Map<PodState | undefined, PodEntry[]>([...podStates, undefined].map((state) => [state, []]))
  for (const entry of entries) byState.get(entry.state)!.push(entry)
  const shown: PodEntry[] = []
  let first = 0
  for (const state of order) {
    const own = byState.get(state)!
    const last = first + own.length
    if (first < to && last > from) {
      own.sort((a, b) => (a.name < b.name ? -1 : 1))
      shown.push(...own.slice(Math.max(0, from - first), to - first))
    }
    first = last
  }
  return shown
}

export function podRow(state: ClusterState, entry: PodEntry, nowMs: number, terminating: readonly string[]): PodRow {
  const { name, namespace, owner, state: podState, hash, node, createdMs, restarts, graceSeconds } = entry
  return {
    name,
    namespace,
    state: podState ?? 'finished',
    revision: state.revisionOf(owner, hash),
    node,
    createdMs: createdMs || nowMs,
    reason: reasonOf(entry, nowMs, terminating),
    restarts,
    ...(podState === 'terminating' && { terminating: { forMs: terminatingForMs(entry, nowMs), graceMs: graceSeconds * 1000 } }),
  }
}
