// Whether an eviction has to wait until its pod is replaced. Everything is read when it is asked, so that any replica can answer, and a pod
// that is to be replaced gets the marks by which its controller, or the pacer, finds it.
//
// Whatever cannot be read or written is allowed: disruption budgets then decide alone.
// Ours: surge before eviction exists in Rollcall only.
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, Pod, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { maxReplicas, replicasOf } from '../deployment/plan/fenceposts.ts'
import { workloadNamesOf } from '../pacer/plan/opt-in.ts'
import { isActive, isReady } from '../shared/plan/pod-state.ts'
import { evictionMarksOf, lastRequestMark, requestMark } from './plan/eviction-marks.ts'
import { describeEviction } from './plan/evictions.ts'

export interface EvictionRequest {
  readonly namespace: string
  readonly name: string
  /** Of the pod, if the request names it. */
  readonly uid?: string
  /** Nothing may be written. */
  readonly isDryRun: boolean
}

/** Undefined: the eviction may pass. Otherwise why it has to be tried again. */
export type EvictionReview = { readonly message: string; readonly retryAfterSeconds: number } | undefined

/** kubectl, Karpenter and cluster-autoscaler wait for so long, and try again. */
const retryAfterSeconds = 1
/** The marks of the last request are written so often at the most. */
const refreshMs = 20_000

/** Whether the pods of a Deployment are replaced before they are evicted. */
type IsOptedIn = (client: Client, deployment: Stored<Deployment>) => Promise<boolean>

export async function reviewEviction(
  client: Client,
  request: EvictionRequest,
  nowMs: number,
  isOptedIn: IsOptedIn,
): Promise<EvictionReview> {
  const { namespace, name, isDryRun } = request
  const pod = await ignoring('NotFound', client.get(pods, { namespace, name }))
  if (pod === undefined || !isActive(pod) || !isReady(pod) || (request.uid !== undefined && request.uid !== pod.metadata.uid))
    return undefined
  const { requestedMs, lastRequestMs = 0, replacing, answer } = evictionMarksOf(pod)
  if (answer !== undefined) return undefined
  const owner = controllerOf(pod)
  if (requestedMs !== undefined) {
    if (!isDryRun && nowMs - lastRequestMs >= refreshMs) await mark(client, pod, lastRequestMark(nowMs))
    return wait(replacing !== undefined, owner?.kind === 'Deployment' ? owner.name : (workloadNamesOf(pod)[1]?.split('/')[1] ?? ''))
  }
  if (owner === undefined || owner.kind !== 'ReplicaSet' || !owner.apiVersion.startsWith('apps/')) return undefined
  const set = await client.get(replicaSets, { namespace, name: owner.name })
  const parent = controllerOf(set)
  if (set.metadata.uid !== owner.uid || parent?.kind !== 'Deployment' || !parent.apiVersion.startsWith('apps/')) return undefined
  const deployment = await client.get(deployments, { namespace, name: parent.name })
  if (deployment.metadata.uid !== parent.uid || deployment.metadata.deletionTimestamp !== undefined) return undefined
  if (!canSurge(deployment) || !(await isOptedIn(client, deployment))) return undefined
  if (!isDryRun) await mark(client, pod, requestMark(nowMs))
  return wait(false, deployment.metadata.name)
}

const wait = (isReplacing: boolean, deployment: string): EvictionReview => ({
  message: describeEviction(isReplacing, deployment),
  retryAfterSeconds,
})

const canSurge = (deployment: Deployment) => replicasOf(deployment) > 0 && maxReplicas(deployment) > replicasOf(deployment)

async function mark(client: Client, { metadata }: Stored<Pod>, annotations: object): Promise<void> {
  const { namespace = '', name, uid, resourceVersion } = metadata
  try {
    await client.patch(pods, { namespace, name }, 'merge', { metadata: { uid, resourceVersion, annotations } })
  } catch (error) {
    // The pod has changed meanwhile: the next request notes it.
    if (!isStatusError(error, 'Conflict')) throw error
  }
}
