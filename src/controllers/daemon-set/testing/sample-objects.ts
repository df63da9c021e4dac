// Minimal DaemonSets, nodes and pods for the tests of this folder. A pod is described by a line: `n1 new ready`.
import type { DaemonSet, Node, Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { placementOf } from '../plan/placement.ts'
import type { DaemonSetPlan, DaemonSetSnapshot } from '../plan/snapshot.ts'

export const nowMs = Date.UTC(2026, 10, 1, 12)
export const ago = (seconds: number) => formatTime(nowMs - seconds * 1000)

type Spec = Partial<NonNullable<DaemonSet['spec']>>

export const rolling = (rollingUpdate: object): Spec => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } })

export const setOf = (spec: Spec = {}, status: object = {}): Stored<DaemonSet> =>
  ({
    metadata: { name: 'a', namespace: 'default', uid: 'set', resourceVersion: '1', generation: 1 },
    spec: {
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [] } },
      ...rolling({ maxUnavailable: 1, maxSurge: 0 }),
      ...spec,
    },
    status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0, ...status },
  }) as Stored<DaemonSet>

export const nodeOf = (name: string, more: { readonly labels?: object; readonly taints?: readonly object[] } = {}): Stored<Node> =>
  ({
    metadata: { name, uid: name, resourceVersion: '1', labels: { 'kubernetes.io/hostname': name, ...more.labels } },
    spec: more.taints === undefined ? {} : { taints: more.taints },
  }) as Stored<Node>

/**
 * `node revision state`, where the revision is old or new, and the state is ready (for a minute), fresh (ready now),
 * running, failed, succeeded; and terminating, young (created a second ago), waiting (not on its node yet).
 */
export function podOf(line: string, index = 0): Stored<Pod> {
  const [node = '', revision = 'new', ...states] = line.split(' ')
  const is = (state: string) => states.includes(state)
  const phase = is('failed') ? 'Failed' : is('succeeded') ? 'Succeeded' : is('waiting') ? 'Pending' : 'Running'
  const isReady = is('ready') || is('fresh')
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }]
  return {
    metadata: {
      name: `${node}-${revision}-${index}`,
      namespace: 'default',
      uid: `${line}-${index}`,
      resourceVersion: '1',
      creationTimestamp: ago(is('young') ? 1 : 100),
      labels: { app: 'x', 'controller-revision-hash': revision },
      ...(is('terminating') && { deletionTimestamp: ago(-30) }),
    },
    spec: {
      containers: [],
      ...(is('waiting')
        ? { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } } } }
        : { nodeName: node }),
    },
    status: { phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: ago(is('fresh') ? 0 : 60) }] },
  }
}

export function snapshotOf(
  set: Stored<DaemonSet>,
  nodes: readonly (string | Stored<Node>)[],
  pods: readonly string[],
  { conditions = false, ...more }: Partial<DaemonSetSnapshot> & { readonly conditions?: boolean } = {},
): DaemonSetSnapshot {
  return {
    set,
    nodes: nodes.map((node) => (typeof node === 'string' ? nodeOf(node) : node)),
    pods: pods.map(podOf),
    place: placementOf(set),
    revision: { name: 'a-new', hash: 'new' },
    backoffs: new Map(),
    gates: { ExtendedWorkloadConditions: conditions },
    nowMs,
    ...more,
  }
}

export const shown = ({ create, delete: deletions }: Pick<DaemonSetPlan, 'create' | 'delete'>): string[] => [
  ...create.map((node) => `create ${node}`),
  ...deletions.map(({ metadata }) => `delete ${metadata.name}`),
]
