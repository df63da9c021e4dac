// Minimal StatefulSets and pods for the tests of this folder. A pod is described by a line: `a-1 A ready`.
import type { Pod, StatefulSet, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import type { Claim } from '../plan/claims.ts'
import type { StatefulSetAction, StatefulSetPlan, StatefulSetSnapshot } from '../plan/snapshot.ts'

export const nowMs = Date.UTC(2026, 10, 1, 12)
export const ago = (seconds: number) => formatTime(nowMs - seconds * 1000)

type Spec = Partial<NonNullable<StatefulSet['spec']>>

export const setOf = (spec: Spec = {}, more: { readonly status?: object; readonly metadata?: object } = {}): Stored<StatefulSet> =>
  ({
    metadata: { name: 'a', namespace: 'default', uid: 'set', resourceVersion: '1', generation: 1, ...more.metadata },
    spec: {
      replicas: 3,
      serviceName: 'x',
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [] } },
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
    status: { replicas: 0, availableReplicas: 0, ...more.status },
  }) as Stored<StatefulSet>

/** `name revision state`, where the state is ready (for a minute), fresh (ready now), running, pending, failing, failed, succeeded; and terminating. */
export function podOf(line: string): Stored<Pod> {
  const [name = '', revision = 'A', ...states] = line.split(' ')
  const is = (state: string) => states.includes(state)
  const phase = is('failed') ? 'Failed' : is('succeeded') ? 'Succeeded' : is('pending') ? 'Pending' : 'Running'
  const isReady = is('ready') || is('fresh')
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: ago(100),
      labels: { app: 'x', 'statefulset.kubernetes.io/pod-name': name, 'controller-revision-hash': revision },
      ...(is('terminating') && { deletionTimestamp: ago(-30) }),
    },
    spec: { containers: [] },
    status: {
      phase,
      conditions: [
        { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: ago(is('fresh') ? 0 : is('long') ? 3600 : 60) },
      ],
      ...(is('failing') && {
        containerStatuses: [
          { name: 'c', image: '', imageID: '', ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
        ],
      }),
    },
  }
}

export function snapshotOf(
  set: Stored<StatefulSet>,
  pods: readonly string[],
  {
    claims = [],
    unstick = false,
    conditions = false,
    maxUnavailable = true,
    recreate = true,
    ...more
  }: Partial<StatefulSetSnapshot> & {
    claims?: readonly Claim[]
    unstick?: boolean
    conditions?: boolean
    maxUnavailable?: boolean
    recreate?: boolean
  } = {},
): StatefulSetSnapshot {
  return {
    set,
    pods: pods.map(podOf),
    findClaim: (name) => claims.find(({ metadata }) => metadata.name === name),
    current: { name: 'A', template: set.spec?.template },
    update: { name: 'A', template: set.spec?.template },
    collisionCount: 0,
    gates: {
      ExtendedWorkloadConditions: conditions,
      MaxUnavailableStatefulSet: maxUnavailable,
      StatefulSetRecreateStrategy: recreate,
      StatefulSetUnstickRollout: unstick,
    },
    nowMs,
    ...more,
  }
}

export const updateTo = (name: string): Partial<StatefulSetSnapshot> => ({ update: { name, template: undefined } })

const shownAction = (action: StatefulSetAction): string =>
  action.type === 'create-pod'
    ? `create ${action.pod.metadata.name} ${action.pod.metadata.labels?.['controller-revision-hash']}`
    : `${action.type.replace('-pod', '')} ${action.pod.metadata.name}`

export const shown = ({ steps }: StatefulSetPlan): string[] => steps.flatMap(({ actions }) => actions.map(shownAction))
