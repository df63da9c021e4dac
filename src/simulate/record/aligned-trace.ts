// A run from its first step on. A recording begins some time before anybody does anything, a simulation at that moment: to
// stand side by side they must begin alike. Pure.
import type { Change, Trace } from '../rollout/trace.ts'

/** What was there at the first step is there at the start; what had happened before is not told. Without a step: as it is. */
export function startAtFirstStep(trace: Trace): Trace {
  const first = trace.changes.findIndex((change) => 'step' in change && !change.isFault)
  if (first < 0) return trace
  const { atMs: stepMs } = trace.changes[first]!
  if (stepMs === 0) return trace
  const there = new Map<string, Change>()
  for (const change of trace.changes.slice(0, first)) {
    if ('gone' in change) there.delete(`${change.gone.type}/${change.gone.id}`)
    else {
      const key = keyOf(change)
      if (key !== undefined) there.set(key, change)
    }
  }
  const later = trace.changes.slice(first).map((change) => ({ ...change, atMs: change.atMs - stepMs }))
  return {
    ...trace,
    endMs: trace.endMs - stepMs,
    changes: [...[...there.values()].map((change) => ({ ...change, atMs: 0 })), ...later],
  }
}

/** Undefined: something that happened, and is not there afterwards. */
function keyOf(change: Change): string | undefined {
  if ('pod' in change) return `pod/${change.pod.uid}`
  if ('set' in change) return `set/${change.set.uid}`
  if ('workload' in change) return `workload/${change.workload.uid}`
  return 'node' in change ? `node/${change.node.name}` : undefined
}
