// Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets and PodTemplates.
//
// KEP-2804's fields get no default here: without `operationalThreshold` all replicas must be available, and without
// `progressDeadlineSeconds` a StatefulSet or DaemonSet has no deadline. So a spec that opts into nothing stays as
// Kubernetes would write it.

import { defaultPodTemplate } from '../kinds/core/pod/defaults.ts'
import { fill } from '../machinery/fields.ts'
import type { DaemonSet, Deployment, PodTemplate, ReplicaSet, ReplicationController, StatefulSet, Writable } from '../types.ts'
import { defaultClaimSpec } from './storage.ts'

type Claims = NonNullable<NonNullable<Writable<StatefulSet>['spec']>['volumeClaimTemplates']>

export function defaultDeployment(deployment: Writable<Deployment>): void {
  const spec = fill('apps.DeploymentSpec', deployment.spec, {
    replicas: 1,
    template: {},
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  })
  spec.template = defaultPodTemplate(spec.template)
  spec.strategy = fill('apps.DeploymentStrategy', spec.strategy, { type: 'RollingUpdate' })
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy = fill('apps.DeploymentStrategy', spec.strategy, { rollingUpdate: {} })
    spec.strategy.rollingUpdate = fill('apps.RollingUpdateDeployment', spec.strategy.rollingUpdate, {
      maxUnavailable: '25%',
      maxSurge: '25%',
    })
  }
  deployment.spec = spec
}

export function defaultReplicaSet(replicaSet: Writable<ReplicaSet>): void {
  const spec = fill('apps.ReplicaSetSpec', replicaSet.spec, { replicas: 1, template: {} })
  spec.template = defaultPodTemplate(spec.template)
  replicaSet.spec = spec
}

export function defaultReplicationController(controller: Writable<ReplicationController>): void {
  const labels = controller.spec?.template?.metadata?.labels
  const selector = controller.spec?.selector
  const named = selector !== undefined && Object.keys(selector).length > 0
  const spec = fill('core.ReplicationControllerSpec', controller.spec, {
    replicas: 1,
    ...(!named && labels !== undefined && { selector: { ...labels } }),
  })
  if (spec.template) spec.template = defaultPodTemplate(spec.template)
  controller.spec = spec
  if (labels !== undefined) controller.metadata = fill('meta.ObjectMeta', controller.metadata, { labels: { ...labels } })
}

export function defaultStatefulSet(statefulSet: Writable<StatefulSet>): void {
  const untyped = !statefulSet.spec?.updateStrategy?.type
  const spec = fill('apps.StatefulSetSpec', statefulSet.spec, {
    replicas: 1,
    template: {},
    podManagementPolicy: 'OrderedReady',
    updateStrategy: {},
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  })
  spec.template = defaultPodTemplate(spec.template)
  if (spec.volumeClaimTemplates) spec.volumeClaimTemplates = defaultClaims(spec.volumeClaimTemplates)
  // A strategy that names its type and no parameters is left without them.
  if (untyped)
    spec.updateStrategy = fill('apps.StatefulSetUpdateStrategy', spec.updateStrategy, { type: 'RollingUpdate', rollingUpdate: {} })
  const { type, rollingUpdate } = spec.updateStrategy ?? {}
  if (type === 'RollingUpdate' && rollingUpdate)
    spec.updateStrategy!.rollingUpdate = fill('apps.RollingUpdateStatefulSetStrategy', rollingUpdate, { partition: 0 })
  spec.persistentVolumeClaimRetentionPolicy = fill(
    'apps.StatefulSetPersistentVolumeClaimRetentionPolicy',
    spec.persistentVolumeClaimRetentionPolicy,
    { whenDeleted: 'Retain', whenScaled: 'Retain' },
  )
  statefulSet.spec = spec
}

/** Claims inside a set are whole objects: they say what they are, and have a status. */
function defaultClaims(claims: Claims): Claims {
  return claims.map((claim) => ({
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    metadata: claim.metadata ?? {},
    spec: defaultClaimSpec(claim.spec),
    status: fill('core.PersistentVolumeClaimStatus', claim.status, { phase: 'Pending' }),
  }))
}

export function defaultDaemonSet(daemonSet: Writable<DaemonSet>): void {
  const spec = fill('apps.DaemonSetSpec', daemonSet.spec, { template: {}, updateStrategy: {}, revisionHistoryLimit: 10 })
  spec.template = defaultPodTemplate(spec.template)
  spec.updateStrategy = fill('apps.DaemonSetUpdateStrategy', spec.updateStrategy, { type: 'RollingUpdate' })
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy = fill('apps.DaemonSetUpdateStrategy', spec.updateStrategy, { rollingUpdate: {} })
    spec.updateStrategy.rollingUpdate = fill('apps.RollingUpdateDaemonSet', spec.updateStrategy.rollingUpdate, {
      maxUnavailable: 1,
      maxSurge: 0,
    })
  }
  daemonSet.spec = spec
}

export function defaultPodTemplateObject(podTemplate: Writable<PodTemplate>): void {
  podTemplate.template = defaultPodTemplate(podTemplate.template)
}
