// The controller of ReplicaSets and ReplicationControllers. The kinds differ only in SetKind and in the settings of the planner.
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.syncReplicaSet, ReplicaSetController.updatePod
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.deletePod, ReplicaSetController.updateRS
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.getIndirectlyRelatedPods
import { pods as podKind, replicaSets, replicationControllers } from '../../api/kinds.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { controllerOf, controllerReference } from '../../api/machinery/owners.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { hasSameLabels, matchesLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { buildController, owned, type ReconcileContext } from '../../runtime/controller.ts'
import type { RunningController, WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { type ReconcileResult, requeueAt } from '../../runtime/workers.ts'
import { isBeingReplaced } from '../eviction/plan/eviction-marks.ts'
import { applyOwnership } from '../shared/adoption.ts'
import { AnnotationProblems } from '../shared/annotation-problems.ts'
import { affectsCounts, batchDelayMs } from '../shared/plan/pod-changes.ts'
import { earliest } from '../shared/plan/requeue.ts'
import { StuckPods } from '../shared/stuck-pods.ts'
import { planClaims } from './plan/claim.ts'
import { podFromTemplate } from './plan/new-pod.ts'
import { planReplicas, sortTerminating } from './plan/replicas.ts'
import { type AnyReplicaSet, type ReplicaSetKind, settingsOf } from './plan/settings.ts'
import { nextStatus } from './plan/status.ts'
import { isRepeated, isStatusDue } from './plan/status-writes.ts'
import { applyCreations, applyDeletions } from './write-pods.ts'

/** The component of the recorder is `replicaset-controller`. */
export const startReplicaSetController = (options: WorkloadControllerParts) =>
  startSetController({ name: 'replicaset', kind: 'ReplicaSet', resource: replicaSets as Kind<AnyReplicaSet> }, options)

/** The component of the recorder is `replication-controller`. */
export const startReplicationControllerController = (options: WorkloadControllerParts) => {
  const resource = replicationControllers as Kind<AnyReplicaSet>
  return startSetController({ name: 'replicationmanager', kind: 'ReplicationController', resource }, options)
}

interface SetKind {
  /** The name of the work queue in Kubernetes. */
  readonly name: string
  readonly kind: ReplicaSetKind
  readonly resource: Kind<AnyReplicaSet>
}

const defaultWorkers = 32

function startSetController({ name, kind, resource }: SetKind, options: WorkloadControllerParts): RunningController {
  const { clock, gates, informers, recorder } = options
  const apiVersion = apiVersionOf(resource)
  const sets = informers.get(resource)
  const pods = informers.get(podKind)
  /** The number of pods of each set at its last reconcile. */
  const podCounts = new Map<string, number>()
  const problems = new AnnotationProblems(recorder)
  const stuckPods = new StuckPods(recorder)

  const reconcile = async (set: Stored<AnyReplicaSet>, { key, client }: ReconcileContext): Promise<ReconcileResult | undefined> => {
    const { uid, namespace = '' } = set.metadata
    const settings = settingsOf(kind, set, gates)
    if (settings.requirements === undefined) return undefined
    // A set that belongs to a Deployment has only copies of its annotations, which the Deployment reports.
    const isOwned = controllerOf(set) !== undefined
    problems.report(key, set, isOwned ? [] : settings.problems)

    const ownPods = pods.byIndex('owner', uid)
    podCounts.set(key, ownPods.length)
    const claims = planClaims(settings, ownPods, pods.byIndex('orphan', namespace))
    let active = claims.active
    if (claims.adopt.length > 0 || claims.release.length > 0) {
      active = await applyOwnership({ client, resource, owner: set }, podKind, { ...claims, owned: active })
      if (sets.get(key)?.metadata.uid !== uid) return undefined
    }
    const terminating = claims.terminating.length
    let nowMs = clock.now()
    const { holding, stuck, nextStuckAtMs: stuckAtMs } = sortTerminating(settings, claims.terminating, nowMs)
    // The Deployment of a set reports the stuck pods of all its sets.
    if (!isOwned) stuckPods.report(key, stuck, set)
    const plan = planReplicas({
      settings,
      active,
      replaced: active.filter(isBeingReplaced),
      terminating: holding,
      related: () => readRelatedPods(set),
      usesDeletionCost: gates.PodDeletionCost,
      nowMs,
    })
    const writer = { client, clock, recorder, namespace, subject: set }
    const written =
      plan.action === 'create'
        ? await applyCreations(writer, Array(plan.count).fill(newPod(set)))
        : plan.action === 'delete'
          ? await applyDeletions(writer, plan.pods)
          : undefined
    const failure = written?.failure
    if (plan.action !== 'none') nowMs = clock.now()
    const counts = { settings, active, terminating, nowMs }
    const { status, requeueAtMs } = nextStatus(set, { ...counts, ...(failure !== undefined && { failure }) })
    const result = { plan, written }
    if (status !== undefined && isStatusDue(result, set, active.length, claims.adopt.length))
      await applyStatus(client, { ...set, status } as AnyReplicaSet)
    if (failure !== undefined) throw new Error(failure)
    return isRepeated(result) ? { requeueAfterMs: delayMsOf(key) } : requeueAt(earliest(requeueAtMs, stuckAtMs), clock)
  }

  const newPod = (set: Stored<AnyReplicaSet>) =>
    podFromTemplate(set.spec?.template, set.metadata.name, controllerReference(apiVersion, kind, set))

  const applyStatus = (client: Client, set: AnyReplicaSet) => ignoring('NotFound', client.updateStatus(resource, set))

  /** The pods of all sets with the same owner. As in Kubernetes, a set without an owner has no related pods, not even its own. */
  const readRelatedPods = (set: Stored<AnyReplicaSet>): readonly Stored<Pod>[] => {
    const owner = controllerOf(set)?.uid
    const found: Stored<Pod>[] = []
    if (owner === undefined) return found
    for (const { metadata } of sets.byIndex('owner', owner)) for (const pod of pods.byIndex('owner', metadata.uid)) found.push(pod)
    return found
  }

  const delayMsOf = (key: string) => batchDelayMs(podCounts.get(key) ?? 0)

  return buildController(options, {
    name,
    for: resource,
    isSettledBy: () => true,
    // A change of the spec is reconciled at once. So are annotations, which may be settings and do not change the generation.
    delayOf: (current, previous) =>
      previous?.metadata.generation !== current.metadata.generation ||
      previous?.metadata.deletionTimestamp !== current.metadata.deletionTimestamp ||
      !hasSameLabels(previous?.metadata.annotations, current.metadata.annotations)
        ? 0
        : delayMsOf(keyOf(current)),
    owns: [
      owned<AnyReplicaSet, Pod>({
        kind: podKind,
        selects(set, { metadata }) {
          const { requirements } = settingsOf(kind, set, gates)
          return requirements !== undefined && matchesLabels(requirements, metadata.labels)
        },
        matters: (current, previous) => affectsCounts(current, previous) || isBeingReplaced(current) !== isBeingReplaced(previous),
        delayMs: delayMsOf,
      }),
    ],
    workers: defaultWorkers,
    reconcile,
    state: [podCounts, problems, stuckPods],
  })
}
