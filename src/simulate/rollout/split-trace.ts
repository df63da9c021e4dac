// Divides a trace by workload. Pure.
import type { Target } from './plan.ts'
import type { Change, Trace } from './trace.ts'

interface WorkloadTrace extends Target {
  readonly trace: Trace
}

/**
 * One trace for each workload, in the order of their names. Steps are in all of them; nodes and events are in none. Undefined where there
 * is only one workload.
 */
export function splitTrace(trace: Trace): WorkloadTrace[] | undefined {
  const workloads = new Map<string, Target & { readonly changes: Change[] }>()
  const byName = new Map<string, string>()
  const ownerOf = new Map<string, string>()
  for (const change of trace.changes) {
    if ('workload' in change) {
      const { uid, kind, namespace, name } = change.workload
      if (!workloads.has(uid)) workloads.set(uid, { kind, namespace, name, changes: [] })
      byName.set(`${kind}/${namespace}/${name}`, uid)
    } else if ('set' in change && change.set.owner !== undefined) ownerOf.set(change.set.uid, change.set.owner)
  }
  // A ReplicaSet that a Deployment has adopted is part of it.
  for (const set of ownerOf.keys()) workloads.delete(set)
  if (workloads.size < 2) return undefined
  const workloadOf = (owner: string | undefined) => (owner === undefined ? undefined : (ownerOf.get(owner) ?? owner))
  const podWorkloads = new Map<string, string | undefined>()
  const uidOf = (change: Change): string | undefined => {
    if ('workload' in change) return workloadOf(change.workload.uid)
    if ('set' in change) return change.set.owner
    if ('load' in change) return byName.get(`${change.load.kind}/${change.load.namespace}/${change.load.name}`)
    if ('pod' in change) {
      const uid = workloadOf(change.pod.owner)
      podWorkloads.set(change.pod.uid, uid)
      return uid
    }
    if ('gone' in change) return change.gone.type === 'pod' ? podWorkloads.get(change.gone.id) : workloadOf(change.gone.id)
    return undefined
  }
  for (const change of trace.changes) {
    if ('step' in change) for (const { changes } of workloads.values()) changes.push(change)
    else workloads.get(uidOf(change) ?? '')?.changes.push(change)
  }
  return [...workloads.values()]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ changes, ...workload }) => ({ ...workload, trace: { ...trace, changes } }))
}
