// Cuts a trace to begin at its first step: a recording begins some time before, a simulation at that moment, and a comparison
// needs the same start. Pure.
import type { Change, Trace } from '../rollout/trace.ts'

/** The trace begins with the objects that existed at the first step; earlier events are left out. Without a step, it is unchanged. */
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

/** Undefined for changes that leave no object, such as events. */
function keyOf(change: Change): string | undefined {
  if ('pod' in change) return `pod/${change.pod.uid}`
  if ('set' in change) return `set/${change.set.uid}`
  if ('workload' in change) return `workload/${change.workload.uid}`
  return 'node' in change ? `node/${change.node.name}` : undefined
}
