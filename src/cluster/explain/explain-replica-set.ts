// What a ReplicaSet waits for, by its planners.

import { controllerOf } from '../../api/machinery/owners.ts'
import type { ReplicaSet, Stored } from '../../api/types.ts'
import { planClaims } from '../../controllers/replica-set/plan/claim.ts'
import { planReplicas, sortTerminating } from '../../controllers/replica-set/plan/replicas.ts'
import { settingsOf } from '../../controllers/replica-set/plan/settings.ts'
import { isReady } from '../../controllers/shared/plan/pod-state.ts'
import { type Explanation, explanationOf, podsText, type Surroundings, writesText } from './explanation.ts'

export function explainReplicaSet(set: Stored<ReplicaSet>, surroundings: Surroundings): Explanation {
  const { pods, gates, nowMs } = surroundings
  const settings = settingsOf('ReplicaSet', set, gates)
  const owned = pods.filter((pod) => controllerOf(pod)?.uid === set.metadata.uid)
  const claims = planClaims(
    settings,
    owned,
    pods.filter((pod) => controllerOf(pod) === undefined),
  )
  const active = [...claims.active, ...claims.adopt]
  const { holding } = sortTerminating(settings, claims.terminating, nowMs)
  const plan = planReplicas({ settings, active, terminating: holding, related: () => owned, usesDeletionCost: true, nowMs })
  const { wanted, terminatingAsActive } = settings
  const isHeld = terminatingAsActive && active.length < wanted
  const ready = active.filter(isReady).length
  const counts = `${podsText(active.length + claims.terminating.length)}: ${ready} ready, ${claims.terminating.length} terminating`
  const owner = controllerOf(set)
  const next = [
    ...writesText(
      'adopt',
      claims.adopt.map(({ metadata }) => metadata.name),
    ),
    ...(plan.action === 'create' ? [`create ${podsText(plan.count)}`] : []),
    ...(plan.action === 'delete'
      ? writesText(
          'delete',
          plan.pods.map(({ metadata }) => metadata.name),
        )
      : []),
  ]
  return explanationOf(
    {
      kind: 'ReplicaSet',
      object: set,
      observedGeneration: set.status?.observedGeneration ?? 0,
      account: `size ${wanted}${owner === undefined ? '' : `, set by ${owner.kind} ${owner.name}`}; ${counts}${isHeld ? '; it creates a pod when a terminating one has terminated' : ''}`,
      next,
      own: [...claims.active, ...claims.terminating],
      minReadySeconds: settings.minReadySeconds,
      refusals: failuresOf(set),
      ...(settings.isBeingDeleted && { halt: deletionText(set) }),
      waitsForTerminating: () => isHeld && next.length === 0,
      complete: 'it is complete',
      isDone: next.length === 0,
    },
    surroundings,
  )
}

/** Its condition when it could not create or delete pods, such as those of a quota. */
export function failuresOf({ status }: ReplicaSet): readonly string[] {
  const failure = status?.conditions?.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')
  return failure === undefined ? [] : [`${failure.reason ?? 'failure'}: ${failure.message ?? ''}`]
}

/** What keeps an object that is being deleted. */
export function deletionText({ metadata: { finalizers = [] } }: Stored<object & { metadata: { finalizers?: readonly string[] } }>): string {
  return finalizers.length === 0
    ? 'it is being deleted'
    : `it is being deleted, and kept by ${finalizers.length === 1 ? 'finalizer' : 'finalizers'} ${finalizers.join(', ')}`
}
