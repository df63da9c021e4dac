// What the page says about a workload: its numbers, its state in one language for all kinds, and what it waits for.
import { scaledValue } from '../../src/base/int-or-percent.ts'
import { type AnyObject, type Condition, conditionsOf, type Fields, numberOf } from './objects.ts'

export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicaSet'] as const
export type WorkloadKind = (typeof workloadKinds)[number]

/** From the most to the least urgent: the order of the overview. */
export const workloadStates = ['problem', 'waiting', 'progressing', 'ok', 'idle'] as const
export type WorkloadState = (typeof workloadStates)[number]

export interface PodCounts {
  readonly ready: number
  readonly starting: number
  readonly pending: number
  readonly terminating: number
}

export interface Expected {
  readonly desired: number
  /** What all pods together may add up to during a rollout. */
  readonly cap: number
  readonly available: number
}

export function expectedOf(kind: WorkloadKind, { spec, status }: AnyObject): Expected {
  const available = numberOf(status, 'availableReplicas') ?? numberOf(status, 'numberAvailable') ?? numberOf(status, 'ready') ?? 0
  switch (kind) {
    case 'Deployment': {
      const desired = numberOf(spec, 'replicas') ?? 1
      const strategy = spec?.['strategy'] as { readonly type?: string; readonly rollingUpdate?: Fields } | undefined
      return { desired, cap: desired + (strategy?.type === 'Recreate' ? 0 : surgeOf(strategy?.rollingUpdate, desired, '25%')), available }
    }
    case 'DaemonSet': {
      const desired = numberOf(status, 'desiredNumberScheduled') ?? 0
      const strategy = spec?.['updateStrategy'] as { readonly rollingUpdate?: Fields } | undefined
      return { desired, cap: desired + surgeOf(strategy?.rollingUpdate, desired, 0), available }
    }
    case 'Job': {
      const isDone = conditionsOf({ metadata: { name: '', uid: '' }, ...(status && { status }) }).some(
        ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
      )
      const desired = isDone || spec?.['suspend'] === true ? 0 : (numberOf(spec, 'parallelism') ?? 1)
      return { desired, cap: desired, available }
    }
    case 'CronJob':
      return { desired: 0, cap: 0, available: 0 }
    default: {
      const desired = numberOf(spec, 'replicas') ?? 1
      return { desired, cap: desired, available }
    }
  }
}

const surgeOf = (fields: Fields | undefined, desired: number, fallback: number | string): number => {
  const value = fields?.['maxSurge'] ?? fallback
  return typeof value === 'number' || typeof value === 'string' ? (scaledValue(value, desired, true) ?? 0) : 0
}

const isTrue = (conditions: readonly Condition[], type: string) => conditions.some((one) => one.type === type && one.status === 'True')
const find = (conditions: readonly Condition[], type: string) => conditions.find((one) => one.type === type)

/** The state and, in a few words, why. */
export function stateOfWorkload(
  kind: WorkloadKind,
  object: AnyObject,
  counts: PodCounts,
  expected: Expected,
): { readonly state: WorkloadState; readonly text: string } {
  const conditions = conditionsOf(object)
  const progressing = find(conditions, 'Progressing')
  const failed = conditions.find(
    (one) => (one.type === 'Failed' || one.type === 'ReplicaFailure' || one.type === 'FailureTarget') && one.status === 'True',
  )
  if (failed !== undefined) return { state: 'problem', text: failed.reason ?? failed.type }
  if (progressing?.status === 'False') return { state: 'problem', text: progressing.reason ?? 'not progressing' }
  if (kind === 'CronJob')
    return { state: object.spec?.['suspend'] === true ? 'idle' : 'ok', text: object.spec?.['suspend'] === true ? 'suspended' : 'scheduled' }
  if (isTrue(conditions, 'Complete')) return { state: 'ok', text: 'complete' }
  if (object.spec?.['paused'] === true) return { state: 'waiting', text: 'paused' }
  if (object.spec?.['suspend'] === true) return { state: 'waiting', text: 'suspended' }
  if (expected.desired === 0 && counts.ready + counts.starting + counts.pending + counts.terminating === 0)
    return { state: 'idle', text: 'no replicas' }
  if (isTrue(conditions, 'Waiting')) return { state: 'waiting', text: find(conditions, 'Waiting')?.reason ?? 'waiting' }
  if (kind === 'Job') return { state: 'progressing', text: 'running' }
  const updated = numberOf(object.status, 'updatedReplicas') ?? numberOf(object.status, 'updatedNumberScheduled') ?? expected.desired
  const isSettled =
    counts.ready === expected.desired && counts.starting + counts.pending + counts.terminating === 0 && updated >= expected.desired
  if (isSettled) return { state: 'ok', text: 'available' }
  const operational = find(conditions, 'Operational') ?? find(conditions, 'Available')
  if (operational?.status === 'False') return { state: 'problem', text: operational.reason ?? 'not available' }
  return { state: 'progressing', text: counts.terminating > 0 && counts.ready >= expected.desired ? 'old pods terminating' : 'rolling out' }
}

export interface WaitingPods {
  /** The longest-terminating pod. */
  readonly terminating?: { readonly name: string; readonly text: string }
  readonly pending?: { readonly name: string; readonly text: string }
  readonly starting?: { readonly name: string; readonly text: string }
}

/** What the workload waits for, in a sentence. The controller's own words come first. */
export function waitsFor(object: AnyObject, counts: PodCounts, expected: Expected, pods: WaitingPods): string {
  const conditions = conditionsOf(object)
  for (const type of ['Waiting', 'ReplicaFailure', 'Failed'])
    if (isTrue(conditions, type)) return find(conditions, type)?.message || find(conditions, type)?.reason || type
  const progressing = find(conditions, 'Progressing')
  if (progressing?.status === 'False' && progressing.message) return progressing.message
  const parts: string[] = []
  if (counts.terminating > 0) parts.push(`${people(counts.terminating, 'pod')} to terminate${detail(pods.terminating)}`)
  if (counts.pending > 0) parts.push(`a node for ${people(counts.pending, 'pod')}${detail(pods.pending)}`)
  if (counts.starting > 0) parts.push(`${people(counts.starting, 'pod')} to become ready${detail(pods.starting)}`)
  const missing = expected.desired - counts.ready - counts.starting - counts.pending
  if (parts.length === 0 && missing > 0) parts.push(`the controller to create ${people(missing, 'pod')}`)
  return parts.length === 0 ? 'Nothing: all pods are ready.' : `Waits for ${parts.join(', and for ')}.`
}

const people = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const detail = (pod: { readonly name: string; readonly text: string } | undefined) =>
  pod === undefined ? '' : ` (${pod.name}: ${pod.text})`
