// Keeps Deployments going: reads the copies, plans, and writes what the plan says.
import { deployments as deploymentKind, pods as podKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { hasSameLabels } from '../../base/label-selector.ts'
import { isTerminating } from '../../planners/deployment/capacity.ts'
import { planDeployment } from '../../planners/deployment/deployment.ts'
import { isRollingUpdate } from '../../planners/deployment/fenceposts.ts'
import type { ReconcileResult } from '../../runtime/controller.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { StuckPods } from '../revisions/stuck-pods.ts'
import { createClaims } from './claims.ts'
import { DeletedSets } from './deleted-sets.ts'
import { controllerOf, readAdopters, readOwnerKey, readOwnerKeyOfPod } from './owners.ts'
import { UnseenWrites } from './unseen-writes.ts'
import { WaitEvents } from './wait-events.ts'
import { createDeploymentWriter } from './writer.ts'

/** The recorder speaks as `deployment-controller`. */
export interface DeploymentControllerOptions extends WorkloadControllerParts {
  /** The API server does not know terminatingReplicas: terminating pods are counted here. */
  readonly countTerminatingPods?: boolean
}

const usualWorkers = 32
const quietConflicts = 10

export function startDeploymentController(options: DeploymentControllerOptions): RunningController {
  const { client, clock, gates, informers, recorder, countTerminatingPods = false, onFailure } = options
  const deployments = informers.get<Deployment>(deploymentKind)
  const replicaSets = informers.get<ReplicaSet>(replicaSetKind)
  const pods = informers.get<Pod>(podKind)
  const unseen = new UnseenWrites(clock)
  const claims = createClaims({ client, replicaSets, unseen })
  const waitEvents = new WaitEvents(recorder)
  const stuckPods = new StuckPods(recorder)
  const deletedSets = new DeletedSets(informers)
  const writer = createDeploymentWriter({ client, clock, deployments, replicaSets, recorder, unseen })
  let synced = false

  const controller = startController({
    queues: options.queues,
    name: 'deployment',
    clock,
    workers: options.workers ?? usualWorkers,
    reconcile,
    onFailure: told,
  })

  async function reconcile(key: string): Promise<ReconcileResult | undefined> {
    const deployment = deployments.get(key)
    if (deployment === undefined) {
      unseen.forget(key)
      waitEvents.forget(key)
      stuckPods.forget(key)
      return undefined
    }
    const waitMs = unseen.waitMs(key)
    if (waitMs !== undefined) return { againAfterMs: waitMs }
    const { metadata } = deployment
    const orphans = replicaSets.byIndex('orphan', metadata.namespace ?? '')
    const owned = await claims.applyClaims(key, deployment, replicaSets.byIndex('owner', metadata.uid), orphans)
    if (owned === undefined) return undefined
    const snapshot = {
      deployment,
      replicaSets: owned,
      podsOf: (uid: string) => pods.byIndex('owner', uid),
      strays: deletedSets.straysOf(deployment),
      gates,
      countTerminatingPods,
    }
    const plan = planDeployment(snapshot, clock.now())
    waitEvents.report(key, deployment, plan)
    stuckPods.report(key, plan.stuck ?? [], { ...deployment, apiVersion: 'apps/v1', kind: 'Deployment' })
    await writer.applyPlan(key, deployment, plan)
    return againAt(plan.wakeAt)
  }

  const againAt = (wakeAt: number | undefined) => (wakeAt === undefined ? undefined : { againAfterMs: Math.max(1, wakeAt - clock.now()) })

  function told(key: string, error: unknown, failures: number): void {
    // Somebody has changed or deleted one of the objects meanwhile: the copies will show it.
    if ((isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')) && failures < quietConflicts) return
    onFailure?.(`deployment ${key}`, error)
  }

  const enqueue = (key: string | undefined) => {
    if (synced && key !== undefined) controller.queue.add(key)
  }

  deployments.onChange((current, previous) => enqueue(keyOfEither(current, previous)))
  replicaSets.onChange((current, previous) => {
    if (!synced) return
    const isSameOwner = current !== undefined && current.metadata.ownerReferences === previous?.metadata.ownerReferences
    if (previous !== undefined && !isSameOwner) enqueue(readOwnerKey(deployments, previous))
    if (current === undefined) return
    const owner = readOwnerKey(deployments, current)
    if (owner !== undefined) enqueue(owner)
    else if (isNewOrphan(current, previous)) for (const adopter of readAdopters(deployments, current)) enqueue(adopter)
  })
  // The sets tell of their pods. Only where the pods themselves are looked at, their going is news.
  pods.onChange((current, previous) => {
    if (!synced || previous === undefined) return
    if (current !== undefined && isCountedAlike(current, previous)) return
    for (const pod of current === undefined ? [previous] : [previous, current])
      for (const key of deletedSets.keysOf(deployments, pod)) enqueue(key)
    const key = readOwnerKeyOfPod(deployments, replicaSets, previous)
    const deployment = key === undefined ? undefined : deployments.get(key)
    if (deployment !== undefined && (countTerminatingPods || !isRollingUpdate(deployment))) enqueue(key)
  })

  const allSynced = Promise.all([deployments.synced, replicaSets.synced, pods.synced]).then(() => {
    deletedSets.start()
    synced = true
    for (const deployment of deployments.values()) enqueue(keyOfEither(deployment, undefined))
  })

  return {
    synced: allSynced,
    async stop() {
      synced = false
      await controller.stop()
    },
  }
}

function keyOfEither(current: Stored<Deployment> | undefined, previous: Stored<Deployment> | undefined): string {
  const { namespace, name } = (current ?? previous)!.metadata
  return `${namespace}/${name}`
}

const isCountedAlike = (current: Stored<Pod>, previous: Stored<Pod>): boolean =>
  isTerminating(current) === isTerminating(previous) &&
  controllerOf(current)?.uid === controllerOf(previous)?.uid &&
  hasSameLabels(current.metadata.labels, previous.metadata.labels)

/** Nobody controls it, and it is new, or its labels or owners have changed. */
function isNewOrphan(current: Stored<ReplicaSet>, previous: Stored<ReplicaSet> | undefined): boolean {
  if (current.metadata.ownerReferences?.some(({ controller }) => controller === true)) return false
  return (
    previous === undefined ||
    JSON.stringify(previous.metadata.labels) !== JSON.stringify(current.metadata.labels) ||
    JSON.stringify(previous.metadata.ownerReferences) !== JSON.stringify(current.metadata.ownerReferences)
  )
}
