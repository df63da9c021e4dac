// A computed trace, for tests of code that reads traces: ten pods are replaced three at a time.
import type { Change, Trace, TracedPod, TracedWorkload } from '../trace.ts'

const startMs = 20_000
const stopMs = 45_000

/** Three new pods are created while two old ones terminate slowly. */
export function sampleTrace(replicas = 10): Trace {
  const changes: Change[] = []
  const workload = (more: Partial<TracedWorkload>): TracedWorkload => ({
    uid: 'deployment-web',
    kind: 'Deployment',
    name: 'web',
    namespace: 'default',
    replicas,
    cap: replicas + 3,
    generation: 2,
    observedGeneration: 2,
    availableReplicas: replicas,
    updatedReplicas: 0,
    totalReplicas: replicas,
    conditions: [{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message: 'ReplicaSet "web-2" is progressing.' }],
    ...more,
  })
  const podOf = (revision: number, number: number): TracedPod => ({
    uid: `pod-${revision}-${number}`,
    name: `web-${revision}-${number}`,
    namespace: 'default',
    owner: `set-${revision}`,
    node: `node-${(number % 3) + 1}`,
    isReady: true,
    isTerminating: false,
    hasEnded: false,
    isUnschedulable: false,
  })
  const setOf = (revision: number) => ({
    uid: `set-${revision}`,
    name: `web-${revision}`,
    namespace: 'default',
    owner: 'deployment-web',
    revision,
  })
  const complete = [
    { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message: 'ReplicaSet "web-2" has progressed.' },
  ]

  for (const name of ['node-1', 'node-2', 'node-3']) changes.push({ atMs: 0, node: { name, isReady: true } })
  changes.push(
    { atMs: 0, workload: workload({ generation: 1, updatedReplicas: replicas, conditions: complete }) },
    { atMs: 0, set: setOf(1) },
  )
  for (let number = 0; number < replicas; number++) changes.push({ atMs: 0, pod: podOf(1, number) })
  changes.push({ atMs: 0, step: 'Deployment/web: web=example/web:2' }, { atMs: 0, workload: workload({ updatedReplicas: 0 }) })
  changes.push({ atMs: 0, set: setOf(2) })

  let born = 0
  let gone = 0
  let atMs = 0
  const later: Change[] = []
  const stop = (count: number) => {
    for (; count > 0 && gone < replicas; count--, gone++) {
      later.push({ atMs, pod: { ...podOf(1, gone), isTerminating: true } })
      later.push({ atMs: atMs + stopMs, gone: { type: 'pod', id: `pod-1-${gone}` } })
    }
  }
  const status = (available: number) =>
    later.push({ atMs, workload: workload({ availableReplicas: available, updatedReplicas: born, totalReplicas: replicas - gone + born }) })
  stop(2)
  while (born < replicas) {
    const count = Math.min(born === 0 ? 5 : 3, replicas - born)
    for (let i = 0; i < count; i++, born++) {
      const { node, ...pod } = { ...podOf(2, born), isReady: false }
      later.push(
        { atMs, pod: { ...pod, isUnschedulable: born === 4 } },
        { atMs: atMs + (born === 4 ? 5000 : 10), pod: { ...pod, node: node! } },
      )
      later.push({ atMs: atMs + startMs, pod: podOf(2, born) })
    }
    status(replicas - gone + born - count)
    later.push({
      atMs,
      event: {
        object: 'Deployment/web',
        reason: 'ScalingReplicaSet',
        message: `Scaled up replica set web-2 from ${born - count} to ${born}`,
      },
    })
    atMs += startMs
    stop(born < replicas ? 3 : replicas)
    status(replicas - gone + born)
  }
  later.push({ atMs, workload: workload({ updatedReplicas: born, conditions: complete }) })
  changes.push(...later.sort((a, b) => a.atMs - b.atMs))
  return {
    format: 'rollcall.trace/1',
    source: 'simulation',
    startedAt: '2026-01-01T00:00:00Z',
    endMs: atMs + stopMs + 5000,
    title: 'Deployment default/web',
    policy: 'None',
    changes,
  }
}
