// Surge before eviction by the Deployment controller itself: it marks the pods that are replaced now, and answers the evictions that may pass.
// Ours: surge before eviction exists in Rollcall only.
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { applyEvictions } from '../eviction/apply-evictions.ts'
import type { EvictionCounts } from '../eviction/eviction-counts.ts'
import type { MarkedPods } from '../eviction/marked-pods.ts'
import { hasEvictionMarks } from '../eviction/plan/eviction-marks.ts'
import { planEvictions } from '../eviction/plan/evictions.ts'
import { cachedController } from '../shared/cached-controller.ts'
import { isReady } from '../shared/plan/pod-state.ts'
import { maxReplicas, replicasOf } from './plan/fenceposts.ts'
import { settingsOf } from './plan/settings.ts'
import type { DeploymentPlan } from './plan/snapshot.ts'

interface DeploymentEvictionsOptions {
  readonly clock: Clock
  readonly recorder: EventRecorder
  readonly deployments: Informer<Deployment>
  readonly replicaSets: Informer<ReplicaSet>
  readonly pods: Informer<Pod>
  readonly marked: MarkedPods
  readonly counts: EvictionCounts
  /** How long the eviction of a pod waits for its replacement. */
  readonly timeoutMs: number
}

/** Whether the pods of a Deployment are replaced before they are evicted: where terminating pods count, and it may have more than its replicas. */
export const isReplacedBeforeEviction = (gates: FeatureGates) => (_client: Client, deployment: Stored<Deployment>) =>
  Promise.resolve(settingsOf(deployment, gates).policy === 'TerminationComplete')

const none: readonly string[] = []

export class DeploymentEvictions {
  readonly #options: DeploymentEvictionsOptions

  constructor(options: DeploymentEvictionsOptions) {
    this.#options = options
  }

  /** Whether pods of these ReplicaSets are to be evicted. */
  isAsked(sets: readonly Stored<ReplicaSet>[]): boolean {
    return sets.some(({ metadata }) => this.#options.marked.has(metadata.uid))
  }

  /**
   * Resolves to when the evictions have to be planned again. A rollout, or a scale, comes first: nothing is replaced while `plan` changes
   * ReplicaSets.
   */
  async answer(
    client: Client,
    deployment: Stored<Deployment>,
    sets: readonly Stored<ReplicaSet>[],
    plan: DeploymentPlan,
  ): Promise<number | undefined> {
    const { clock, recorder, pods, counts, timeoutMs } = this.#options
    const key = keyOf(deployment)
    if (!this.isAsked(sets)) {
      counts.delete(key)
      return undefined
    }
    if (plan.actions.length > 0) return undefined
    const { policy, room = 0 } = plan.reasons ?? {}
    const { actions, waiting, requeueAtMs } = planEvictions(
      {
        deployment,
        sets,
        pods: sets.flatMap(({ metadata }) => pods.byIndex('owner', metadata.uid)),
        room,
        // Without the policy the pods of the Deployment are not counted.
        cap: policy === 'TerminationComplete' ? maxReplicas(deployment) : replicasOf(deployment),
        takesOver: false,
        timeoutMs,
      },
      clock.now(),
    )
    counts.note(key, waiting)
    await applyEvictions(deployment, actions, { client, recorder, nowMs: clock.now(), timeoutMs })
    for (const action of actions) if (action.type === 'allow') counts.noteAnswer(action.reason)
    return requeueAtMs
  }

  /** The Deployment of a pod whose marks have changed, or on which the eviction of another one may depend. */
  keysOf(current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined): readonly string[] {
    const { deployments, replicaSets, counts } = this.#options
    const pod = (current ?? previous)!
    const isMarked = (current !== undefined && hasEvictionMarks(current)) || (previous !== undefined && hasEvictionMarks(previous))
    if (!isMarked && counts.isEmpty) return none
    if (!isMarked && current !== undefined && previous !== undefined && isReady(current) === isReady(previous)) return none
    const set = cachedController(replicaSets, 'ReplicaSet', pod)
    const deployment = set && cachedController(deployments, 'Deployment', set)
    return deployment !== undefined && (isMarked || counts.has(keyOf(deployment))) ? [keyOf(deployment)] : none
  }
}
