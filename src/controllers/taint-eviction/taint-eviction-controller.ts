// The taint eviction controller: deletes pods that do not tolerate a NoExecute taint of their node, at once or when their
// tolerationSeconds have passed.
import { nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import type { CancelTimer } from '../../base/clock.ts'
import { isEqualJson } from '../../base/json.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf, splitKey } from '../../runtime/informer.ts'
import { startWorkers } from '../../runtime/workers.ts'
import { executeTaints, planEviction, planEvictionCondition, type ScheduledEviction } from '../node-lifecycle/plan/eviction.ts'
import type { Taint } from '../node-lifecycle/plan/taints.ts'

type TaintEvictionOptions = RecordingControllerParts

interface Scheduled extends ScheduledEviction {
  readonly node: string
  readonly cancel: CancelTimer
}

const maxConcurrentEvictions = 8

export function startTaintEvictionController(options: TaintEvictionOptions): RunningController {
  const { client, clock, informers, recorder, queues, onFailure } = options
  const nodes = informers.get(nodeKind)
  const pods = informers.get(podKind)
  /** The NoExecute taints of the nodes that have any. */
  const tainted = new Map<string, readonly Taint[]>()
  const scheduled = new Map<string, Scheduled>()
  /** By key: the uid of the pods that are to be deleted now. */
  const evicting = new Map<string, string>()
  const changed = new Set<string>()
  let isFlushPending = false
  let isStopped = false

  const loop = startWorkers({
    name: 'noexec_taint_pod',
    clock,
    ...(queues && { queues }),
    workers: maxConcurrentEvictions,
    async reconcile(key) {
      const uid = evicting.get(key)
      if (uid === undefined) return undefined
      try {
        await evict(key, uid)
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
      }
      evicting.delete(key)
      return undefined
    },
    onFailure(key, error) {
      if (!isStatusError(error, 'Conflict')) onFailure?.(`taint eviction: pod ${key}`, error)
    },
  })

  const evict = async (key: string, uid: string) => {
    const ref = splitKey(key)
    const pod = await client.get(podKind, ref)
    // Another pod has the name now.
    if (pod.metadata.uid !== uid) return
    const condition = planEvictionCondition(pod, clock.now())
    if (condition !== undefined)
      await client.patch(podKind, ref, 'strategic', { metadata: { uid }, status: { conditions: [condition] } }, { subresource: 'status' })
    await client.delete(podKind, ref)
  }

  const record = (key: string, message: string) => {
    recorder.record({ apiVersion: 'v1', kind: 'Pod', metadata: splitKey(key) }, 'Normal', 'TaintManagerEviction', `${message} Pod ${key}`)
  }

  const startEviction = (key: string, uid: string) => {
    scheduled.delete(key)
    if (evicting.has(key)) return
    evicting.set(key, uid)
    record(key, 'Marking for deletion')
    loop.queue.add(key)
  }

  const cancel = (key: string) => {
    const known = scheduled.get(key)
    if (known === undefined) return
    known.cancel()
    scheduled.delete(key)
    record(key, 'Cancelling deletion of')
  }

  const scheduleEviction = (pod: Stored<Pod>, taints: readonly Taint[]) => {
    if (isStopped) return
    const key = keyOf(pod)
    const { uid } = pod.metadata
    const nowMs = clock.now()
    const known = scheduled.get(key)
    const next = planEviction(taints, pod.spec?.tolerations, known, nowMs)
    if (next === known) return
    cancel(key)
    if (next === undefined) return
    if (next.atMs <= nowMs) return startEviction(key, uid)
    const cancelTimer = clock.after(next.atMs - nowMs, () => startEviction(key, uid))
    scheduled.set(key, { ...next, node: pod.spec?.nodeName ?? '', cancel: cancelTimer })
  }

  /** One pass over the pods, however many nodes were tainted. */
  const flush = () => {
    isFlushPending = false
    if (isStopped) return
    const newlyTainted = new Map<string, readonly Taint[]>()
    for (const name of changed) {
      const node = nodes.get(name)
      const taints = executeTaints(node?.spec?.taints)
      if (taints.length > 0) {
        tainted.set(name, taints)
        newlyTainted.set(name, taints)
        continue
      }
      tainted.delete(name)
      if (node !== undefined) for (const [key, one] of scheduled) if (one.node === name) cancel(key)
    }
    changed.clear()
    if (newlyTainted.size === 0) return
    for (const pod of pods.values()) {
      const taints = newlyTainted.get(pod.spec?.nodeName ?? '')
      if (taints !== undefined) scheduleEviction(pod, taints)
    }
  }

  const scheduleFlush = () => {
    if (isFlushPending || isStopped || !nodes.hasSynced || !pods.hasSynced) return
    isFlushPending = true
    clock.after(0, flush)
  }

  nodes.onChange((current, previous) => {
    const before = executeTaints(previous?.spec?.taints)
    const after = executeTaints(current?.spec?.taints)
    if (before.length === 0 && after.length === 0) return
    if (current !== undefined && previous !== undefined && isEqualJson(before, after)) return
    changed.add((current ?? previous)!.metadata.name)
    scheduleFlush()
  })
  pods.onChange((current, previous) => {
    if (tainted.size === 0 && scheduled.size === 0) return
    if (current === undefined) return cancel(keyOf(previous!))
    const taints = tainted.get(current.spec?.nodeName ?? '')
    if (taints === undefined) return
    const isSame =
      previous !== undefined &&
      previous.spec?.nodeName === current.spec?.nodeName &&
      isEqualJson(previous.spec?.tolerations, current.spec?.tolerations)
    if (!isSame) scheduleEviction(current, taints)
  })

  return {
    synced: Promise.all([nodes.synced, pods.synced]).then(() => {
      if (changed.size > 0) scheduleFlush()
    }),
    async stop() {
      isStopped = true
      for (const { cancel: cancelTimer } of scheduled.values()) cancelTimer()
      await loop.stop()
    },
  }
}
