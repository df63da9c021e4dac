// The taint eviction controller: deletes pods that do not tolerate a NoExecute taint of their node, at once or when their
// tolerationSeconds have passed.
// Kubernetes: pkg/controller/tainteviction.Controller.handlePodUpdate, Controller.handleNodeUpdate, Controller.processPodOnNode
// Kubernetes: pkg/controller/tainteviction.Controller.emitPodDeletionEvent, Controller.emitCancelPodDeletionEvent, TimedWorkerQueue.*
import type { Taint } from '../../api/kinds/core/node/taints.ts'
import { nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isEqualJson } from '../../base/json.ts'
import { buildController } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf, splitKey } from '../../runtime/informer.ts'
import { requeueAt } from '../../runtime/workers.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { executeTaints, planEviction, planEvictionCondition, type ScheduledEviction } from '../node-lifecycle/plan/eviction.ts'

const maxConcurrentEvictions = 8

export const taintEvictionController: ControllerDefinition = {
  name: 'taint-eviction-controller',
  start: startTaintEvictionController,
}

export function startTaintEvictionController(parts: RecordingControllerParts): RunningController {
  const { clock, informers, recorder } = parts
  const nodes = informers.get(nodeKind)
  const pods = informers.get(podKind)
  /** The NoExecute taints of the nodes that have any. */
  const tainted = new Map<string, readonly Taint[]>()
  const scheduled = new Map<string, ScheduledEviction>()
  /** By key: the uid of the pods that are to be deleted now. */
  const evicting = new Map<string, string>()
  /** Nodes whose pods are enqueued in the next pass. */
  const changed = new Set<string>()

  const record = (key: string, message: string) =>
    recorder.record({ apiVersion: 'v1', kind: 'Pod', metadata: splitKey(key) }, 'Normal', 'TaintManagerEviction', `${message} Pod ${key}`)
  const cancel = (key: string) => {
    if (scheduled.delete(key)) record(key, 'Cancelling deletion of')
  }

  const controller = buildController(parts, {
    name: 'noexec_taint_pod',
    for: podKind,
    reads: [nodes],
    delayOf({ spec }, previous) {
      if (!tainted.has(spec?.nodeName ?? '')) return undefined
      const isSame = previous?.spec?.nodeName === spec?.nodeName && isEqualJson(previous?.spec?.tolerations, spec?.tolerations)
      return isSame ? undefined : 0
    },
    workers: maxConcurrentEvictions,
    async reconcile(pod, { key, client }) {
      const { uid } = pod.metadata
      const nowMs = clock.now()
      if (evicting.get(key) !== uid) {
        const node = pod.spec?.nodeName ?? ''
        const known = scheduled.get(key)
        // The deletion of a node does not cancel the evictions of its pods.
        const isNodeKnown = nodes.get(node) !== undefined
        const next = isNodeKnown ? planEviction(tainted.get(node) ?? [], pod.spec?.tolerations, known, nowMs) : known
        if (next !== known) cancel(key)
        if (next === undefined) return undefined
        if (next.atMs > nowMs) {
          scheduled.set(key, next)
          return requeueAt(next.atMs, clock)
        }
        scheduled.delete(key)
        evicting.set(key, uid)
        record(key, 'Marking for deletion')
      }
      const ref = splitKey(key)
      const condition = planEvictionCondition(pod, nowMs)
      if (condition !== undefined)
        await client.patch(podKind, ref, 'strategic', { metadata: { uid }, status: { conditions: [condition] } }, { subresource: 'status' })
      await client.delete(podKind, ref, { preconditions: { uid } })
      evicting.delete(key)
      return undefined
    },
    forget(key) {
      cancel(key)
      evicting.delete(key)
    },
  })

  const enqueuePods = () => {
    for (const name of changed) for (const pod of pods.byIndex('node', name)) controller.enqueue(keyOf(pod))
    changed.clear()
  }

  nodes.onChange((current, previous) => {
    const before = executeTaints(previous?.spec?.taints)
    const after = executeTaints(current?.spec?.taints)
    const { name } = (current ?? previous)!.metadata
    if (after.length === 0) tainted.delete(name)
    else tainted.set(name, after)
    if (current === undefined || isEqualJson(before, after)) return
    if (changed.size === 0) clock.after(0, enqueuePods)
    changed.add(name)
  })

  return controller
}
