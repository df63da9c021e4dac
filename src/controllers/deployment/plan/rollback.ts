// Rollback by the annotation that replaced the field spec.rollbackTo. kubectl changes the template itself; other clients may
// use the annotation.
// Kubernetes: pkg/controller/deployment.DeploymentController.rollback, DeploymentController.rollbackToTemplate, getRollbackTo
// Kubernetes: pkg/controller/deployment.setRollbackTo
// Kubernetes: pkg/controller/deployment/util.LastRevision, SetFromReplicaSetTemplate, SetDeploymentAnnotationsTo
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { annotationOf, ownAnnotations, parseRevision, revisionOf, rollbackToAnnotation } from './annotations.ts'
import { isSameTemplate, withoutHash } from './replica-sets.ts'
import type { PlannedEvent } from './snapshot.ts'

/** The requested revision, 0 for the previous one; undefined without a request. */
export function rollbackRevision(deployment: Deployment): bigint | undefined {
  const text = annotationOf(deployment, rollbackToAnnotation)
  return text === undefined ? undefined : parseRevision(text)
}

interface RollbackPlan {
  /** Without the annotation, whether the rollback was possible or not. */
  readonly deployment: Stored<Deployment>
  readonly event: PlannedEvent
}

export function planRollback(deployment: Stored<Deployment>, sets: readonly Stored<ReplicaSet>[], requested: bigint): RollbackPlan {
  const revision = requested === 0n ? lastRevision(sets) : requested
  const without = (reason: string, message: string): RollbackPlan => ({
    deployment: withoutRequest(deployment),
    event: { type: 'Warning', reason, message },
  })
  if (revision === 0n) return without('DeploymentRollbackRevisionNotFound', 'Unable to find last revision.')
  const set = sets.find((one) => revisionOf(one) === revision)
  if (set === undefined) return without('DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.')
  if (isSameTemplate(deployment.spec?.template, set.spec?.template))
    return without(
      'DeploymentRollbackTemplateUnchanged',
      `The rollback revision contains the same template as current deployment "${deployment.metadata.name}"`,
    )
  return {
    deployment: withTemplateOf(set, withoutRequest(deployment)),
    event: {
      type: 'Normal',
      reason: 'DeploymentRollback',
      message: `Rolled back deployment "${deployment.metadata.name}" to revision ${revision}`,
    },
  }
}

/** The second highest: the highest is the current one. */
function lastRevision(sets: readonly ReplicaSet[]): bigint {
  let [highest, second] = [0n, 0n]
  for (const set of sets) {
    const revision = revisionOf(set) ?? 0n
    if (revision >= highest) [highest, second] = [revision, highest]
    else if (revision > second) second = revision
  }
  return second
}

function withoutRequest(deployment: Stored<Deployment>): Stored<Deployment> {
  const { [rollbackToAnnotation]: _request, ...annotations } = deployment.metadata.annotations ?? {}
  return { ...deployment, metadata: { ...deployment.metadata, annotations } }
}

/** The annotations of the ReplicaSet, such as the change cause, are restored with the template, except `ownAnnotations`. */
function withTemplateOf(set: Stored<ReplicaSet>, deployment: Stored<Deployment>): Stored<Deployment> {
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => ownAnnotations.has(key))
  const taken = Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key))
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: Object.fromEntries([...own, ...taken]) },
    spec: { ...deployment.spec, template: withoutHash(set.spec?.template) },
  } as Stored<Deployment>
}
