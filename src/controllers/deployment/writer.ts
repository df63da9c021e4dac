// Carries out a plan for a Deployment: the sets in their order, then the status. The first refusal ends it; what was
// written until then is enough for the next look to go on from.
import { deployments as deploymentKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import { planCreateFailure, withCollision } from '../../planners/deployment/create-failure.ts'
import { isSameTemplate } from '../../planners/deployment/replica-sets.ts'
import type { DeploymentAction, DeploymentPlan, PlannedEvent } from '../../planners/deployment/snapshot.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { controllerOf } from './owners.ts'
import type { UnseenWrites } from './unseen-writes.ts'

export interface DeploymentWriterOptions {
  readonly client: Client
  readonly clock: Clock
  readonly deployments: Informer<Deployment>
  readonly replicaSets: Informer<ReplicaSet>
  readonly recorder: EventRecorder
  readonly unseen: UnseenWrites
}

export interface DeploymentWriter {
  applyPlan(key: string, deployment: Stored<Deployment>, plan: DeploymentPlan): Promise<void>
}

export function createDeploymentWriter({
  client,
  clock,
  deployments,
  replicaSets,
  recorder,
  unseen,
}: DeploymentWriterOptions): DeploymentWriter {
  /** Until the copy shows something else than the version that the write replaced. */
  const waitForChange = (key: string, informer: Informer<Deployment> | Informer<ReplicaSet>, before: Stored<Deployment | ReplicaSet>) => {
    const { uid, resourceVersion } = before.metadata
    const cached = () => informer.get(keyOf(before))?.metadata
    unseen.add(key, () => cached()?.uid === uid && cached()?.resourceVersion === resourceVersion)
  }

  const applyStatus = async (key: string, deployment: Stored<Deployment>) => {
    const written = await client.updateStatus(deploymentKind, deployment)
    if (written.metadata.resourceVersion !== deployment.metadata.resourceVersion) waitForChange(key, deployments, deployment)
  }

  /** False: nothing was made, and the rest of the plan has to wait for another look. */
  const applyCreate = async (key: string, deployment: Stored<Deployment>, set: ReplicaSet): Promise<boolean> => {
    const { namespace } = deployment.metadata
    const waitForSet = (uid: string) => unseen.add(key, () => replicaSets.get(keyOf(set))?.metadata.uid !== uid)
    try {
      const created = await client.create(replicaSetKind, namespace, set)
      waitForSet(created.metadata.uid)
      return true
    } catch (error) {
      if (isNamespaceTerminating(error)) return false
      if (!isStatusError(error, 'AlreadyExists')) {
        await applyFailure(key, deployment, set, error)
        throw error
      }
      const name = set.metadata?.name ?? ''
      const existing = await client.get(replicaSetKind, { name, ...(namespace !== undefined && { namespace }) })
      const isOurs = controllerOf(existing)?.uid === deployment.metadata.uid
      // The copy was behind: it is the set that we wanted to make.
      if (isOurs && isSameTemplate(existing.spec?.template, deployment.spec?.template)) waitForSet(existing.metadata.uid)
      else await applyStatus(key, withCollision(deployment))
      return false
    }
  }

  const applyFailure = async (key: string, deployment: Stored<Deployment>, set: ReplicaSet, error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    const { event, status } = planCreateFailure(deployment, set.metadata?.name ?? '', why, clock.now())
    tell(deployment, event)
    // The refusal is what matters: a status that could not be written comes with the next try.
    if (status !== undefined) await applyStatus(key, status).catch(() => {})
  }

  /** False: nothing was made, and the rest of the plan has to wait for another look. */
  const applyAction = async (key: string, deployment: Stored<Deployment>, action: DeploymentAction): Promise<boolean> => {
    switch (action.action) {
      case 'create-set':
        return applyCreate(key, deployment, action.replicaSet)
      case 'update-set': {
        const written = await client.update(replicaSetKind, action.replicaSet)
        if (written.metadata.resourceVersion !== action.replicaSet.metadata.resourceVersion)
          waitForChange(key, replicaSets, action.replicaSet)
        return true
      }
      case 'delete-set':
        await applyDelete(key, action.replicaSet)
        return true
      case 'update-deployment':
        await client.update(deploymentKind, action.deployment)
        waitForChange(key, deployments, deployment)
        return true
    }
  }

  const applyDelete = async (key: string, set: Stored<ReplicaSet>) => {
    const { name, namespace, uid } = set.metadata
    try {
      await client.delete(
        replicaSetKind,
        { name, ...(namespace !== undefined && { namespace }) },
        { preconditions: { uid }, propagationPolicy: 'Background' },
      )
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
    const cached = () => replicaSets.get(keyOf(set))?.metadata
    unseen.add(key, () => cached()?.uid === uid && cached()?.deletionTimestamp === undefined)
  }

  const tell = (deployment: Stored<Deployment>, { type, reason, message }: PlannedEvent) =>
    recorder.record({ ...deployment, apiVersion: 'apps/v1', kind: 'Deployment' }, type, reason, message)

  return {
    async applyPlan(key, deployment, { actions, status, events }) {
      for (const event of events) tell(deployment, event)
      for (const action of actions) {
        if (!(await applyAction(key, deployment, action))) return
        if (action.action !== 'delete-set' && action.event !== undefined) tell(deployment, action.event)
      }
      if (status !== undefined) await applyStatus(key, status)
    },
  }
}

/** All further writes would be refused as well, and the namespace takes the Deployment along. */
function isNamespaceTerminating(error: unknown): boolean {
  return isStatusError(error, 'Forbidden') && (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating')
}
