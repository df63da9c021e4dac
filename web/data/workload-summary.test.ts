import { describe, expect, it } from 'vitest'
import type { AnyObject } from './objects.ts'
import { noPods, type PodCounts } from './pod-summary.ts'
import { conditionRows, expectedOf, headlineOf, type Trouble, type WorkloadKind, waitsFor } from './workload-summary.ts'

const calm: Trouble = { troubles: new Map(), overdue: 0 }
const object = (spec: object, status: object = {}): AnyObject => ({
  metadata: { name: 'a', uid: 'a' },
  spec: spec as never,
  status: status as never,
})
const headline = (kind: WorkloadKind, one: AnyObject, counts: Partial<PodCounts> = {}, trouble = calm) => {
  const { state, text, why } = headlineOf(kind, one, { ...noPods(), ...counts }, expectedOf(kind, one), trouble)
  return `${state}: ${text}${why && ` (${why})`}`
}
const condition = (type: string, status: string, reason = '') => ({ type, status, reason })
const complete = condition('Progressing', 'True', 'NewReplicaSetAvailable')

describe('headlineOf()', () => {
  it.each<[string, WorkloadKind, AnyObject, Partial<PodCounts>, string, Trouble?]>([
    [
      'all pods ready',
      'Deployment',
      object({ replicas: 3 }, { availableReplicas: 3, updatedReplicas: 3 }),
      { ready: 3 },
      'operational: Operational',
    ],
    [
      'a rollout',
      'Deployment',
      object({ replicas: 3 }, { updatedReplicas: 1 }),
      { ready: 3, starting: 1 },
      'progressing: Progressing (1 of 3 updated)',
    ],
    [
      'old pods terminate',
      'Deployment',
      object({ replicas: 3 }, { updatedReplicas: 3 }),
      { ready: 3, terminating: 1 },
      'progressing: Progressing (old pods terminate)',
    ],
    [
      'room is taken by terminating pods',
      'Deployment',
      object({ replicas: 3 }, { updatedReplicas: 1 }),
      { ready: 1, terminating: 2 },
      'waiting: Waiting (for 2 pods to terminate)',
    ],
    [
      'gated pods',
      'Deployment',
      object({ replicas: 3 }, { updatedReplicas: 3 }),
      { ready: 1, waiting: 2 },
      'waiting: Waiting (2 pods held by a scheduling gate)',
    ],
    [
      'the deadline has passed',
      'Deployment',
      object({ replicas: 3 }, { conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded')] }),
      { ready: 3 },
      'problem: Not progressing (ProgressDeadlineExceeded)',
    ],
    [
      'pods lost after completion',
      'Deployment',
      object({ replicas: 3 }, { updatedReplicas: 3, conditions: [complete] }),
      { ready: 2, starting: 1 },
      'problem: Not operational (2 of 3 ready)',
    ],
    [
      'pods in trouble',
      'Deployment',
      object({ replicas: 3 }),
      { pending: 3 },
      'problem: Not operational (3 pods: Unschedulable)',
      { troubles: new Map([['Unschedulable', 3]]), overdue: 0 },
    ],
    [
      'a pod past its grace period',
      'Deployment',
      object({ replicas: 1 }, { availableReplicas: 1 }),
      { ready: 1, terminating: 1 },
      'problem: Termination overdue (1 pod past the grace period)',
      { troubles: new Map(), overdue: 1 },
    ],
    ['paused', 'Deployment', object({ replicas: 1, paused: true }), {}, 'waiting: Paused'],
    ['no replicas', 'StatefulSet', object({ replicas: 0 }), {}, 'idle: No replicas'],
    ['a Job at work', 'Job', object({ parallelism: 2, completions: 9 }, { succeeded: 4 }), { ready: 2 }, 'running: Running (4 of 9 done)'],
    ['a Job whose pods are pending', 'Job', object({ parallelism: 2, completions: 9 }), { pending: 2 }, 'waiting: Waiting (0 of 9 done)'],
    [
      'a Job that has failed',
      'Job',
      object({}, { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded')] }),
      {},
      'problem: Failed (BackoffLimitExceeded)',
    ],
    ['a Job that is complete', 'Job', object({}, { conditions: [condition('Complete', 'True')] }), {}, 'idle: Complete'],
    [
      'new pods fail in a rollout that still progresses',
      'Deployment',
      object({ replicas: 3 }, { availableReplicas: 3, conditions: [condition('Progressing', 'True', 'ReplicaSetUpdated')] }),
      { ready: 3, starting: 1 },
      'problem: Pods not ready (1 pod: CrashLoopBackOff)',
      { troubles: new Map([['CrashLoopBackOff', 1]]), overdue: 0 },
    ],
    [
      'a lost node',
      'Deployment',
      object({ replicas: 3 }, { availableReplicas: 1, conditions: [complete] }),
      { ready: 1, lost: 2 },
      'problem: Not operational (2 pods: lost node node-2)',
      { troubles: new Map([['lost node node-2', 2]]), overdue: 0 },
    ],
    ['a CronJob', 'CronJob', object({ schedule: '0 3 * * *' }), {}, 'idle: Scheduled (0 3 * * *)'],
  ])('%s', (_, kind, one, counts, expected, trouble = calm) => {
    expect(headline(kind, one, counts, trouble)).toBe(expected)
  })
})

describe('conditionRows()', () => {
  const rows = (kind: WorkloadKind, one: AnyObject, counts: Partial<PodCounts> = {}) =>
    conditionRows(kind, one, { ...noPods(), ...counts }, expectedOf(kind, one)).map(
      ({ type, status, isDerived }) => `${type}=${status}${isDerived ? '*' : ''}`,
    )

  it('puts the conditions of the language first, and computes those that the cluster does not report', () => {
    const reported = [condition('Progressing', 'True'), condition('Available', 'True')]
    expect(rows('Deployment', object({ replicas: 2 }, { conditions: reported, availableReplicas: 1 }))).toEqual([
      'Operational=False*',
      'Available=True',
      'Progressing=True',
    ])
    expect(rows('StatefulSet', object({ replicas: 1 }, { availableReplicas: 1 }), { ready: 1 })).toEqual([
      'Operational=True*',
      'Progressing=True*',
    ])
    expect(rows('Job', object({}), { pending: 1 })).toEqual(['Waiting=True*', 'Running=False*'])
    expect(rows('CronJob', object({}))).toEqual([])
  })
})

describe('waitsFor()', () => {
  const sentence = (kind: WorkloadKind, one: AnyObject, counts: Partial<PodCounts>) =>
    waitsFor(kind, one, { ...noPods(), ...counts }, expectedOf(kind, one), { gates: ['rollcall.dev/pacer'] })
  const held = 'Waits for 2 pods to terminate, and for 1 pod to become ready.'
  const notHeld = 'Waits for 1 pod to become ready. 2 pods terminate.'
  it.each<[string, WorkloadKind, object, string]>([
    ['a Deployment without a policy', 'Deployment', {}, notHeld],
    ['TerminationStarted', 'Deployment', { podReplacementPolicy: 'TerminationStarted' }, notHeld],
    ['TerminationComplete', 'Deployment', { podReplacementPolicy: 'TerminationComplete' }, held],
    ['terminatingAsActive', 'Deployment', { terminatingAsActive: true }, held],
    ['Recreate', 'Deployment', { strategy: { type: 'Recreate' } }, held],
    ['a StatefulSet', 'StatefulSet', {}, held],
  ])('says of %s whether it waits for terminating pods', (_, kind, spec, expected) => {
    expect(sentence(kind, object({ replicas: 4, ...spec }), { ready: 3, starting: 1, terminating: 2 })).toBe(expected)
  })
  it('reads the annotation too', () => {
    const annotated = object({ replicas: 4 })
    const annotations = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
    const one = { ...annotated, metadata: { ...annotated.metadata, annotations } } as AnyObject
    expect(sentence('Deployment', one, { ready: 3, starting: 1, terminating: 2 })).toBe(held)
  })
  it('waits for terminating pods where nothing else happens', () => {
    expect(sentence('Deployment', object({ replicas: 4 }), { ready: 3, terminating: 1 })).toBe('Waits for 1 pod to terminate.')
  })
})
