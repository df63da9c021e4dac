// KEP-2804: how the last rollout of a StatefulSet or DaemonSet goes, with the Deployment's meaning. It speaks of the last
// rollout or scale that the user asked for, not of later health: once complete, it stays so until the user asks for another.
import type { IntOrString, KubernetesObject } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { type FieldOrAnnotation, fieldOrAnnotation, progressDeadlineSecondsAnnotation } from './annotations.ts'
import type { WorkloadCondition } from './operational.ts'

export const progressing = 'Progressing'

export const progressReasons = {
  created: 'NewRevisionCreated',
  updated: 'RevisionUpdated',
  available: 'NewRevisionAvailable',
  deadline: 'ProgressDeadlineExceeded',
} as const

/** As a Deployment's: the time of the last progress, from which the deadline counts. */
export interface ProgressingCondition extends WorkloadCondition {
  readonly lastUpdateTime?: string
}

export interface ProgressInput {
  /** The name of the revision that is rolled out. */
  readonly revision: string
  /** How many replicas the user asks for; undefined where the nodes decide. The message of the condition remembers it. */
  readonly replicas?: number
  /** The user has asked for other pods since the status was written, in a way that neither the revision nor `replicas` shows. */
  readonly isNewGoal: boolean
  readonly isComplete: boolean
  /** Pods were created, updated, became ready or available, or old ones went. */
  readonly hasProgressed: boolean
  /** Nothing is left to the controller: the deadline does not count. */
  readonly isUpToUser: boolean
  /** Undefined: none. */
  readonly deadlineSeconds: number | undefined
  /** The last progress that shows in the pods: for API servers that do not store lastUpdateTime. */
  readonly lastProgressAtMs: number | undefined
  readonly nowMs: number
}

export interface NextProgressing {
  readonly condition: WorkloadCondition
  /** The deadline is then. */
  readonly requeueAtMs?: number
}

const noDeadline = 2_147_483_647

interface DeadlineOwner extends KubernetesObject {
  readonly spec?: { readonly progressDeadlineSeconds?: number; readonly operationalThreshold?: IntOrString }
}

/** The value is absent when there is no deadline. */
export function progressDeadlineOf(object: DeadlineOwner): FieldOrAnnotation<number> {
  const { value, problem } = fieldOrAnnotation(
    object.spec?.progressDeadlineSeconds,
    object,
    progressDeadlineSecondsAnnotation,
    'a number of seconds above 0',
    (text) => (/^[0-9]{1,10}$/.test(text) && Number(text) > 0 && Number(text) <= noDeadline ? Number(text) : undefined),
  )
  return { ...(value !== undefined && value < noDeadline && { value }), ...(problem !== undefined && { problem }) }
}

export function nextProgressing(current: readonly WorkloadCondition[] | undefined, input: ProgressInput): NextProgressing {
  const before = current?.find(({ type }) => type === progressing) as ProgressingCondition | undefined
  const { revision, nowMs } = input
  const wasComplete = before?.reason === progressReasons.available
  const isNewRevision = before?.message?.includes(`"${revision}"`) !== true
  const subject = `Revision "${revision}"${replicasText(input.replicas)}`
  const isNewGoal = input.isNewGoal || isScaled(before, input.replicas)
  const make = (status: 'True' | 'False', reason: string, message: string): ProgressingCondition => {
    const now = formatTime(nowMs)
    return {
      type: progressing,
      status,
      lastUpdateTime: now,
      lastTransitionTime: before?.status === status ? (before.lastTransitionTime ?? now) : now,
      reason,
      message,
    }
  }
  if (input.isComplete) {
    const message = `${subject} has successfully progressed.`
    return {
      condition:
        before !== undefined && wasComplete && before.message === message ? before : make('True', progressReasons.available, message),
    }
  }
  if (before !== undefined && wasComplete && !isNewGoal && !isNewRevision) return { condition: before }
  if (before === undefined || isNewRevision)
    return waiting(make('True', progressReasons.created, `Created new revision "${revision}"${replicasText(input.replicas)}`), input)
  if (input.hasProgressed || isNewGoal) return waiting(make('True', progressReasons.updated, `${subject} is progressing.`), input)
  if (before.status === 'False') return { condition: before }
  const deadlineMs = deadlineOf(before, input)
  return deadlineMs === undefined || nowMs <= deadlineMs
    ? waiting(before, input)
    : { condition: make('False', progressReasons.deadline, `${subject} has timed out progressing.`) }
}

const replicasText = (count: number | undefined) => (count === undefined ? '' : ` with ${count} ${count === 1 ? 'replica' : 'replicas'}`)

/** The condition speaks of another number of replicas than the user asks for. */
function isScaled(before: WorkloadCondition | undefined, replicas: number | undefined): boolean {
  return replicas !== undefined && before?.message?.includes(`"${replicasText(replicas)}`) !== true
}

function waiting(condition: ProgressingCondition, input: ProgressInput): NextProgressing {
  const deadlineMs = deadlineOf(condition, input)
  // A deadline is passed when its millisecond is over.
  return { condition, ...(deadlineMs !== undefined && { requeueAtMs: deadlineMs + 1 }) }
}

function deadlineOf(
  condition: ProgressingCondition,
  { deadlineSeconds, isUpToUser, lastProgressAtMs, nowMs }: ProgressInput,
): number | undefined {
  if (deadlineSeconds === undefined || isUpToUser) return undefined
  const { lastUpdateTime, lastTransitionTime } = condition
  const fromMs =
    lastUpdateTime !== undefined
      ? parseTime(lastUpdateTime)
      : Math.max(lastTransitionTime === undefined ? nowMs : parseTime(lastTransitionTime), lastProgressAtMs ?? 0)
  return fromMs + deadlineSeconds * 1000
}

/** The list with the condition in the place of the one of its type, or at the end. */
export function withCondition(conditions: readonly WorkloadCondition[], condition: WorkloadCondition): readonly WorkloadCondition[] {
  const at = conditions.findIndex(({ type }) => type === condition.type)
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition)
}
