// KEP-2804: the Progressing condition of StatefulSets and DaemonSets, with the meaning that it has for Deployments. It describes
// the last rollout or scale that the user requested, not later health: once complete, it stays so until the next request.
// Ours: the condition is that of KEP-2804.
import type { IntOrString, KubernetesObject } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { type FieldOrAnnotation, fieldOrAnnotation, progressDeadlineSecondsAnnotation } from './annotations.ts'
import type { WorkloadCondition } from './operational.ts'

const progressing = 'Progressing'

const progressReasons = {
  created: 'NewRevisionCreated',
  updated: 'RevisionUpdated',
  available: 'NewRevisionAvailable',
  deadline: 'ProgressDeadlineExceeded',
} as const

/** `lastUpdateTime` is the time of the last progress, from which the deadline counts, as for Deployments. */
export interface ProgressingCondition extends WorkloadCondition {
  readonly lastUpdateTime?: string
}

export interface ProgressInput {
  /** The name of the revision that is being rolled out. */
  readonly revision: string
  /** The number of replicas in the spec; undefined for kinds without it. It is stored in the message of the condition. */
  readonly replicas?: number
  /** The user has requested other pods since the status was written, without changing the revision or `replicas`. */
  readonly isNewGoal: boolean
  readonly isComplete: boolean
  /** Pods were created, updated, became ready or available, or old ones terminated. */
  readonly hasProgressed: boolean
  /** Only the user can continue the rollout: the deadline does not apply. */
  readonly isUpToUser: boolean
  /** Undefined: no deadline. */
  readonly deadlineSeconds: number | undefined
  /** The last progress that shows in the pods: for API servers that do not store lastUpdateTime. */
  readonly lastProgressAtMs: number | undefined
  readonly nowMs: number
}

interface NextProgressing {
  readonly condition: WorkloadCondition
  /** The moment after the deadline. */
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

/** Whether the message of the condition names another number of replicas. */
function isScaled(before: WorkloadCondition | undefined, replicas: number | undefined): boolean {
  return replicas !== undefined && before?.message?.includes(`"${replicasText(replicas)}`) !== true
}

function waiting(condition: ProgressingCondition, input: ProgressInput): NextProgressing {
  const deadlineMs = deadlineOf(condition, input)
  // The deadline itself is still in time.
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

/** The conditions with the one of this type replaced, or with a new one at the end. */
export function withCondition(conditions: readonly WorkloadCondition[], condition: WorkloadCondition): readonly WorkloadCondition[] {
  const at = conditions.findIndex(({ type }) => type === condition.type)
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition)
}
