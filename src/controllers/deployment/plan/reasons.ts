// Why a plan is as it is, as data: the log and `rollcall explain` show the same sentence.
// Ours: plans carry their reasons as data.
import type { ReplicaSet } from '../../../api/types.ts'
import { maxReplicas, replicasOf } from './fenceposts.ts'
import { readyReplicas, sizeOf, sum } from './replica-sets.ts'
import type { ScaleState } from './scale-state.ts'
import type { DeploymentSettings } from './settings.ts'
import type { Step } from './step.ts'
import { describeWait, type TerminationWait } from './termination-wait.ts'

export interface PlanReasons {
  readonly policy?: NonNullable<DeploymentSettings['policy']>
  readonly isPaused: boolean
  readonly replicas: number
  /** maxSurge as a number. */
  readonly surge: number
  /** The pods that exist or that ReplicaSets create by themselves. Absent: a ReplicaSet does not report its terminating pods. */
  readonly pods?: number
  readonly ready: number
  /** Absent: unknown. */
  readonly terminating?: number
  /** How many pods the policy lets the Deployment add. Absent without TerminationComplete: terminating pods take no room. */
  readonly room?: number
  readonly scale: ScaleState
  /** The ReplicaSets whose size changes, and how. */
  readonly sizes: readonly { readonly name: string; readonly before: number; readonly after: number }[]
  /** What the next step waits for. */
  readonly wait?: TerminationWait
}

/** `sets` are the ReplicaSets after the step. */
export function reasonsFor(step: Step, sets: readonly ReplicaSet[], wait: TerminationWait | undefined): PlanReasons {
  const { snapshot, settings, account, scale } = step
  const { deployment, replicaSets } = snapshot
  const before = new Map(replicaSets.map((set) => [set.metadata.uid, sizeOf(set)]))
  return {
    ...(settings.policy !== undefined && { policy: settings.policy }),
    isPaused: deployment.spec?.paused === true,
    replicas: replicasOf(deployment),
    surge: maxReplicas(deployment) - replicasOf(deployment),
    ...(account.pods !== undefined && { pods: account.pods }),
    ready: sum(replicaSets, readyReplicas),
    ...(account.terminating !== undefined && { terminating: account.terminating }),
    ...(settings.policy === 'TerminationComplete' && { room: account.room }),
    scale,
    sizes: sets.flatMap((set) => {
      const size = before.get(set.metadata?.uid ?? '') ?? 0
      return size === sizeOf(set) ? [] : [{ name: set.metadata?.name ?? '', before: size, after: sizeOf(set) }]
    }),
    ...(wait !== undefined && { wait }),
  }
}

const scaleTexts: Readonly<Record<ScaleState, string | undefined>> = {
  none: undefined,
  done: undefined,
  pending: 'a scale is pending',
  superseded: 'a rollout replaces the pending scale',
}

/** `cap 13 = 10 + 3; 10 pods may exist: 7 ready, 3 terminating; room 3; web-1 2 → 5`. */
export function describeReasons({ replicas, surge, pods, ready, terminating, room, scale, isPaused, sizes, wait }: PlanReasons): string {
  const counts = `${ready} ready, ${terminating ?? 'an unknown number'} terminating`
  const parts = [
    `cap ${replicas + surge} = ${replicas} + ${surge}`,
    `${pods ?? 'an unknown number of'} ${pods === 1 ? 'pod' : 'pods'} may exist: ${counts}`,
    room === undefined ? undefined : `room ${room}`,
    isPaused ? 'paused' : undefined,
    scaleTexts[scale],
    ...sizes.map(({ name, before, after }) => `${name} ${before} → ${after}`),
    wait === undefined ? undefined : `${describeWait(wait).replace(/^W/, 'w')}`,
  ]
  return parts.filter((part) => part !== undefined).join('; ')
}
