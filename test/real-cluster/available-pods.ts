// The available and the admitted pods of an app, counted at every watch event.
import { pods } from '../../src/api/kinds.ts'
import type { Pod, Stored } from '../../src/api/types.ts'
import { realClock } from '../../src/base/clock.ts'
import type { Client } from '../../src/client/client.ts'
import { isGated } from '../../src/controllers/pacer/plan/pacing.ts'
import { isReady, isTerminal } from '../../src/controllers/shared/plan/pod-state.ts'

/**
 * Available: ready, and its deletion was not requested. Admitted: without the gate, and not terminated. `floor`: how many pods should be
 * available.
 */
export async function countAvailable(client: Client, app: string, floor = 0) {
  const available = new Set<string>()
  const admitted = new Set<string>()
  let lowest = Number.POSITIVE_INFINITY
  let peak = 0
  let belowMs = 0
  let belowSinceMs: number | undefined
  const put = (set: Set<string>, uid: string, isIn: boolean) => (isIn ? set.add(uid) : set.delete(uid))
  const observe = (type: string, pod: Stored<Pod>) => {
    const { uid, deletionTimestamp } = pod.metadata
    const isOver = type === 'DELETED' || isTerminal(pod)
    put(available, uid, !isOver && deletionTimestamp === undefined && isReady(pod))
    put(admitted, uid, !isOver && !isGated(pod))
  }
  const scope = { namespace: 'default', labelSelector: `app=${app}` }
  const list = await client.list(pods, scope)
  for (const pod of list.items) observe('ADDED', pod)
  const note = () => {
    lowest = Math.min(lowest, available.size)
    peak = Math.max(peak, admitted.size)
    if (available.size < floor) belowSinceMs ??= realClock.now()
    else if (belowSinceMs !== undefined) {
      belowMs += realClock.now() - belowSinceMs
      belowSinceMs = undefined
    }
  }
  note()
  const stop = client.watch(
    pods,
    { ...scope, resourceVersion: list.resourceVersion },
    {
      onEvents(events) {
        for (const { type, object } of events) {
          if (type === 'BOOKMARK') continue
          observe(type, object)
          note()
        }
      },
      onEnd() {},
    },
  )
  const below = () => belowMs + (belowSinceMs === undefined ? 0 : realClock.now() - belowSinceMs)
  return { lowest: () => lowest, peak: () => peak, belowMs: below, stop }
}
