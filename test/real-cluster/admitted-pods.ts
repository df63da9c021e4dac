// The pods that the pacer has admitted, counted at every watch event.
import { pods } from '../../src/api/kinds.ts'
import type { Pod, Stored } from '../../src/api/types.ts'
import { isGated } from '../../src/controllers/pacer/plan/pacing.ts'
import type { RealControlPlane } from './real-control-plane.ts'

/** Counts the admitted pods of an app: those without the gate that have not terminated. `waited` counts those that were seen with the gate. */
export async function countAdmitted({ client }: RealControlPlane, app: string) {
  const admitted = new Set<string>()
  const waited = new Set<string>()
  let peak = 0
  const observe = (type: string, pod: Stored<Pod>) => {
    const isOver = type === 'DELETED' || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (isOver || isGated(pod)) admitted.delete(pod.metadata.uid)
    else admitted.add(pod.metadata.uid)
    if (isGated(pod)) waited.add(pod.metadata.uid)
    peak = Math.max(peak, admitted.size)
  }
  const scope = { namespace: 'default', labelSelector: `app=${app}` }
  const list = await client.list(pods, scope)
  for (const pod of list.items) observe('ADDED', pod)
  const stop = client.watch(
    pods,
    { ...scope, resourceVersion: list.resourceVersion },
    {
      onEvents(events) {
        for (const { type, object } of events) if (type !== 'BOOKMARK') observe(type, object)
      },
      onEnd() {},
    },
  )
  return { peak: () => peak, waited: () => waited.size, stop }
}
