// A scheduler and kubelets without simulated time: every pod is bound as soon as it is observed, then reported as ready, and removed as
// soon as it is deleted. All writes go through the client.
import { pods } from '../src/api/kinds.ts'
import { isStatusError } from '../src/api/machinery/status-error.ts'
import type { Pod, Stored } from '../src/api/types.ts'
import { formatTime, realClock } from '../src/base/clock.ts'
import type { Client } from '../src/client/client.ts'

export interface RolloutNodes {
  /** How many pods exist, terminating ones included. */
  readonly pods: number
  /** How many pods are ready. */
  readonly ready: number
  stop(): void
}

const nodeCount = 100
/** Each node makes one request at a time. */
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
        // Another client was faster: the next event has the current state of the pod.
        if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
      }
      if (taken === 1000) {
        waiting.splice(0, taken)
        taken = 0
      }
    }
    working--
  }
  const observe = (pod: Stored<Pod>, isDeleted: boolean) => {
    const { uid, deletionTimestamp } = pod.metadata
    const isReady = deletionTimestamp === undefined && pod.status?.phase === 'Running'
    if (present.get(uid) === true) ready--
    if (isDeleted) {
      present.delete(uid)
      return
    }
    present.set(uid, isReady)
    if (isReady) ready++
    else waiting.push(pod)
    if (working < atATime) void work()
  }

  const stop = client.watch(
    pods,
    { resourceVersion: '' },
    {
      onEvents(events) {
        for (const { type, object } of events) observe(object, type === 'DELETED')
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
