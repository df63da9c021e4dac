// Finds out which evictions wait until their pods are replaced, from the pods of a cluster alone.
import { pods } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Client } from '../../client/client.ts'
import { evictionMarksOf, isBeingReplaced } from '../../controllers/eviction/plan/eviction-marks.ts'
import { workloadNamesOf } from '../../controllers/pacer/plan/opt-in.ts'
import { listAll } from '../remote/list-all.ts'

export { describeEviction } from '../../controllers/eviction/plan/evictions.ts'

export interface EvictedPod {
  readonly kind: 'Deployment'
  readonly namespace: string
  readonly name: string
  /** `isReplacing`: its replacement was requested; otherwise it waits for room. `sinceMs` is in milliseconds since 1970. */
  readonly eviction: { readonly pod: string; readonly isReplacing: boolean; readonly sinceMs: number }
}

/** The longest waiting first. */
export async function readWaitingEvictions(client: Client, namespace: string | undefined): Promise<readonly EvictedPod[]> {
  const found: EvictedPod[] = []
  for (const pod of await listAll(client, pods, namespace === undefined ? {} : { namespace })) {
    const { requestedMs, answer } = evictionMarksOf(pod)
    if (requestedMs === undefined || answer !== undefined || pod.metadata.deletionTimestamp !== undefined) continue
    const owner = controllerOf(pod)
    const isTakenOver = owner?.kind === 'Deployment'
    found.push({
      kind: 'Deployment',
      namespace: pod.metadata.namespace ?? '',
      name: isTakenOver ? owner.name : (workloadNamesOf(pod)[1]?.split('/')[1] ?? ''),
      eviction: { pod: pod.metadata.name, isReplacing: isTakenOver || isBeingReplaced(pod), sinceMs: requestedMs },
    })
  }
  return found.sort((a, b) => a.eviction.sinceMs - b.eviction.sinceMs)
}
