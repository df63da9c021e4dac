// Small objects for the tests of this folder.
import { defaultFeatureGates, type FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import type { DeploymentSnapshot } from '../plan/snapshot.ts'

export const startMs = 1_800_000_000_000

type DeploymentSpec = NonNullable<Deployment['spec']>
type Template = DeploymentSpec['template']

export const templateOf = (image: string): Template =>
  ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } }) as Template

export interface SampleDeployment {
  readonly replicas?: number
  readonly maxSurge?: number | string
  readonly maxUnavailable?: number | string
  readonly strategy?: 'RollingUpdate' | 'Recreate'
  readonly image?: string
  readonly policy?: 'TerminationStarted' | 'TerminationComplete'
  readonly spec?: Partial<DeploymentSpec>
  readonly annotations?: Readonly<Record<string, string>>
  readonly generation?: number
  readonly status?: Deployment['status']
}

export function sampleDeployment({
  replicas = 1,
  maxSurge = '25%',
  maxUnavailable = '25%',
  strategy = 'RollingUpdate',
  image = 'a:1',
  policy,
  spec,
  annotations,
  generation = 1,
  status,
}: SampleDeployment = {}): Stored<Deployment> {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'n', uid: 'd', resourceVersion: '1', generation, ...(annotations && { annotations }) },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'x' } },
      template: templateOf(image),
      strategy: strategy === 'Recreate' ? { type: strategy } : { type: strategy, rollingUpdate: { maxSurge, maxUnavailable } },
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      ...(policy && { podReplacementPolicy: policy }),
      ...spec,
    },
    status: status ?? {},
  } as Stored<Deployment>
}

export interface SampleSet {
  readonly name?: string
  readonly size: number
  readonly image?: string
  /** A higher number is newer. */
  readonly age?: number
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec?: Partial<NonNullable<ReplicaSet['spec']>>
  readonly status?: Partial<NonNullable<ReplicaSet['status']>>
  readonly generation?: number
  readonly isBeingDeleted?: boolean
}

/** By default all pods of the ReplicaSet exist and are available. */
export function sampleSet(given: SampleSet) {
  const { name, size, image = 'a:1', age = 1, annotations = {}, spec, status, generation = 1, isBeingDeleted = false } = given
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: name ?? `web-${age}`,
      namespace: 'n',
      uid: name ?? `web-${age}`,
      resourceVersion: '1',
      generation,
      creationTimestamp: formatTime(startMs + age * 1000),
      ...(isBeingDeleted && { deletionTimestamp: formatTime(startMs), finalizers: ['foregroundDeletion'] }),
      annotations: { 'deployment.kubernetes.io/revision': String(age), ...annotations },
      labels: { app: 'x' },
    },
    spec: { replicas: size, selector: { matchLabels: { app: 'x' } }, template: templateOf(image), ...spec },
    status: {
      replicas: size,
      readyReplicas: size,
      availableReplicas: size,
      terminatingReplicas: 0,
      observedGeneration: generation,
      ...status,
    },
  } as Stored<ReplicaSet>
}

export const scaledFor = (desired: number, max: number) => ({
  'deployment.kubernetes.io/desired-replicas': String(desired),
  'deployment.kubernetes.io/max-replicas': String(max),
})

export function sampleSnapshot(
  deployment: Stored<Deployment>,
  replicaSets: readonly Stored<ReplicaSet>[],
  {
    gates = defaultFeatureGates,
    pods = {},
    strays = [],
    orphans = [],
  }: { gates?: FeatureGates; pods?: Readonly<Record<string, readonly Pod[]>>; strays?: readonly Pod[]; orphans?: readonly Pod[] } = {},
): DeploymentSnapshot {
  const podsOf = (uid: string) => pods[uid] ?? []
  const deletedPodsOf = (uid: string) => podsOf(uid).filter(({ metadata }) => metadata?.deletionTimestamp !== undefined)
  return { deployment, replicaSets, podsOf, podCountOf: (uid) => podsOf(uid).length, deletedPodsOf, strays, orphans, gates }
}

export const gatesWith = (changes: Partial<FeatureGates>): FeatureGates => ({ ...defaultFeatureGates, ...changes })
