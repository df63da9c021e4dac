// The Deployment controller: reads the caches, plans, and applies the plan.
// Kubernetes: pkg/controller/deployment.DeploymentController.syncDeployment, DeploymentController.addReplicaSet
// Kubernetes: pkg/controller/deployment.DeploymentController.updateReplicaSet, DeploymentController.deleteReplicaSet
// Kubernetes: pkg/controller/deployment.DeploymentController.deletePod, DeploymentController.getReplicaSetsForDeployment
import { deployments as deploymentKind, pods as podKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { hasSameLabels } from '../../base/label-selector.ts'
import { buildController, owned, type ReconcileContext, watched } from '../../runtime/controller.ts'
import type { RunningController, WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { type ReconcileResult, requeueAt } from '../../runtime/workers.ts'
import { EvictionCounts } from '../eviction/eviction-counts.ts'
import { MarkedPods } from '../eviction/marked-pods.ts'
import { applyOwnership } from '../shared/adoption.ts'
import { cachedController } from '../shared/cached-controller.ts'
import { planOwnership } from '../shared/plan/ownership.ts'
import { isTerminal, isTerminating } from '../shared/plan/pod-state.ts'
import { earliest } from '../shared/plan/requeue.ts'
import { StuckPods } from '../shared/stuck-pods.ts'
import { DeletedSets } from './deleted-sets.ts'
import { DeploymentEvictions } from './evictions.ts'
import { isSettledStatus, planDeployment } from './plan/deployment.ts'
import { isRollingUpdate } from './plan/fenceposts.ts'
import type { PlanReasons } from './plan/reasons.ts'
import { adoptedAnnotations } from './plan/resized.ts'
import { isSelected } from './plan/selection.ts'
import { ReplacedPods } from './replaced-pods.ts'
import { UnobservedPods } from './unobserved-pods.ts'
import { WaitEvents } from './wait-events.ts'
import { applyPlan } from './writer.ts'

/** Surge before eviction. */
export interface EvictionSettings {
  /** How long the eviction of a pod waits for its replacement. */
  readonly timeoutMs: number
  readonly counts: EvictionCounts
}

/** The component of the recorder is `deployment-controller`. */
interface DeploymentControllerOptions extends WorkloadControllerParts {
  /** For API servers without terminatingReplicas: terminating pods are counted by this controller. Default: never. */
  countTerminatingPods?(): boolean
  /** Pods are replaced before they are evicted. `counts` has the evictions that wait. Default: never. */
  readonly evictions?: EvictionSettings | undefined
  /** Called with the reasons of each plan, before it is applied. */
  onPlan?(key: string, reasons: PlanReasons): void
}

const defaultWorkers = 32
/** When to requeue if the cache lacks pods. Usually the watch reports them before. */
const unobservedPodsRequeueMs = 5000
const none: readonly string[] = []

export function startDeploymentController(options: DeploymentControllerOptions): RunningController {
  const { clock, gates, informers, recorder, countTerminatingPods = () => false, onPlan } = options
  const deployments = informers.get<Deployment>(deploymentKind)
  const replicaSets = informers.get<ReplicaSet>(replicaSetKind)
  const pods = informers.get<Pod>(podKind)
  const waitEvents = new WaitEvents(recorder)
  const stuckPods = new StuckPods(recorder)
  const deletedSets = new DeletedSets(informers)
  const unobservedPods = new UnobservedPods(deployments, informers)
  const replacedPods = new ReplacedPods(deployments, replicaSets)
  const marked = new MarkedPods(pods)
  const { timeoutMs, counts } = options.evictions ?? { timeoutMs: 0, counts: new EvictionCounts() }
  const evictions =
    options.evictions && new DeploymentEvictions({ clock, recorder, deployments, replicaSets, pods, marked, counts, timeoutMs })

  const reconcile = async (deployment: Stored<Deployment>, { key, client }: ReconcileContext): Promise<ReconcileResult | undefined> => {
    const { metadata } = deployment
    const controlled = replicaSets.byIndex('owner', metadata.uid)
    const orphans = replicaSets.byIndex('orphan', metadata.namespace ?? '')
    const ownership = planOwnership(deployment, controlled, orphans, (set) => isSelected(deployment, set))
    const ownSets = await applyOwnership(
      { client, resource: deploymentKind, owner: deployment, annotations: adoptedAnnotations(deployment) },
      replicaSetKind,
      ownership,
    )
    // Planned when the cache has observed the new owners.
    if (ownership.adopt.length > 0 || ownership.release.length > 0) return undefined
    const podChanges = replacedPods.find(key)
    const snapshot = {
      deployment,
      replicaSets: ownSets,
      podsOf: (uid: string) => pods.byIndex('owner', uid),
      podCountOf: (uid: string) => pods.countByIndex('owner', uid),
      deletedPodsOf: (uid: string) => pods.byIndex('deleted', uid),
      replacedPodsOf: (uid: string) => marked.replacedOf(uid),
      ...deletedSets.uncountedOf(deployment),
      hasReplacedPods: podChanges.isReplaced,
      gates,
      countTerminatingPods: countTerminatingPods(),
    }
    const plan = planDeployment(snapshot, clock.now())
    // A pod that is replaced before its eviction is a new pod too.
    if ((plan.needsAllPods || evictions?.isAsked(ownSets)) && unobservedPods.isUnchecked(key))
      return { requeueAfterMs: (await unobservedPods.areObserved(client, deployment)) ? 0 : unobservedPodsRequeueMs }
    if (plan.reasons !== undefined) onPlan?.(key, plan.reasons)
    waitEvents.report(key, deployment, plan)
    stuckPods.report(key, plan.stuck ?? [], deployment)
    const isDeferred = await applyPlan({ client, clock, recorder, deployment }, plan)
    if (!isDeferred) replacedPods.noteWritten(key, podChanges)
    const evictionsAtMs = await evictions?.answer(client, deployment, ownSets, plan)
    return requeueAt(isDeferred ? clock.now() : earliest(plan.requeueAtMs, evictionsAtMs), clock)
  }

  /** ReplicaSets report their pods in their status. A pod only matters here if the Deployment counts pods itself. */
  const keysOfPod = (current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined): readonly string[] => {
    // A new orphan only takes room.
    if (previous === undefined) return controllerOf(current!) === undefined ? none : deletedSets.keysOf(deployments, current!)
    if (current !== undefined && isCountedTheSame(current, previous)) return none
    const keys = deletedSets.keysOf(deployments, previous)
    if (current !== undefined) keys.push(...deletedSets.keysOf(deployments, current))
    const set = cachedController(replicaSets, 'ReplicaSet', previous)
    const deployment = set && cachedController(deployments, 'Deployment', set)
    if (deployment !== undefined && (countTerminatingPods() || !isRollingUpdate(deployment))) keys.push(keyOf(deployment))
    return keys
  }

  /** The Deployment counts the pods of its deleted ReplicaSet by itself. */
  const keysOfSet = (current: Stored<ReplicaSet> | undefined, previous: Stored<ReplicaSet> | undefined): Iterable<string> =>
    current !== undefined && previous !== undefined ? none : deletedSets.keysOfSet(deployments, (current ?? previous)!)

  const start = () => {
    deletedSets.start()
    marked.start()
    unobservedPods.start()
  }

  return buildController(options, {
    name: 'deployment',
    for: deploymentKind,
    isSettledBy: isSettledStatus,
    owns: [owned<Deployment, ReplicaSet>({ kind: replicaSetKind, selects: isAdopter })],
    watches: [
      watched(podKind, keysOfPod),
      watched(replicaSetKind, keysOfSet),
      ...(evictions === undefined ? [] : [watched<Pod>(podKind, (current, previous) => evictions.keysOf(current, previous))]),
    ],
    reads: [{ synced: Promise.all([deployments.synced, replicaSets.synced, pods.synced]).then(start) }],
    workers: defaultWorkers,
    reconcile,
    state: [waitEvents, stuckPods, replacedPods, unobservedPods, counts],
  })
}

/** Whether the Deployment would adopt an orphan. */
const isAdopter = (deployment: Deployment, orphan: Stored<ReplicaSet>): boolean =>
  Object.keys(orphan.metadata.labels ?? {}).length > 0 && isSelected(deployment, orphan)

/** Of the pods that no ReplicaSet counts, all that have not terminated may count; of others, those that are terminating. */
const isCountedTheSame = (current: Stored<Pod>, previous: Stored<Pod>): boolean =>
  isTerminating(current) === isTerminating(previous) &&
  isTerminal(current) === isTerminal(previous) &&
  controllerOf(current)?.uid === controllerOf(previous)?.uid &&
  hasSameLabels(current.metadata.labels, previous.metadata.labels)
