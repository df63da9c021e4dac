// A Deployment in a virtual cluster whose controllers replace pods before their eviction, counted at every change, and clients that evict its
// pods as kubectl, Karpenter and cluster-autoscaler do.
import { deployments, pods } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, Pod, Stored } from '../../api/types.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Client } from '../../client/client.ts'
import { startVirtualCluster, type VirtualClusterOptions } from '../virtual-cluster.ts'

export const namespace = 'default'

interface Choices {
  readonly rollingUpdate?: object
  /** Of the spec, instead of what it has. */
  readonly spec?: object
  readonly seed?: number
  wrapClient?: VirtualClusterOptions['wrapClient']
}

/** `web`, whose pods take 10 s to become ready and 5 s to terminate, with all replicas available. */
export async function openEvictedDeployment(replicas: number, choices: Choices = {}) {
  const { rollingUpdate = { maxSurge: 1, maxUnavailable: 0 }, spec = {}, seed = 1, wrapClient } = choices
  const clock = new VirtualClock()
  const failures: string[] = []
  const cluster = await startVirtualCluster({
    clock,
    seed,
    gates: { ...defaultFeatureGates, DeploymentPodReplacementPolicy: true },
    nodes: [{ count: 4 }],
    evictionTimeoutMs: 300_000,
    ...(wrapClient && { wrapClient }),
    onFailure: (what, error) => failures.push(`${what}: ${(error as Error).message}`),
  })
  const { client } = cluster
  await clock.runUntilSettled(cluster.startControllers())
  await client.create(deployments, namespace, {
    metadata: { name: 'web' },
    spec: {
      replicas,
      podReplacementPolicy: 'TerminationComplete',
      strategy: { rollingUpdate },
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/ready-delay': '10s', 'rollcall.dev/stop-delay': '5s' } },
        spec: { containers: [{ name: 'web', image: 'example/web:1' }] },
      },
      ...spec,
    },
  } as unknown as Deployment)
  const all = async () => (await client.list(pods, { namespace })).items
  await clock.runUntil(async () => (await all()).filter(isAvailable).length === replicas, clock.now() + 60_000)
  let lowest = replicas
  let peak = replicas
  const here = new Map((await all()).map((pod) => [pod.metadata.uid, pod]))
  cluster.onChange(({ verb, kind, object }) => {
    if (kind.kind !== 'Pod') return
    if (verb === 'delete') here.delete(object.metadata.uid)
    else here.set(object.metadata.uid, object as Stored<Pod>)
    lowest = Math.min(lowest, [...here.values()].filter(isAvailable).length)
    peak = Math.max(peak, here.size)
  })
  const change = (patch: object) => client.patch(deployments, { namespace, name: 'web' }, 'merge', patch)
  return { cluster, clock, client, all, change, failures, lowest: () => lowest, peak: () => peak }
}

export const isAvailable = ({ metadata, status }: Stored<Pod>) =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false)

/** Requests the eviction once. Resolves to how long the server wants its client to wait, 0 if it names no time; undefined when the pod is evicted, or gone. */
async function evictOnce(client: Client, name: string, uid: string | undefined): Promise<number | undefined> {
  const deleteOptions = uid === undefined ? {} : { deleteOptions: { preconditions: { uid } } }
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, ...deleteOptions }
  try {
    await client.createSubresource(pods, { namespace, name }, 'eviction', body)
    return undefined
  } catch (error) {
    if (isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')) return undefined
    if (!isStatusError(error, 'TooManyRequests')) throw error
    return (error.status.details?.retryAfterSeconds ?? 0) * 1000
  }
}

export const evict = async (client: Client, name: string) => (await evictOnce(client, name, undefined)) === undefined

export type Evictor = 'kubectl' | 'Karpenter' | 'cluster-autoscaler'

/** Resolves when the pods are evicted, or rejects where the client gives up. */
export async function evictAs(evictor: Evictor, client: Client, clock: VirtualClock, evicted: readonly Stored<Pod>[]): Promise<void> {
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))
  const startMs = clock.now()
  await Promise.all(
    evicted.map(async ({ metadata: { name, uid } }) => {
      for (let tries = 0; ; tries++) {
        const retryAfterMs = await evictOnce(client, name, evictor === 'Karpenter' ? uid : undefined)
        if (retryAfterMs === undefined) return
        // client-go waits as the server says, ten times, before kubectl waits 5 s. Karpenter's queue backs off from 100 ms to 10 s. The autoscaler
        // tries every 10 s, and gives up after two minutes.
        if (evictor === 'kubectl') await pause(retryAfterMs > 0 && tries % 11 < 10 ? retryAfterMs : 5_000)
        else if (evictor === 'Karpenter') await pause(Math.min(10_000, 100 * 2 ** tries))
        else if (clock.now() - startMs > 120_000) throw new Error(`gave up evicting ${name}`)
        else await pause(10_000)
      }
    }),
  )
}
