// Learns how long pods take, from the pods and events that a cluster has now.
import { coreEvents, pods, replicaSets } from '../api/kinds.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { Pod, Stored } from '../api/types.ts'
import type { Client } from '../client/client.ts'
import { type LearnedSamples, learnFromPods, timingKey } from '../simulate/record/learned-timing.ts'

interface LearnRequest {
  readonly client: Client
  /** Absent: all. */
  readonly namespace?: string | undefined
  /** Such as `deployment/web`. Empty: all. */
  readonly workloads: readonly string[]
}

export async function learnFromCluster({ client, namespace, workloads }: LearnRequest, learned: LearnedSamples): Promise<LearnedSamples> {
  const scope = namespace === undefined ? {} : { namespace }
  const [own, sets, events] = await Promise.all([
    client.list(pods, scope),
    client.list(replicaSets, scope),
    // Without permission for events there are no times of pulls.
    client.list(coreEvents, scope).catch((error: unknown) => {
      if (!isStatusError(error)) throw error
      return { items: [] }
    }),
  ])
  const deployments = new Map(
    sets.items.map(({ metadata }) => [metadata.uid, metadata.ownerReferences?.find(({ controller }) => controller)] as const),
  )
  const workloadOf = ({ metadata }: Stored<Pod>) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller)
    const top = owner?.uid === undefined ? undefined : (deployments.get(owner.uid) ?? owner)
    const name = top && `${top.kind?.toLowerCase()}/${top.name}`
    if (name === undefined || (workloads.length > 0 && !workloads.includes(name))) return undefined
    return timingKey({ kind: top?.kind ?? '', namespace: metadata.namespace ?? '', name: top?.name ?? '' })
  }
  return learnFromPods(own.items, events.items, workloadOf, learned)
}
