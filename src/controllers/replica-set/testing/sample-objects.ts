// Pods and sets for the tests of this folder, as small as they may be.
import { defaultFeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Pod, ReplicaSet, ReplicationController, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { type ReplicaSettings, settingsOf } from '../plan/settings.ts'

export const nowMs = Date.UTC(2026, 10, 1, 12)

/** `secondsAgo` seconds before now, as it stands in an object. */
export const ago = (secondsAgo: number) => formatTime(nowMs - secondsAgo * 1000)

export interface PodTraits {
  readonly phase?: string
  readonly node?: string
  /** Ready since so many seconds; `null`: ready, and it does not say since when. */
  readonly readyFor?: number | null
  readonly cost?: string
  readonly restarts?: number
  readonly sidecarRestarts?: number
  readonly age?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly terminating?: boolean
}

export function podOf(uid: string, traits: PodTraits = {}): Stored<Pod> {
  const { phase = 'Running', node, readyFor, cost, restarts, sidecarRestarts, age = 100, labels = { app: 'x' }, terminating } = traits
  return {
    metadata: {
      name: `pod-${uid}`,
      namespace: 'default',
      uid,
      resourceVersion: '1',
      creationTimestamp: ago(age),
      labels,
      ...(cost !== undefined && { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
      ...(terminating && { deletionTimestamp: ago(-30) }),
    },
    spec: {
      containers: [],
      ...(node !== undefined && { nodeName: node }),
      ...(sidecarRestarts !== undefined && { initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'once' }] }),
    },
    status: {
      phase,
      ...(readyFor !== undefined && {
        conditions: [{ type: 'Ready', status: 'True', ...(readyFor !== null && { lastTransitionTime: ago(readyFor) }) }],
      }),
      ...(restarts !== undefined && { containerStatuses: [statusOf('c', restarts)] }),
      ...(sidecarRestarts !== undefined && { initContainerStatuses: [statusOf('once', 99), statusOf('s', sidecarRestarts)] }),
    },
  }
}

const statusOf = (name: string, restartCount: number) => ({ name, restartCount, image: '', imageID: '', ready: true })

export function setOf(
  spec: Partial<NonNullable<ReplicaSet['spec']>> = {},
  status: ReplicaSet['status'] = { replicas: 0 },
  annotations?: Readonly<Record<string, string>>,
): Stored<ReplicaSet> {
  return {
    metadata: {
      name: 'a',
      namespace: 'default',
      uid: 'set',
      resourceVersion: '1',
      generation: 1,
      ...(annotations !== undefined && { annotations }),
    },
    spec: { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } }, replicas: 1, ...spec },
    status,
  }
}

export function controllerOf(selector?: Readonly<Record<string, string>>): Stored<ReplicationController> {
  return {
    metadata: { name: 'c', namespace: 'default', uid: 'controller', resourceVersion: '1', generation: 1 },
    spec: { replicas: 1, template: { metadata: { labels: { app: 'x' } } }, ...(selector !== undefined && { selector }) },
    status: { replicas: 0 },
  }
}

/** With KEP-2804's condition off, so that each test of it says so. */
export const gates = { ...defaultFeatureGates, ExtendedWorkloadConditions: false }

export const settings = (more: Partial<ReplicaSettings> = {}): ReplicaSettings => ({ ...settingsOf('ReplicaSet', setOf(), gates), ...more })
