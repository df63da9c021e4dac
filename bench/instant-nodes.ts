// Nodes in this process on which pods run, succeed (`endsPods`) and terminate at once.
import { pods } from '../src/api/kinds.ts'
import type { Pod, Stored } from '../src/api/types.ts'
import { formatTime, realClock } from '../src/base/clock.ts'
import type { Client } from '../src/client/client.ts'
import { nodeOf } from '../src/controllers/daemon-set/plan/pods.ts'

export interface InstantNodes {
  /** Whether pods succeed as soon as they run. */
  endsPods: boolean
  stop(): void
}

const atATime = 32

/** Acts on the changes after `resourceVersion`. */
export function playInstantly(client: Client, resourceVersion: string): InstantNodes {
  const waiting: Stored<Pod>[] = []
  let working = 0
  const played: InstantNodes = { endsPods: false, stop: () => close() }

  const patchStatus = ({ metadata }: Stored<Pod>, status: object) =>
    client.patch(pods, { namespace: metadata.namespace ?? '', name: metadata.name }, 'merge', { status }, { subresource: 'status' })
  const play = async (pod: Stored<Pod>) => {
    const { name, namespace = '', deletionTimestamp } = pod.metadata
    if (deletionTimestamp !== undefined) return client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 })
    const target = { kind: 'Node', name: nodeOf(pod) || 'node-0' }
    if (!pod.spec?.nodeName)
      await client.createSubresource(pods, { namespace, name }, 'binding', {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name },
        target,
      })
    const time = formatTime(realClock.now())
    const conditions = ['Initialized', 'Ready', 'ContainersReady'].map((type) => ({ type, status: 'True', lastTransitionTime: time }))
    await patchStatus(pod, { phase: 'Running', startTime: time, podIP: '10.0.0.1', conditions })
    if (played.endsPods) await patchStatus(pod, { phase: 'Succeeded', conditions: [] })
  }
  const pump = async () => {
    working++
    for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) await play(pod).catch(() => {})
    working--
  }

  const close = client.watch(
    pods,
    { resourceVersion },
    {
      onEvents: (events) => {
        for (const { type, object } of events) {
          const isNew = type === 'ADDED' && object.metadata.deletionTimestamp === undefined
          const isDeleted = type === 'MODIFIED' && object.metadata.deletionTimestamp !== undefined
          if (isNew || isDeleted) waiting.push(object)
        }
        while (working < atATime && working < waiting.length) void pump()
      },
      onEnd: () => {},
    },
  )
  return played
}
