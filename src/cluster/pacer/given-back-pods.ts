// Gives pods that the pacer has taken over before their eviction back to their ReplicaSets, for a cluster in which it no longer runs.
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Pod, ReplicaSet, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { templateHashLabel } from '../../controllers/deployment/plan/replica-sets.ts'
import { giveBack } from '../../controllers/eviction/apply-evictions.ts'
import { hasEvictionMarks } from '../../controllers/eviction/plan/eviction-marks.ts'
import { listAll } from '../remote/list-all.ts'

/** Resolves to how many pods were to be evicted. */
export async function giveBackPods(client: Client, namespace: string | undefined): Promise<number> {
  const inNamespace = namespace === undefined ? {} : { namespace }
  const marked = (await listAll(client, pods, inNamespace)).filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && hasEvictionMarks(pod),
  )
  if (marked.length === 0) return 0
  const uids = new Set((await listAll(client, deployments, inNamespace)).map(({ metadata }) => metadata.uid))
  /** By the Deployment and the hash of the template. */
  const sets = new Map<string, Stored<ReplicaSet>>()
  for (const set of await listAll(client, replicaSets, inNamespace)) sets.set(keyOf(controllerOf(set)?.uid, set), set)
  for (const pod of marked) {
    const owner = controllerOf(pod)?.uid
    await giveBack(client, pod, owner !== undefined && uids.has(owner) ? sets.get(keyOf(owner, pod)) : undefined)
  }
  return marked.length
}

const keyOf = (deployment: string | undefined, { metadata }: Stored<Pod | ReplicaSet>) =>
  `${deployment} ${metadata.labels?.[templateHashLabel]}`
