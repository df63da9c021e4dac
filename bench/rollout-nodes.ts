// Nodes without a machine: every pod is bound as soon as it is seen, then said to be ready; a pod that is asked to go is
// gone. All writes go through the client, as a scheduler and kubelets make them.
import { pods } from '../src/api/kinds.ts'
import { isStatusError } from '../src/api/machinery/status-error.ts'
import type { Pod, Stored } from '../src/api/types.ts'
import { formatTime, realClock } from '../src/base/clock.ts'
import type { Client } from '../src/client/client.ts'

export interface RolloutNodes {
  /** Pods that are there, terminating ones included. */
  readonly pods: number
  /** Those that are ready. */
  readonly ready: number
  stop(): void
}

const nodeCount = 100
/** Every node does one thing at a time. */
const atATime = nodeCount

export function playNodes(client: Client): RolloutNodes {
  const present = new Map<string, boolean>()
  const waiting: Stored<Pod>[] = []
  let taken = 0
  let working = 0
  let ready = 0
  let bound = 0

  const play = async (pod: Stored<Pod>) => {
    const { uid, name, namespace = '', deletionTimestamp } = pod.metadata
    const ref = { namespace, name }
    if (deletionTimestamp !== undefined) return client.delete(pods, ref, { gracePeriodSeconds: 0, preconditions: { uid } })
    if (pod.spec?.nodeName !== undefined) return client.updateStatus(pods, { ...pod, status: runningStatus() })
    const target = { apiVersion: 'v1', kind: 'Node', name: `node-${bound++ % nodeCount}` }
    return client.createSubresource(pods, ref, 'binding', { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target })
  }
  const work = async () => {
    working++
    while (taken < waiting.length) {
      const pod = waiting[taken++]!
      try {
        await play(pod)
      } catch (error) {
        // Somebody was faster: what has become of the pod comes with the next event.
        if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
      }
      if (taken === 1000) {
        waiting.splice(0, taken)
        taken = 0
      }
    }
    working--
  }
  const see = (pod: Stored<Pod>, isGone: boolean) => {
    const { uid, deletionTimestamp } = pod.metadata
    const isReady = deletionTimestamp === undefined && pod.status?.phase === 'Running'
    if (present.get(uid) === true) ready--
    if (isGone) present.delete(uid)
    else present.set(uid, isReady)
    if (isGone) return
    if (isReady) ready++
    else waiting.push(pod)
    if (working < atATime) void work()
  }

  const stop = client.watch(
    pods,
    { resourceVersion: '' },
    {
      onEvents(events) {
        for (const { type, object } of events) see(object, type === 'DELETED')
      },
      onEnd(error) {
        if (error !== undefined) throw error
      },
    },
  )
  return {
    get pods() {
      return present.size
    },
    get ready() {
      return ready
    },
    stop,
  }
}

function runningStatus(): NonNullable<Pod['status']> {
  const now = formatTime(realClock.now())
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }))
  return { phase: 'Running', startTime: now, podIP: '10.0.0.1', conditions }
}
