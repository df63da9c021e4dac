// Objects of the tests of explanations: all of namespace `n`.
import { defaultFeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { CoreEvent, Node, Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import type { Surroundings } from '../explanation.ts'

export const nowMs = Date.parse('2026-11-18T12:00:00Z')
export const minutesAgo = (count: number): string => formatTime(nowMs - count * 60_000)

export const template = (image: string) => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } })

export const owner = (kind: string, uid: string) => [
  { apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, name: uid, uid, controller: true, blockOwnerDeletion: true },
]

const ready = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: minutesAgo(4) }] }
export const notReady = { conditions: [{ type: 'Ready', status: 'False' }] }

interface PodParts {
  readonly kind?: string
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
}

/** A ready pod on node `n1`. `of`: the name and uid of its controller, by default a ReplicaSet. */
export const pod = (name: string, of: string, { kind = 'ReplicaSet', metadata, spec, status }: PodParts = {}): Stored<Pod> =>
  ({
    metadata: {
      name,
      namespace: 'n',
      uid: name,
      resourceVersion: '1',
      labels: { app: 'web' },
      ownerReferences: owner(kind, of),
      ...metadata,
    },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'a' }], ...spec },
    status: { phase: 'Running', ...ready, ...status },
  }) as never

export const deleted = (seconds: number, grace: number, more: object = {}) => ({
  metadata: { deletionTimestamp: formatTime(nowMs + (grace - seconds) * 1000), deletionGracePeriodSeconds: grace, ...more },
})

export const node = (status = 'True', spec: object = {}, name = 'n1'): Stored<Node> =>
  ({
    metadata: { name, uid: name, resourceVersion: '1' },
    spec,
    status: { conditions: [{ type: 'Ready', status, reason: 'NodeStatusUnknown' }] },
  }) as never

export const warning = (uid: string, reason: string, message: string): Stored<CoreEvent> =>
  ({
    metadata: { name: `${uid}.1`, namespace: 'n', uid: `${uid}.1`, resourceVersion: '1' },
    involvedObject: { uid },
    type: 'Warning',
    reason,
    message,
  }) as never

export const surroundings = (given: Partial<Surroundings> = {}): Surroundings => ({
  replicaSets: [],
  pods: [],
  revisions: [],
  claims: [],
  budgets: [],
  warnings: [],
  nodes: [node()],
  gates: defaultFeatureGates,
  nowMs,
  ...given,
})
