// A Deployment named `web` on a bench for controllers, and the nodes that play its pods. For tests.
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import type { Deployment, DeploymentPodReplacementPolicy, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import type { ControllerBench } from './controller-bench.ts'

export type DeploymentSpec = Partial<NonNullable<Deployment['spec']>>

export interface PlayedDeployment {
  create(spec?: DeploymentSpec): Promise<Stored<Deployment>>
  read(): Promise<Stored<Deployment>>
  /** A merge patch of the spec. */
  change(spec: object): Promise<unknown>
  changeImage(image: string): Promise<unknown>
  annotate(annotations: Readonly<Record<string, string>>): Promise<unknown>
  /** In the order of their images. */
  readSets(): Promise<Stored<ReplicaSet>[]>
  /** The size of each set by its image. */
  sizes(): Promise<Record<string, number | undefined>>
  /** The nodes report every new pod as running and ready. */
  reportAll(): Promise<void>
  /** The nodes do their part until the Deployment has so many pods, all new and available. */
  rollOut(replicas: number): Promise<Stored<Deployment>>
  /** Another client deletes a pod. Resolves to its name. */
  evictOne(): Promise<string>
  condition(type: string): Promise<NonNullable<NonNullable<Deployment['status']>['conditions']>[number] | undefined>
  /** The sizes before a scale that is still pending, by image. */
  pendingScales(): Promise<Record<string, string>>
}

export const beforeScaleAnnotation = 'deployment.kubernetes.io/replicaset-replicas-before-scale'

/** For tests of what the policy changes: no policy, and each of the two. */
export const everyPolicy: readonly (DeploymentPodReplacementPolicy | undefined)[] = [undefined, 'TerminationStarted', 'TerminationComplete']

export const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
})

export const templateOf = (image: string) => ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } })

const namespace = 'default'
const ref = { namespace, name: 'web' }

export const imageOf = ({ spec }: ReplicaSet) => spec?.template?.spec?.containers[0]?.image ?? ''

export const isBeingDeleted = ({ metadata }: Stored<Pod>) => metadata.deletionTimestamp !== undefined

export function playDeployment(bench: ControllerBench): PlayedDeployment {
  const { client } = bench
  const read = () => client.get(deployments, ref)
  const readSets = async () => [...(await client.list(replicaSets, { namespace })).items].sort((a, b) => (imageOf(a) < imageOf(b) ? -1 : 1))
  const reportAll = async () => {
    for (const pod of await bench.podsOf())
      if (!isBeingDeleted(pod) && pod.status?.phase !== 'Running' && pod.status?.phase !== 'Failed') await bench.report(pod, 'ready')
  }
  return {
    read,
    readSets,
    reportAll,
    create: (spec = {}) =>
      client.create(deployments, namespace, {
        metadata: { name: 'web' },
        spec: { selector: { matchLabels: { app: 'x' } }, template: templateOf('a:1'), strategy: rolling(1, 1), ...spec },
      } as Deployment),
    change: (spec) => client.patch(deployments, ref, 'merge', { spec }),
    changeImage: (image) => client.patch(deployments, ref, 'strategic', { spec: { template: templateOf(image) } }),
    annotate: (annotations) => client.patch(deployments, ref, 'merge', { metadata: { annotations } }),
    sizes: async () => Object.fromEntries((await readSets()).map((set) => [imageOf(set), set.spec?.replicas])),
    rollOut: (replicas) =>
      bench.until(`${replicas} are available`, async () => {
        await reportAll()
        await bench.finishTerminating()
        const { status, metadata } = await read()
        const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas].map((count) => count ?? 0)
        return status?.observedGeneration === metadata.generation && counts.every((count) => count === replicas) && read()
      }),
    async evictOne() {
      const { name } = (await bench.podsOf()).find((pod) => !isBeingDeleted(pod))!.metadata
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
      await client.createSubresource(pods, { namespace, name }, 'eviction', eviction)
      return name
    },
    condition: async (wanted) => (await read()).status?.conditions?.find(({ type }) => type === wanted),
    async pendingScales() {
      const pending: Record<string, string> = {}
      for (const set of await readSets()) {
        const before = set.metadata.annotations?.[beforeScaleAnnotation]
        if (before !== undefined) pending[imageOf(set)] = before
      }
      return pending
    },
  }
}
