// Plans one sync of a DaemonSet: first the pods of all nodes, and when they are complete, the update.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.updateDaemonSet, DaemonSetsController.syncDaemonSet
import { nextAvailableAtMs } from '../../shared/plan/pod-state.ts'
import { earliest } from '../../shared/plan/requeue.ts'
import { planNodes } from './nodes.ts'
import { podsByNode } from './pods.ts'
import { planRollingUpdate } from './rolling-update.ts'
import type { DaemonSetPlan, DaemonSetSnapshot } from './snapshot.ts'
import { countNodes, nextStatus } from './status.ts'

/** Limits the pods that are created, and those that are deleted, in one sync. */
export const maxPodsPerSync = 250

export function planDaemonSet(snapshot: DaemonSetSnapshot): DaemonSetPlan {
  const byNode = podsByNode(snapshot.pods)
  const next = nextStatus(snapshot, countNodes(snapshot, byNode))
  const nodesPlan = planNodes(snapshot, byNode)
  const { notices, backoffs } = nodesPlan
  const isSettled = nodesPlan.create.length === 0 && nodesPlan.delete.length === 0
  const work = isSettled ? planRollingUpdate(snapshot, byNode) : nodesPlan
  const requeueAtMs = earliest(
    next.requeueAtMs,
    nodesPlan.requeueAtMs,
    nextAvailableAtMs(snapshot.pods, snapshot.set.spec?.minReadySeconds ?? 0, snapshot.nowMs),
  )
  return {
    create: work.create.slice(0, maxPodsPerSync),
    delete: work.delete.slice(0, maxPodsPerSync),
    notices,
    backoffs,
    status: next.status,
    ...(requeueAtMs !== undefined && { requeueAtMs }),
  }
}
