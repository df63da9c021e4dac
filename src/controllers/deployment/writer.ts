// Applies the plan for a Deployment: the ReplicaSets in order, then the status. The first failure ends it; the next reconcile
// continues from what was written.
// Kubernetes: pkg/controller/deployment.DeploymentController.scaleReplicaSet, DeploymentController.getNewReplicaSet
// Kubernetes: pkg/controller/deployment.DeploymentController.syncDeploymentStatus, DeploymentController.cleanupDeployment
import { deployments as deploymentKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { ignoring, isNamespaceTerminating, isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { planCreateFailure, withCollision } from './plan/create-failure.ts'
import { isSameTemplate } from './plan/replica-sets.ts'
import type { DeploymentAction, DeploymentPlan, PlannedEvent } from './plan/snapshot.ts'
import { leavesStatus } from './plan/status-writes.ts'

interface DeploymentWriter {
  readonly client: Client
  readonly clock: Clock
  readonly recorder: EventRecorder
  readonly deployment: Stored<Deployment>
}

/** Resolves to true if the status is left to the next sync. */
export async function applyPlan(writer: DeploymentWriter, plan: DeploymentPlan): Promise<boolean> {
  const { client, deployment } = writer
  const { actions, status, events } = plan
  for (const event of events) record(writer, event)
  let hasResized = false
  for (const action of actions) {
    if (action.action === 'update-set') {
      const { metadata } = await client.update(replicaSetKind, action.replicaSet)
      // A dry run, or a webhook that resets the size, changes nothing: no event would follow.
      hasResized ||= action.event !== undefined && metadata.resourceVersion !== action.replicaSet.metadata.resourceVersion
    } else if (!(await applyAction(writer, action))) return false
    if (action.action !== 'delete-set' && action.event !== undefined) record(writer, action.event)
  }
  if (hasResized && leavesStatus(plan, deployment)) return true
  if (status !== undefined) await client.updateStatus(deploymentKind, status)
  return false
}

const record = ({ recorder, deployment }: DeploymentWriter, { type, reason, message }: PlannedEvent) =>
  recorder.record(deployment, type, reason, message)

/** Resolves to false if nothing was created: then the rest of the plan waits for the next reconcile. */
async function applyAction(
  writer: DeploymentWriter,
  action: Exclude<DeploymentAction, { readonly action: 'update-set' }>,
): Promise<boolean> {
  const { client } = writer
  switch (action.action) {
    case 'create-set':
      return applyCreate(writer, action.replicaSet)
    case 'delete-set':
      await applyDelete(client, action.replicaSet)
      return true
    case 'update-deployment':
      await client.update(deploymentKind, action.deployment)
      return true
  }
}

async function applyCreate(writer: DeploymentWriter, set: ReplicaSet): Promise<boolean> {
  const { client, deployment } = writer
  const { namespace } = deployment.metadata
  try {
    await client.create(replicaSetKind, namespace, set)
    return true
  } catch (error) {
    // Further writes would be rejected too, and the Deployment will be deleted with its namespace.
    if (isNamespaceTerminating(error)) return false
    if (!isStatusError(error, 'AlreadyExists')) {
      await applyFailure(writer, set, error)
      throw error
    }
    const existing = await client.get(replicaSetKind, { namespace, name: set.metadata?.name ?? '' })
    const isOwn = controllerOf(existing)?.uid === deployment.metadata.uid
    // The ReplicaSet was created before, and the cache has not observed it yet: retry until it has.
    if (isOwn && isSameTemplate(existing.spec?.template, deployment.spec?.template)) throw error
    await client.updateStatus(deploymentKind, withCollision(deployment))
    return false
  }
}

async function applyFailure(writer: DeploymentWriter, set: ReplicaSet, error: unknown): Promise<void> {
  const { client, clock, deployment } = writer
  const why = messageOf(error)
  const { event, status } = planCreateFailure(deployment, set.metadata?.name ?? '', why, clock.now())
  record(writer, event)
  // The failure to create is the one to report: the next attempt writes the status.
  if (status !== undefined) await client.updateStatus(deploymentKind, status).catch(() => {})
}

async function applyDelete(client: Client, { metadata: { name, namespace, uid } }: Stored<ReplicaSet>): Promise<void> {
  const options = { preconditions: { uid }, propagationPolicy: 'Background' } as const
  await ignoring('NotFound', client.delete(replicaSetKind, { namespace, name }, options))
}
