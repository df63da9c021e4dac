// Finds out which pods wait for which, from the objects of a cluster alone, and removes all gates when the pacer no longer runs.
import { deployments, jobs, pods as podKind, replicaSets } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, KubernetesObject, Pod, Stored } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import { getOrAdd, groupBy } from '../../base/maps.ts'
import type { Client } from '../../client/client.ts'
import { isUncounted } from '../../controllers/deployment/plan/strays.ts'
import { applyRelease } from '../../controllers/pacer/pacer.ts'
import { deploymentCap, jobCap, replicaSetCap } from '../../controllers/pacer/plan/cap.ts'
import { isGated, planPacing } from '../../controllers/pacer/plan/pacing.ts'
import { stuckTerminationTimeoutOf } from '../../controllers/shared/plan/annotations.ts'
import { listAll } from '../remote/list-all.ts'

export interface WaitingWorkload {
  /** `Deployment`, `ReplicaSet`, `Job`, or empty for pods that nothing paces. */
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly admitted: number
  readonly cap: number | undefined
  readonly waiting: readonly string[]
  /** The terminating pods that they wait for. */
  readonly waitsFor: readonly string[]
  /** When the first of the waiting pods was created, in milliseconds since 1970. */
  readonly sinceMs: number
}

/** Workloads with gated pods, the longest waiting first. */
export async function readWaitingWorkloads(client: Client, namespace: string | undefined, nowMs: number): Promise<WaitingWorkload[]> {
  const inNamespace = namespace === undefined ? {} : { namespace }
  const all = await listAll(client, podKind, inNamespace)
  if (!all.some(isGated)) return []
  const owners = new Map<string, { kind: string; object: Stored<KubernetesObject>; cap: number }>()
  for (const job of await listAll(client, jobs, inNamespace)) owners.set(job.metadata.uid, { kind: 'Job', object: job, cap: jobCap(job) })
  const deploymentByUid = new Map((await listAll(client, deployments, inNamespace)).map((one) => [one.metadata.uid, one]))
  for (const set of await listAll(client, replicaSets, inNamespace)) {
    const deployment = deploymentByUid.get(controllerOf(set)?.uid ?? '')
    owners.set(
      set.metadata.uid,
      deployment === undefined
        ? { kind: 'ReplicaSet', object: set, cap: replicaSetCap(set) }
        : { kind: 'Deployment', object: deployment, cap: deploymentCap(deployment) },
    )
  }
  const strayDeployments = findStrayDeployments(deploymentByUid.values())
  for (const deployment of deploymentByUid.values())
    owners.set(deployment.metadata.uid, { kind: 'Deployment', object: deployment, cap: deploymentCap(deployment) })
  /** By the uid of the workload, or by the namespace for pods that nothing paces. */
  const groups = new Map<string, Stored<Pod>[]>()
  for (const pod of all) {
    const { namespace: ofPod = '' } = pod.metadata
    const owner = owners.get(controllerOf(pod)?.uid ?? '')
    const uids = owner === undefined ? strayDeployments(pod) : [owner.object.metadata.uid]
    for (const uid of uids.length === 0 ? [`/${ofPod}`] : uids) getOrAdd(groups, uid, () => []).push(pod)
  }
  const byUid = new Map([...owners.values()].map((owner) => [owner.object.metadata.uid, owner]))
  const found: WaitingWorkload[] = []
  for (const [uid, pods] of groups) {
    const owner = byUid.get(uid)
    const gated = pods.filter((pod) => isGated(pod) && pod.metadata.deletionTimestamp === undefined)
    if (gated.length === 0) continue
    const timeoutMs = owner && stuckTerminationTimeoutOf(owner.object).value
    const pacing = planPacing({ cap: owner?.cap, pods, ...(timeoutMs !== undefined && { stuckTerminationTimeoutMs: timeoutMs }) }, nowMs)
    found.push({
      kind: owner?.kind ?? '',
      namespace: gated[0]!.metadata.namespace ?? '',
      name: owner?.object.metadata.name ?? '',
      admitted: pacing.admitted,
      cap: owner?.cap,
      waiting: gated.map(({ metadata }) => metadata.name),
      waitsFor: pacing.waitsFor.map(({ metadata }) => metadata.name),
      sinceMs: Math.min(...gated.map(({ metadata }) => parseTime(metadata.creationTimestamp ?? '') || nowMs)),
    })
  }
  return found.sort((a, b) => a.sinceMs - b.sinceMs)
}

/** The uids of the Deployments that count a pod whose ReplicaSet was deleted, as the pacer does. */
function findStrayDeployments(all: Iterable<Stored<Deployment>>): (pod: Stored<Pod>) => readonly string[] {
  const byNamespace = groupBy(all, ({ metadata }) => metadata.namespace ?? '')
  return (pod) => {
    if (controllerOf(pod) === undefined) return []
    const inNamespace = byNamespace.get(pod.metadata.namespace ?? '') ?? []
    return inNamespace.filter((deployment) => isUncounted(deployment, pod)).map(({ metadata }) => metadata.uid)
  }
}

/** Removes the gate from every pod of the namespace, or of all; resolves to how many. */
export async function releaseAllPods(client: Client, namespace: string | undefined): Promise<number> {
  const all = await listAll(client, podKind, namespace === undefined ? {} : { namespace })
  const gated = all.filter((pod) => isGated(pod) && pod.metadata.deletionTimestamp === undefined)
  await applyRelease(client, gated)
  return gated.length
}
