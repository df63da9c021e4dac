// The part of a trace that is about some of its workloads.
import type { Change, Trace } from '../rollout/trace.ts'

/** Workloads by uid, with the sets and pods that they own, whenever those were seen, all nodes, and what happened to them. */
export function selectWorkloads(changes: readonly Change[], isSelected: (uid: string) => boolean): Change[] {
  const owners = new Set<string>()
  const names = new Set<string>()
  for (const change of changes) {
    if ('workload' in change && isSelected(change.workload.uid)) {
      owners.add(change.workload.uid)
      names.add(`${change.workload.kind}/${change.workload.name}`)
    }
    // A set may be seen before its Deployment.
    if ('set' in change && change.set.owner !== undefined && isSelected(change.set.owner)) {
      owners.add(change.set.uid)
      names.add(`ReplicaSet/${change.set.name}`)
    }
  }
  const pods = new Set<string>()
  for (const change of changes) if ('pod' in change && owners.has(change.pod.owner ?? '')) pods.add(change.pod.uid)
  return changes.filter((change) => {
    if ('pod' in change) return pods.has(change.pod.uid)
    if ('set' in change) return owners.has(change.set.uid)
    if ('workload' in change) return owners.has(change.workload.uid)
    if ('gone' in change) return change.gone.type === 'node' || owners.has(change.gone.id) || pods.has(change.gone.id)
    if ('load' in change) return names.has(`${change.load.kind}/${change.load.name}`)
    if ('event' in change) return change.event.object.startsWith('Node/') || names.has(change.event.object)
    if ('step' in change) return change.isFault || names.has(change.step.slice(0, change.step.indexOf(':')))
    return true
  })
}

/** `Deployment default/web`, or how many there are. */
export function titleOf(changes: Trace['changes'], place: string): string {
  const workloads = new Map(changes.flatMap((change) => ('workload' in change ? [[change.workload.uid, change.workload]] : [])))
  const [only] = workloads.values()
  if (only !== undefined && workloads.size === 1) return `${only.kind} ${only.namespace}/${only.name}`
  return `${workloads.size} workloads in ${place}`
}
