// The summary of a workload: its numbers, its state in the same words for all kinds, and what it waits for.
import { scaledValue } from '../../src/base/int-or-percent.ts'
import { type AnyObject, type Condition, conditionsOf, type Fields, numberOf } from './objects.ts'
import { type PodCounts, podStates } from './pod-summary.ts'

export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicaSet'] as const
export type WorkloadKind = (typeof workloadKinds)[number]

/** From the most to the least urgent: the order of the overview. */
export const workloadStates = ['problem', 'waiting', 'progressing', 'running', 'operational', 'idle'] as const
export type WorkloadState = (typeof workloadStates)[number]

export interface Expected {
  readonly desired: number
  /** The maximum number of pods during a rollout, terminating ones included. */
  readonly cap: number
  readonly available: number
}

export function expectedOf(kind: WorkloadKind, object: AnyObject): Expected {
  const { spec, status } = object
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
      const isDone = conditionsOf(object).some((one) => (one.type === 'Complete' || one.type === 'Failed') && one.status === 'True')
      const left = (numberOf(spec, 'completions') ?? Number.POSITIVE_INFINITY) - (numberOf(status, 'succeeded') ?? 0)
      const desired = isDone || spec?.['suspend'] === true ? 0 : Math.min(left, numberOf(spec, 'parallelism') ?? 1)
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

export interface ConditionRow extends Pick<Condition, 'type' | 'status' | 'reason' | 'message' | 'lastTransitionTime'> {
  /** The cluster does not report it: the page has computed it from the status and the pods. */
  readonly isDerived: boolean
}

/** The order in which conditions are shown. Others follow. */
const conditionOrder = ['Operational', 'Available', 'Progressing', 'Waiting', 'Running']

/**
 * The same types of conditions for all kinds. Those that the cluster does not report are derived: Operational and Progressing of
 * workloads that keep pods running, Waiting and Running of Jobs.
 */
export function conditionRows(kind: WorkloadKind, object: AnyObject, counts: PodCounts, expected: Expected): ConditionRow[] {
  const reported = conditionsOf(object).map((one) => ({ ...one, isDerived: false }))
  const derive = (type: string, isTrue: boolean, reason: string): ConditionRow[] =>
    reported.some((one) => one.type === type) ? [] : [{ type, status: isTrue ? 'True' : 'False', reason, isDerived: true }]
  const derived: ConditionRow[] = []
  if (kind === 'Job') {
    const isRunning = counts.ready > 0 || expected.available > 0
    const isWaiting = !isRunning && counts.starting + counts.pending + counts.waiting > 0
    derived.push(...derive('Waiting', isWaiting, isWaiting ? 'PodsPending' : 'NoPodsPending'))
    derived.push(...derive('Running', isRunning, isRunning ? 'PodsRunning' : 'NoPodsRunning'))
  } else if (kind !== 'CronJob') {
    const isOperational = expected.available >= expected.desired
    derived.push(...derive('Operational', isOperational, `${expected.available} of ${expected.desired} available`))
    if (kind !== 'ReplicaSet') derived.push(...derive('Progressing', true, isSettled(object, counts, expected) ? 'Complete' : 'Updating'))
  }
  const rank = ({ type }: ConditionRow) => (conditionOrder.includes(type) ? conditionOrder.indexOf(type) : conditionOrder.length)
  return [...reported, ...derived].sort((a, b) => rank(a) - rank(b))
}

const updatedOf = ({ status }: AnyObject, { desired }: Expected) =>
  numberOf(status, 'updatedReplicas') ?? numberOf(status, 'updatedNumberScheduled') ?? desired

const isSettled = (object: AnyObject, counts: PodCounts, expected: Expected) =>
  counts.ready === expected.desired &&
  counts.starting + counts.pending + counts.lost + counts.terminating + counts.waiting === 0 &&
  updatedOf(object, expected) >= expected.desired

const find = (conditions: readonly ConditionRow[], type: string) => conditions.find((one) => one.type === type)
const isTrue = (conditions: readonly ConditionRow[], type: string) => find(conditions, type)?.status === 'True'
const completeReasons = ['NewReplicaSetAvailable', 'NewRevisionAvailable', 'Complete']

export interface Trouble {
  /** Pods by what keeps them from becoming ready. */
  readonly troubles: ReadonlyMap<string, number>
  /** Pods that still terminate after their grace period. */
  readonly overdue: number
}

export interface Headline {
  readonly state: WorkloadState
  /** A condition in words: `Operational`, `Not progressing`. */
  readonly text: string
  /** Why, in a few words. May be empty. */
  readonly why: string
}

export function headlineOf(kind: WorkloadKind, object: AnyObject, counts: PodCounts, expected: Expected, trouble: Trouble): Headline {
  const conditions = conditionRows(kind, object, counts, expected)
  if (kind === 'CronJob') return cronJobHeadline(object)
  if (kind === 'Job') return jobHeadline(object, conditions, trouble)
  const { desired } = expected
  const replicaFailure = find(conditions, 'ReplicaFailure')
  if (replicaFailure?.status === 'True') return { state: 'problem', text: 'Replica failure', why: replicaFailure.reason ?? '' }
  const progressing = find(conditions, 'Progressing')
  if (progressing?.status === 'False') return { state: 'problem', text: 'Not progressing', why: progressing.reason ?? '' }
  if (desired === 0 && podStates.every((one) => counts[one] === 0)) return { state: 'idle', text: 'No replicas', why: '' }
  const isOperational = isTrue(conditions, 'Operational')
  const described = describeTrouble(trouble)
  if (described !== '')
    return {
      state: 'problem',
      text: !isOperational ? 'Not operational' : trouble.troubles.size > 0 ? 'Pods not ready' : 'Termination overdue',
      why: described,
    }
  if (object.spec?.['paused'] === true) return { state: 'waiting', text: 'Paused', why: '' }
  if (isSettled(object, counts, expected)) return { state: 'operational', text: 'Operational', why: '' }
  const isCreating = counts.starting + counts.pending > 0
  const missing = desired - counts.ready - counts.starting - counts.pending
  if (!isCreating && counts.waiting > 0)
    return { state: 'waiting', text: 'Waiting', why: `${plural(counts.waiting, 'pod')} held by a scheduling gate` }
  if (!isCreating && missing > 0 && counts.terminating > 0)
    return { state: 'waiting', text: 'Waiting', why: `for ${plural(counts.terminating, 'pod')} to terminate` }
  // A completed rollout stays completed: pods that are lost later are a matter of Operational alone.
  if (!isOperational && completeReasons.includes(progressing?.reason ?? '') && !progressing!.isDerived)
    return { state: 'problem', text: 'Not operational', why: `${counts.ready} of ${desired} ready` }
  const updated = Math.min(updatedOf(object, expected), desired)
  const why =
    updated < desired
      ? `${updated} of ${desired} updated`
      : missing <= 0 && !isCreating
        ? 'old pods terminate'
        : `${counts.ready} of ${desired} ready`
  return { state: 'progressing', text: 'Progressing', why }
}

function cronJobHeadline({ spec }: AnyObject): Headline {
  const why = String(spec?.['schedule'] ?? '')
  return { state: 'idle', text: spec?.['suspend'] === true ? 'Suspended' : 'Scheduled', why }
}

function jobHeadline(object: AnyObject, conditions: readonly ConditionRow[], trouble: Trouble): Headline {
  const failed = conditions.find(({ type, status }) => (type === 'Failed' || type === 'FailureTarget') && status === 'True')
  if (failed !== undefined) return { state: 'problem', text: 'Failed', why: failed.reason ?? '' }
  if (isTrue(conditions, 'Complete')) return { state: 'idle', text: 'Complete', why: '' }
  if (object.spec?.['suspend'] === true) return { state: 'waiting', text: 'Suspended', why: '' }
  const described = describeTrouble(trouble)
  if (described !== '') return { state: 'problem', text: isTrue(conditions, 'Running') ? 'Running' : 'Waiting', why: described }
  const done = numberOf(object.status, 'succeeded') ?? 0
  const completions = numberOf(object.spec, 'completions')
  const why = completions === undefined ? `${done} done` : `${done} of ${completions} done`
  return isTrue(conditions, 'Waiting') ? { state: 'waiting', text: 'Waiting', why } : { state: 'running', text: 'Running', why }
}

function describeTrouble({ troubles, overdue }: Trouble): string {
  const parts = [...troubles].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${plural(count, 'pod')}: ${reason}`)
  if (overdue > 0) parts.push(`${plural(overdue, 'pod')} past the grace period`)
  return parts.join(', ')
}

export interface WaitingPods {
  /** The longest-terminating pod, and one of each other state. */
  readonly terminating?: { readonly name: string; readonly text: string }
  readonly pending?: { readonly name: string; readonly text: string }
  readonly starting?: { readonly name: string; readonly text: string }
  readonly lost?: { readonly name: string; readonly text: string }
  /** The gates of the waiting pods. */
  readonly gates: readonly string[]
}

/** A Deployment without a policy replaces a pod as soon as it terminates. */
function waitsForTermination(kind: WorkloadKind, { spec, metadata }: AnyObject): boolean {
  if (kind !== 'Deployment') return true
  const { annotations = {} } = metadata
  return (
    (spec?.['strategy'] as { readonly type?: string } | undefined)?.type === 'Recreate' ||
    spec?.['terminatingAsActive'] === true ||
    annotations['rollcall.dev/terminating-as-active'] === 'true' ||
    (spec?.['podReplacementPolicy'] ?? annotations['rollcall.dev/pod-replacement-policy']) === 'TerminationComplete'
  )
}

/** What the workload waits for, in a sentence. */
export function waitsFor(kind: WorkloadKind, object: AnyObject, counts: PodCounts, expected: Expected, pods: WaitingPods): string {
  const conditions = conditionsOf(object)
  for (const type of ['ReplicaFailure', 'Failed']) {
    const found = conditions.find((one) => one.type === type && one.status === 'True')
    if (found !== undefined) return `It has failed: ${found.message || found.reason || type}`
  }
  const progressing = conditions.find(({ type }) => type === 'Progressing')
  const late = progressing?.status === 'False' && progressing.message ? `${progressing.message} ` : ''
  const parts: string[] = []
  const isCreating = counts.starting + counts.pending > 0
  const isHeld = counts.terminating > 0 && (!isCreating || counts.waiting > 0 || waitsForTermination(kind, object))
  if (isHeld) parts.push(`${plural(counts.terminating, 'pod')} to terminate${detail(pods.terminating)}`)
  if (counts.lost > 0) parts.push(`${plural(counts.lost, 'pod')} on a lost node to be replaced, or the node to return${detail(pods.lost)}`)
  if (counts.waiting > 0) parts.push(`${pods.gates.join(' and ')} to admit ${plural(counts.waiting, 'pod')}`)
  if (counts.pending > 0) parts.push(`a node for ${plural(counts.pending, 'pod')}${detail(pods.pending)}`)
  if (counts.starting > 0) parts.push(`${plural(counts.starting, 'pod')} to become ready${detail(pods.starting)}`)
  const missing = expected.desired - counts.ready - counts.starting - counts.pending - counts.lost - counts.waiting
  if (missing > 0 && parts.length === 0)
    parts.push(object.spec?.['paused'] === true ? 'being resumed: it is paused' : `the controller to create ${plural(missing, 'pod')}`)
  if (parts.length === 0)
    return late === '' ? (expected.desired === 0 ? 'Nothing: no pod is wanted.' : 'Nothing: all pods are ready.') : late.trim()
  const besides =
    isHeld || counts.terminating === 0
      ? ''
      : ` ${plural(counts.terminating, 'pod')} ${counts.terminating === 1 ? 'terminates' : 'terminate'}${detail(pods.terminating)}.`
  return `${late}Waits for ${parts.join(', and for ')}.${besides}`
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const detail = (pod: { readonly name: string; readonly text: string } | undefined) =>
  pod === undefined ? '' : ` (${pod.name}: ${pod.text})`
