// The ReplicaSet with the current template: how it is created, and how it follows the Deployment.
// Kubernetes: pkg/controller/deployment.DeploymentController.getNewReplicaSet, generateReplicaSetName
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { settingAnnotations } from '../../shared/plan/annotations.ts'
import { type AnnotationChanges, annotationOf, ownAnnotations, withAnnotations } from './annotations.ts'
import { revisionChanges } from './history.ts'
import { isActive, setName, statusReplicas, templateHashLabel } from './replica-sets.ts'
import type { DeploymentSnapshot } from './snapshot.ts'
import { templateHash } from './template-hash.ts'

/** A ReplicaSet of size 0 for the template. Its name depends on the template only, so creating it twice fails. */
export function emptySet(snapshot: DeploymentSnapshot, revision: bigint): ReplicaSet {
  const { deployment } = snapshot
  const { spec, status, metadata } = deployment
  const hash = templateHash(spec?.template, status?.collisionCount)
  const labels = { ...spec?.template?.metadata?.labels, [templateHashLabel]: hash }
  const set: ReplicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: setName(metadata.name, hash),
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      labels,
      ownerReferences: [controllerReference('apps/v1', 'Deployment', deployment)],
    },
    spec: {
      replicas: 0,
      ...(spec?.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec?.selector, matchLabels: { ...spec?.selector?.matchLabels, [templateHashLabel]: hash } },
      template: { ...spec?.template, metadata: { ...spec?.template?.metadata, labels } },
    },
  }
  const copied = withAnnotations(set, { ...copiedAnnotations(deployment), ...revisionChanges(set, revision) })
  return withCarriedFields(copied, snapshot)
}

/** The existing new ReplicaSet with the annotations and settings of the Deployment. The identical object when nothing changes. */
export function syncedNewSet(snapshot: DeploymentSnapshot, set: Stored<ReplicaSet>, revision: bigint): Stored<ReplicaSet> {
  const { deployment } = snapshot
  const copied = withAnnotations(set, copiedAnnotations(deployment))
  const next = withMinReadySeconds(withAnnotations(copied, revisionChanges(set, revision)), deployment.spec?.minReadySeconds ?? 0)
  return withCarriedFields(next, snapshot)
}

function withMinReadySeconds(set: Stored<ReplicaSet>, seconds: number): Stored<ReplicaSet> {
  if ((set.spec?.minReadySeconds ?? 0) === seconds || set.spec === undefined) return set
  return { ...set, spec: { ...set.spec, minReadySeconds: seconds } }
}

function copiedAnnotations({ metadata: { annotations } }: Stored<Deployment>): AnnotationChanges {
  if (annotations === undefined) return none
  let copied = copiedOf.get(annotations)
  if (copied === undefined) {
    copied = Object.fromEntries(Object.entries(annotations).filter(([key]) => !ownAnnotations.has(key)))
    copiedOf.set(annotations, copied)
  }
  return copied
}

const none: AnnotationChanges = {}
const copiedOf = new WeakMap<object, AnnotationChanges>()

/**
 * Every ReplicaSet has the setting annotations of the Deployment, even if it is empty or the gate is off, because a rollback
 * copies its annotations to the Deployment. Every ReplicaSet with pods, old ones included, has the terminatingAsActive (KEP-3939)
 * and operationalThreshold (KEP-2804) of the Deployment: replacing a pod must not depend on the age of its ReplicaSet.
 */
export function withCarriedSettings(snapshot: DeploymentSnapshot, set: Stored<ReplicaSet>): Stored<ReplicaSet> {
  const next = withAnnotations(set, settingsToCarry(snapshot.deployment))
  return isActive(set) || statusReplicas(set) > 0 ? withCarriedFields(next, snapshot) : next
}

function settingsToCarry(deployment: Stored<Deployment>): AnnotationChanges {
  const { annotations = none } = deployment.metadata
  let changes = settingsOf.get(annotations)
  if (changes === undefined) {
    changes = Object.fromEntries(settingAnnotations.map((key) => [key, annotationOf(deployment, key)]))
    settingsOf.set(annotations, changes)
  }
  return changes
}

const settingsOf = new WeakMap<object, AnnotationChanges>()

/** While a gate is off, the fields are kept: nothing is lost when it is turned on again. */
function withCarriedFields<T extends ReplicaSet>(set: T, { deployment, gates }: DeploymentSnapshot): T {
  let next = set
  if (gates.TerminatingAsActive) next = withField(next, 'terminatingAsActive', deployment.spec?.terminatingAsActive)
  if (gates.ExtendedWorkloadConditions) next = withField(next, 'operationalThreshold', deployment.spec?.operationalThreshold)
  return next
}

type CarriedField = 'terminatingAsActive' | 'operationalThreshold'

function withField<T extends ReplicaSet, K extends CarriedField>(set: T, field: K, value: NonNullable<ReplicaSet['spec']>[K]): T {
  if (set.spec === undefined || set.spec[field] === value) return set
  const { [field]: _before, ...rest } = set.spec
  return { ...set, spec: value === undefined ? rest : { ...rest, [field]: value } } as T
}
