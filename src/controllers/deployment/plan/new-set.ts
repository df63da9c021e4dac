// The set with the Deployment's present template: how it is made, and how it keeps up with the Deployment.
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { settingAnnotations } from '../../shared/plan/annotations.ts'
import { type AnnotationChanges, annotationOf, ownAnnotations, withAnnotations } from './annotations.ts'
import { revisionChanges } from './history.ts'
import { isActive, statusReplicas, templateHashLabel } from './replica-sets.ts'
import type { DeploymentSnapshot } from './snapshot.ts'
import { templateHash } from './template-hash.ts'

const longestName = 253

/** Long names of Deployments give way: the hash must stay whole. */
export function setName(deploymentName: string, hash: string): string {
  return `${deploymentName.slice(0, Math.max(0, longestName - 1 - hash.length))}-${hash}`
}

/** A set for the template, of no size yet. Its name follows from the template: made twice, it is the same. */
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

/** The existing new set with what it takes over from the Deployment. The same object when nothing changes. */
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
 * Every set has the Deployment's setting annotations, empty sets and those of disabled gates too: a rollback copies a
 * set's annotations to the Deployment. Every set that has pods, old ones too, counts terminating pods as the Deployment
 * says (KEP-3939), and has its threshold (KEP-2804): a deletion does not depend on whether the pod's set is new.
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

/** While a gate is off, the set keeps what it has: nothing is lost when it is on again. */
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
