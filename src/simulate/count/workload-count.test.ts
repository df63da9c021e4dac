import { describe, expect, it } from 'vitest'
import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import { countRows, failureLine, replacedLines, summaryLine, terminatingLines, waitingLines, waitLine } from './count-lines.ts'
import { type CountedObjects, countPods, type WorkloadCount } from './workload-count.ts'

const nowMs = Date.parse('2026-01-01T00:10:00Z')

type Loose = Readonly<Record<string, unknown>>

const object = (kind: string, name: string, parts: Loose = {}, owner?: string, annotations: Loose = {}) =>
  ({
    kind,
    metadata: {
      name,
      uid: name,
      namespace: 'shop',
      resourceVersion: '1',
      generation: 1,
      annotations,
      ...(owner && {
        ownerReferences: [
          { apiVersion: 'apps/v1', uid: owner, kind: owner.startsWith('web-') ? 'ReplicaSet' : 'Other', name: owner, controller: true },
        ],
      }),
    },
    ...parts,
  }) as unknown as Stored<KubernetesObject>

interface PodParts {
  readonly labels?: Readonly<Record<string, string>>
  /** Seconds since the deletion was requested. */
  readonly deletedFor?: number
  readonly grace?: number
  readonly finalizers?: readonly string[]
  readonly node?: string
  readonly phase?: string
}

function pod(
  name: string,
  owner: string | undefined,
  { labels, deletedFor, grace = 30, finalizers, node = 'a', phase = 'Running' }: PodParts = {},
) {
  const { metadata, ...rest } = object('Pod', name, {}, owner)
  return {
    ...rest,
    metadata: {
      ...metadata,
      labels: { app: 'web', ...labels },
      ...(finalizers && { finalizers }),
      ...(deletedFor !== undefined && {
        deletionTimestamp: new Date(nowMs - (deletedFor - grace) * 1000).toISOString(),
        deletionGracePeriodSeconds: grace,
      }),
    },
    spec: { containers: [], nodeName: node },
    status: { phase, conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as Stored<Pod>
}

const deployment = (status: Loose = {}, spec: Loose = {}) =>
  object('Deployment', 'web', {
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
      ...spec,
    },
    status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2, ...status },
  })

/** Its owner is a Deployment. */
const replicaSet = (name: string, revision: number) =>
  ({
    ...object('ReplicaSet', name, {}, undefined, { 'deployment.kubernetes.io/revision': String(revision) }),
    metadata: {
      ...object('ReplicaSet', name, {}, undefined, { 'deployment.kubernetes.io/revision': String(revision) }).metadata,
      ownerReferences: [{ uid: 'web', kind: 'Deployment', name: 'web', controller: true }],
    },
  }) as unknown as Stored<KubernetesObject>

const count = (parts: Partial<CountedObjects>): WorkloadCount[] => countPods({ workloads: [], pods: [], ...parts }, nowMs)
const only = (parts: Partial<CountedObjects>): WorkloadCount => {
  const [first, ...others] = count(parts)
  expect(others).toEqual([])
  return first!
}

describe('countPods', () => {
  const rolledOut = [deployment(), replicaSet('web-1', 1), replicaSet('web-2', 2)]

  it('counts terminating pods of all sets of a Deployment, and not those that have ended', () => {
    const pods = [
      pod('new-1', 'web-2', { node: 'a' }),
      pod('new-2', 'web-2', { node: 'b' }),
      pod('old-1', 'web-1', { node: 'b', deletedFor: 10 }),
      pod('old-2', 'web-1', { node: 'c', deletedFor: 20 }),
      pod('old-3', 'web-1', { node: 'd', deletedFor: 20, phase: 'Failed' }),
    ]
    const counted = only({ workloads: rolledOut, pods })
    expect(counted).toMatchObject({ pods: 4, ready: 2, old: 0, terminating: 2, overCap: 1, nodes: ['a', 'b', 'c'], isSettled: false })
    expect(counted.oldestTerminating).toEqual({ name: 'old-2', terminatingMs: 20_000, graceMs: 30_000 })
  })

  it('is settled when it is complete, no pod is terminating and none is old', () => {
    const own = [pod('new-1', 'web-2'), pod('new-2', 'web-2')]
    expect(only({ workloads: rolledOut, pods: own }).isSettled).toBe(true)
    expect(only({ workloads: rolledOut, pods: [...own, pod('old', 'web-1', { deletedFor: 1 })] }).isSettled).toBe(false)
    const paused = [deployment({}, { paused: true }), ...rolledOut.slice(1)]
    expect(only({ workloads: paused, pods: [own[0]!, pod('old', 'web-1')] })).toMatchObject({ old: 1, isSettled: false })
  })

  it('counts pods of a ReplicaSet that was deleted under its Deployment', () => {
    const pods = [pod('new-1', 'web-2'), pod('left', 'web-0', { deletedFor: 5 }), pod('other', 'web-0', { labels: { app: 'api' } })]
    const [web, others] = count({ workloads: rolledOut, pods })
    expect(web).toMatchObject({ pods: 2, terminating: 1 })
    expect(others).toMatchObject({ namespace: 'shop', pods: 1 })
    expect(others!.workload).toBeUndefined()
  })

  it('counts pods of a workload that was deleted for the one that was created under its name, of the same group only', () => {
    const set = object('DaemonSet', 'agent', { status: {} })
    const left = (apiVersion: string) => {
      const { metadata, ...rest } = pod('left', 'agent', { deletedFor: 1 })
      return {
        ...rest,
        metadata: { ...metadata, ownerReferences: [{ ...metadata.ownerReferences![0]!, apiVersion, kind: 'DaemonSet', uid: 'gone' }] },
      }
    }
    expect(only({ workloads: [set], pods: [left('apps/v1')] })).toMatchObject({ pods: 1, terminating: 1, isSettled: false })
    expect(count({ workloads: [set], pods: [left('apps.kruise.io/v1')] }).map(({ pods }) => pods)).toEqual([1, 0])
  })

  it('counts a Deployment by itself that another Deployment owns, such as that of an operator', () => {
    const operator = object('Deployment', 'operator', { spec: { replicas: 1 } })
    const owned = object('Deployment', 'owned', { spec: { replicas: 1 } }, 'operator')
    const set = { ...object('ReplicaSet', 'owned-1', {}, 'owned') }
    const counts = count({ workloads: [operator, owned, set], pods: [pod('one', 'owned-1'), pod('two', 'operator')] })
    expect(counts.map(({ workload, pods }) => [workload?.name, pods])).toEqual([
      ['operator', 1],
      ['owned', 1],
    ])
  })

  it('leaves out pods that the pacer holds back: they hold no room', () => {
    const gated = (name: string) => {
      const { spec, ...rest } = pod(name, 'web-2', { node: '' })
      return { ...rest, spec: { ...spec!, schedulingGates: [{ name: 'rollcall.dev/pacer' }] } }
    }
    const pods = [pod('old-1', 'web-1', { deletedFor: 1 }), pod('old-2', 'web-1'), pod('new-1', 'web-2'), gated('new-2'), gated('new-3')]
    const counted = only({ workloads: rolledOut, pods })
    expect(counted).toMatchObject({ pods: 3, waiting: 2, overCap: 0 })
    expect(waitingLines([counted], false)).toEqual(['deployment/web: 2 more pods not scheduled yet: the pacer holds them back'])
  })

  it('is never settled while the workload is being deleted', () => {
    const { metadata, ...rest } = deployment()
    const deleted = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:10:00Z' } }
    const counted = only({ workloads: [deleted, ...rolledOut.slice(1)], pods: [pod('new-1', 'web-2'), pod('new-2', 'web-2')] })
    expect(counted.isSettled).toBe(false)
    expect(waitLine(counted, true)).toBe('shop deployment/web: it is being deleted, 2 pods')
  })

  it('counts old pods of a DaemonSet by their labels, without those that terminate, and not those that a rollback made current', () => {
    const daemons = (status: Loose, strategy = 'RollingUpdate') =>
      object(
        'DaemonSet',
        'agent',
        { spec: { updateStrategy: { type: strategy } }, status: { observedGeneration: 1, ...status } },
        undefined,
        { 'deprecated.daemonset.template.generation': '2' },
      )
    const podOf = (name: string, generation: number, parts: PodParts = {}) =>
      pod(name, 'agent', { ...parts, labels: { 'pod-template-generation': String(generation) } })
    const pods = [podOf('a', 2), podOf('b', 1), podOf('c', 1, { deletedFor: 1 })]
    const status = { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberAvailable: 3 }
    expect(only({ workloads: [daemons({ ...status, updatedNumberScheduled: 1 })], pods })).toMatchObject({ old: 1, terminating: 1 })
    expect(only({ workloads: [daemons({ ...status, updatedNumberScheduled: 3 })], pods })).toMatchObject({ old: 0, terminating: 1 })
    expect(only({ workloads: [daemons({ ...status, updatedNumberScheduled: 3, observedGeneration: 0 })], pods })).toMatchObject({ old: 1 })
    const onDelete = daemons({ ...status, updatedNumberScheduled: 1 }, 'OnDelete')
    expect(only({ workloads: [onDelete], pods: pods.slice(0, 2) })).toMatchObject({ old: 0, isSettled: true })
  })

  it('takes the number of old pods from the status where ReplicaSets may not be read', () => {
    const pods = [pod('a', 'web-1'), pod('b', 'web-2'), pod('c', 'web-2')]
    const status = { replicas: 3, updatedReplicas: 2 }
    expect(only({ workloads: [deployment(status)], pods })).toMatchObject({ pods: 3, old: 1, isSettled: false })
  })

  it('does not compare every pod with every Deployment where ReplicaSets may not be read', () => {
    let comparisons = 0
    const deployments = Array.from({ length: 300 }, (_, index) => {
      const selector = {
        matchLabels: { app: `app-${index}` },
        get matchExpressions() {
          comparisons++
          return []
        },
      }
      return object('Deployment', `app-${index}`, { spec: { replicas: 1, selector } })
    })
    const pods = deployments.map((_, index) => pod(`pod-${index}`, `web-${index}`, { labels: { app: `app-${index}` } }))
    expect(count({ workloads: deployments, pods }).every((one) => one.pods === 1)).toBe(true)
    expect(comparisons).toBeLessThan(1000)
  })

  it('counts a ReplicaSet of another controller by itself', () => {
    const foreign = object(
      'ReplicaSet',
      'canary',
      { spec: { replicas: 1 }, status: { replicas: 1, availableReplicas: 1, observedGeneration: 1 } },
      'rollout',
    )
    expect(only({ workloads: [foreign], pods: [pod('one', 'canary')] })).toMatchObject({
      pods: 1,
      isSettled: true,
      workload: { name: 'canary' },
    })
  })

  it('leaves out old pods below the partition of a StatefulSet, which stay', () => {
    const set = object('StatefulSet', 'db', {
      spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
      status: { observedGeneration: 1, replicas: 3, availableReplicas: 3, updatedReplicas: 2, currentRevision: 'r1', updateRevision: 'r2' },
    })
    const podOf = (ordinal: number, revision: string) => pod(`db-${ordinal}`, 'db', { labels: { 'controller-revision-hash': revision } })
    const updated = [podOf(0, 'r1'), podOf(1, 'r2'), podOf(2, 'r2')]
    expect(only({ workloads: [set], pods: updated })).toMatchObject({ old: 0, isSettled: true })
    expect(only({ workloads: [set], pods: [podOf(0, 'r1'), podOf(1, 'r1'), podOf(2, 'r2')] })).toMatchObject({ old: 1, isSettled: false })
  })

  it('names what holds a pod after its grace period', () => {
    const heldBy = (parts: PodParts, nodes?: ReadonlyMap<string, boolean>) =>
      only({ workloads: rolledOut, pods: [pod('old', 'web-1', parts)], ...(nodes && { nodes }) }).oldestTerminating!.heldBy
    const nodes = new Map([
      ['ready', true],
      ['lost', false],
    ])
    expect(heldBy({ deletedFor: 10, finalizers: ['example.com/drain'] })).toBeUndefined()
    expect(heldBy({ deletedFor: 40, finalizers: ['example.com/drain'] })).toBe('finalizer example.com/drain')
    expect(heldBy({ deletedFor: 40, node: 'lost' }, nodes)).toBe('node lost, which is not ready')
    expect(heldBy({ deletedFor: 40, node: 'removed' }, nodes)).toBe('node removed, which does not exist any more')
    expect(heldBy({ deletedFor: 40, node: 'ready' }, nodes)).toBeUndefined()
    expect(heldBy({ deletedFor: 40, node: 'lost' })).toBeUndefined()
  })

  it('lists the workload that is furthest over its cap first', () => {
    const job = (name: string) => object('Job', name, { spec: { parallelism: 1 }, status: {} })
    const names = count({
      workloads: [job('a'), job('b'), job('c')],
      pods: [pod('b-1', 'b'), pod('b-2', 'b'), pod('c-1', 'c', { deletedFor: 1 })],
    })
    expect(names.map(({ workload }) => workload!.name)).toEqual(['b', 'c', 'a'])
  })
})

describe('what is printed', () => {
  const workloads = [deployment({ updatedReplicas: 1, availableReplicas: 1 }), replicaSet('web-1', 1), replicaSet('web-2', 2)]
  const pods = [
    pod('new', 'web-2'),
    pod('old-1', 'web-1'),
    pod('old-2', 'web-1', { deletedFor: 50, node: 'b' }),
    pod('old-3', 'web-1', { deletedFor: 5 }),
  ]
  const counts = count({ workloads, pods })

  it('is a row for each workload, with its namespace where there are several', () => {
    expect(countRows(counts, true)).toEqual([
      ['NAMESPACE', 'WORKLOAD', 'REPLICAS', 'CAP', 'PODS', 'READY', 'OLD', 'TERMINATING', 'OVER CAP', 'NODES'],
      ['shop', 'deployment/web', '2', '3', '4', '2', '1', '2', '+1', '2'],
    ])
    expect(countRows(counts, false)[1]![0]).toBe('deployment/web')
    expect(countRows(count({ pods: [pod('alone', undefined)] }), false)[1]).toEqual([
      '(no workload)',
      '-',
      '-',
      '1',
      '1',
      '0',
      '0',
      '0',
      '1',
    ])
  })

  it('says for how long pods have been terminating, and that Kubernetes leaves them out', () => {
    expect(terminatingLines(counts, false)).toEqual([
      'deployment/web: 2 pods are terminating, old-2 for 50s of a grace period of 30s, which has passed',
    ])
    expect(summaryLine(counts)).toBe(
      '4 pods on 2 nodes, 2 of them terminating: the counts of Kubernetes, such as status.replicas, leave them out.',
    )
    expect(summaryLine([])).toBe('0 pods on 0 nodes, none of them terminating.')
  })

  it('says what a rollout waits for', () => {
    expect(waitLine(counts[0]!, false)).toBe(
      'deployment/web: 1 of 2 updated, 1 available, 1 old pod running, 2 terminating (old-2 for 50s of a grace period of 30s, which has passed)',
    )
    expect(waitLine(only({ workloads: [deployment({ observedGeneration: 0 })] }), false)).toBe(
      'deployment/web: its change has not been observed yet',
    )
  })

  it('says that a Job is suspended or has not finished', () => {
    const job = (spec: Loose) => only({ workloads: [object('Job', 'import', { spec, status: {} })], pods: [pod('one', 'import')] })
    expect(waitLine(job({}), false)).toBe('job/import: not finished, 1 pod')
    expect(waitLine(job({ suspend: true }), false)).toBe('job/import: suspended, 1 pod')
  })

  it('says that a rollout or a Job has failed, when the failure is about the current generation', () => {
    const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'too slow' }]
    expect(failureLine(only({ workloads: [deployment({ conditions })] }), false)).toBe(
      'deployment/web has failed: ProgressDeadlineExceeded: too slow',
    )
    expect(failureLine(only({ workloads: [deployment({ conditions, observedGeneration: 0 })] }), false)).toBeUndefined()
    const job = object('Job', 'import', {
      spec: {},
      status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] },
    })
    expect(failureLine(only({ workloads: [job] }), false)).toBe('job/import has failed: BackoffLimitExceeded')
    expect(failureLine(counts[0]!, false)).toBeUndefined()
  })

  it('counts a pod that its Deployment has taken over before its eviction as one of its revision', () => {
    const taken = pod('leaving', 'web', { labels: { 'pod-template-hash': 'h2' } })
    const { metadata } = taken
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'web', controller: true }
    const annotations = { 'rollcall.dev/eviction-requested-at': '2026-01-01T00:09:50Z' }
    const marked = { ...taken, metadata: { ...metadata, annotations, ownerReferences: [owner] } } as typeof taken
    const set = replicaSet('web-2', 2)
    const labelled = { ...set, metadata: { ...set.metadata, labels: { 'pod-template-hash': 'h2' } } } as typeof set
    const count = only({ workloads: [deployment(), labelled], pods: [marked, pod('staying', 'web-2')] })
    expect(count).toMatchObject({ pods: 2, ready: 2, old: 0, toBeReplaced: 1 })
    expect(replacedLines([count], false)).toEqual(['deployment/web: 1 pod to be evicted, replaced first: rollcall pacer status names it'])
  })
})
