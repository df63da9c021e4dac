// The table of kinds. Adding a kind is adding an entry here.

import { controllerRevisionColumns } from './kinds/apps/controller-revision/columns.ts'
import { controllerRevisionStrategy } from './kinds/apps/controller-revision/strategy.ts'
import { daemonSetColumns } from './kinds/apps/daemon-set/columns.ts'
import { daemonSetStrategy, templateGeneration } from './kinds/apps/daemon-set/strategy.ts'
import { deploymentColumns } from './kinds/apps/deployment/columns.ts'
import { deploymentStrategy } from './kinds/apps/deployment/strategy.ts'
import { replicaSetColumns } from './kinds/apps/replica-set/columns.ts'
import { replicaSetStrategy } from './kinds/apps/replica-set/strategy.ts'
import { statefulSetColumns } from './kinds/apps/stateful-set/columns.ts'
import { statefulSetStrategy } from './kinds/apps/stateful-set/strategy.ts'
import { selectorScale } from './kinds/autoscaling/scale/access.ts'
import { cronJobColumns } from './kinds/batch/cron-job/columns.ts'
import { cronJobStrategy } from './kinds/batch/cron-job/strategy.ts'
import { jobColumns } from './kinds/batch/job/columns.ts'
import { jobStrategy } from './kinds/batch/job/strategy.ts'
import { leaseColumns } from './kinds/coordination/lease/columns.ts'
import { leaseStrategy } from './kinds/coordination/lease/strategy.ts'
import { configMapColumns } from './kinds/core/config-map/columns.ts'
import { configMapStrategy } from './kinds/core/config-map/strategy.ts'
import { endpointsColumns } from './kinds/core/endpoints/columns.ts'
import { endpointsStrategy } from './kinds/core/endpoints/strategy.ts'
import { eventColumns } from './kinds/core/event/columns.ts'
import { coreEventFields } from './kinds/core/event/selectable-fields.ts'
import { coreEventStrategy } from './kinds/core/event/strategy.ts'
import { limitRangeStrategy } from './kinds/core/limit-range/strategy.ts'
import { namespaceColumns } from './kinds/core/namespace/columns.ts'
import { namespaceStrategy } from './kinds/core/namespace/strategy.ts'
import { namespaceSubresources } from './kinds/core/namespace/subresources.ts'
import { nodeColumns } from './kinds/core/node/columns.ts'
import { nodeStrategy } from './kinds/core/node/strategy.ts'
import { nodeSubresources } from './kinds/core/node/subresources.ts'
import { persistentVolumeColumns } from './kinds/core/persistent-volume/columns.ts'
import { persistentVolumeStrategy } from './kinds/core/persistent-volume/strategy.ts'
import { persistentVolumeClaimColumns } from './kinds/core/persistent-volume-claim/columns.ts'
import { persistentVolumeClaimStrategy } from './kinds/core/persistent-volume-claim/strategy.ts'
import { podColumns } from './kinds/core/pod/columns.ts'
import { podFields } from './kinds/core/pod/selectable-fields.ts'
import { podStrategy } from './kinds/core/pod/strategy.ts'
import { podSubresources } from './kinds/core/pod/subresources.ts'
import { podTemplateColumns } from './kinds/core/pod-template/columns.ts'
import { podTemplateStrategy } from './kinds/core/pod-template/strategy.ts'
import { replicationControllerColumns } from './kinds/core/replication-controller/columns.ts'
import { replicationControllerScale } from './kinds/core/replication-controller/scale.ts'
import { replicationControllerStrategy } from './kinds/core/replication-controller/strategy.ts'
import { resourceQuotaColumns } from './kinds/core/resource-quota/columns.ts'
import { resourceQuotaStrategy } from './kinds/core/resource-quota/strategy.ts'
import { secretColumns } from './kinds/core/secret/columns.ts'
import { secretStrategy } from './kinds/core/secret/strategy.ts'
import { serviceColumns } from './kinds/core/service/columns.ts'
import { serviceStrategy } from './kinds/core/service/strategy.ts'
import { serviceSubresources } from './kinds/core/service/subresources.ts'
import { serviceAccountColumns } from './kinds/core/service-account/columns.ts'
import { serviceAccountStrategy } from './kinds/core/service-account/strategy.ts'
import { serviceAccountSubresources } from './kinds/core/service-account/subresources.ts'
import { endpointSliceColumns } from './kinds/discovery/endpoint-slice/columns.ts'
import { endpointSliceStrategy } from './kinds/discovery/endpoint-slice/strategy.ts'
import { eventFields } from './kinds/events/event/selectable-fields.ts'
import { asCoreEvent, storedEventForm } from './kinds/events/event/stored-form.ts'
import { eventStrategy } from './kinds/events/event/strategy.ts'
import { podDisruptionBudgetColumns } from './kinds/policy/pod-disruption-budget/columns.ts'
import { podDisruptionBudgetStrategy } from './kinds/policy/pod-disruption-budget/strategy.ts'
import { priorityClassColumns } from './kinds/scheduling/priority-class/columns.ts'
import { priorityClassStrategy } from './kinds/scheduling/priority-class/strategy.ts'
import { storageClassColumns } from './kinds/storage/storage-class/columns.ts'
import { storageClassStrategy } from './kinds/storage/storage-class/strategy.ts'
import type { Columns, Kind } from './machinery/kind.ts'
import type * as t from './types.ts'

const core = { group: '', version: 'v1' } as const
const apps = { group: 'apps', version: 'v1' } as const
const batch = { group: 'batch', version: 'v1' } as const

const unsupportedField = (field: string) => `field label not supported: ${field}`

/** The columns of one form of an object, for its other form. */
const sameColumnsAs = <T, U>({ definitions, cells }: Columns<T>, other: (object: U) => T): Columns<U> => ({
  definitions,
  cells: (object, nowMs) => cells(other(object), nowMs),
})

export const pods: Kind<t.Pod> = {
  ...core,
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  type: 'core.Pod',
  strategy: podStrategy,
  subresources: { status: true, others: podSubresources },
  selectableFields: podFields,
  columns: podColumns,
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}

export const nodes: Kind<t.Node> = {
  ...core,
  kind: 'Node',
  plural: 'nodes',
  singular: 'node',
  shortNames: ['no'],
  namespaced: false,
  type: 'core.Node',
  strategy: nodeStrategy,
  subresources: { status: true, others: nodeSubresources },
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable === true) },
  columns: nodeColumns,
  unknownFieldMessage: unsupportedField,
  hasFewEqualParts: true,
}

export const namespaces: Kind<t.Namespace> = {
  ...core,
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  shortNames: ['ns'],
  namespaced: false,
  type: 'core.Namespace',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  strategy: namespaceStrategy,
  subresources: { status: true, others: namespaceSubresources },
  selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
  columns: namespaceColumns,
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}

export const replicationControllers: Kind<t.ReplicationController> = {
  ...core,
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  singular: 'replicationcontroller',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  type: 'core.ReplicationController',
  strategy: replicationControllerStrategy,
  subresources: { status: true, scale: replicationControllerScale },
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  columns: replicationControllerColumns,
  unknownFieldMessage: unsupportedField,
}

export const configMaps: Kind<t.ConfigMap> = {
  ...core,
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
  type: 'core.ConfigMap',
  strategy: configMapStrategy,
  columns: configMapColumns,
}

export const secrets: Kind<t.Secret> = {
  ...core,
  kind: 'Secret',
  plural: 'secrets',
  singular: 'secret',
  namespaced: true,
  type: 'core.Secret',
  strategy: secretStrategy,
  selectableFields: { type: ({ type }) => type ?? '' },
  columns: secretColumns,
  unknownFieldMessage: unsupportedField,
}

export const services: Kind<t.Service> = {
  ...core,
  kind: 'Service',
  plural: 'services',
  singular: 'service',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  type: 'core.Service',
  strategy: serviceStrategy,
  subresources: { status: true, others: serviceSubresources },
  selectableFields: {
    'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
    'spec.type': ({ spec }) => spec?.type ?? '',
  },
  columns: serviceColumns,
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}

export const endpoints: Kind<t.Endpoints> = {
  ...core,
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  namespaced: true,
  type: 'core.Endpoints',
  strategy: endpointsStrategy,
  columns: endpointsColumns,
}

export const serviceAccounts: Kind<t.ServiceAccount> = {
  ...core,
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  singular: 'serviceaccount',
  shortNames: ['sa'],
  namespaced: true,
  type: 'core.ServiceAccount',
  strategy: serviceAccountStrategy,
  subresources: { others: serviceAccountSubresources },
  columns: serviceAccountColumns,
  returnsDeletedObject: true,
}

export const persistentVolumeClaims: Kind<t.PersistentVolumeClaim> = {
  ...core,
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  singular: 'persistentvolumeclaim',
  shortNames: ['pvc'],
  namespaced: true,
  type: 'core.PersistentVolumeClaim',
  strategy: persistentVolumeClaimStrategy,
  subresources: { status: true },
  columns: persistentVolumeClaimColumns,
  returnsDeletedObject: true,
}

export const persistentVolumes: Kind<t.PersistentVolume> = {
  ...core,
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  singular: 'persistentvolume',
  shortNames: ['pv'],
  namespaced: false,
  type: 'core.PersistentVolume',
  strategy: persistentVolumeStrategy,
  subresources: { status: true },
  columns: persistentVolumeColumns,
  returnsDeletedObject: true,
}

export const resourceQuotas: Kind<t.ResourceQuota> = {
  ...core,
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  shortNames: ['quota'],
  namespaced: true,
  type: 'core.ResourceQuota',
  strategy: resourceQuotaStrategy,
  subresources: { status: true },
  columns: resourceQuotaColumns,
  returnsDeletedObject: true,
}

export const limitRanges: Kind<t.LimitRange> = {
  ...core,
  kind: 'LimitRange',
  plural: 'limitranges',
  singular: 'limitrange',
  shortNames: ['limits'],
  namespaced: true,
  type: 'core.LimitRange',
  strategy: limitRangeStrategy,
}

export const coreEvents: Kind<t.CoreEvent> = {
  ...core,
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  type: 'core.Event',
  storage: 'events',
  strategy: coreEventStrategy,
  selectableFields: coreEventFields,
  columns: eventColumns,
  unknownFieldMessage: unsupportedField,
  isLog: true,
  hasFewEqualParts: true,
}

export const podTemplates: Kind<t.PodTemplate> = {
  ...core,
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  namespaced: true,
  type: 'core.PodTemplate',
  strategy: podTemplateStrategy,
  columns: podTemplateColumns,
  returnsDeletedObject: true,
}

export const bindings: Kind<t.Binding> = {
  ...core,
  kind: 'Binding',
  plural: 'bindings',
  singular: 'binding',
  namespaced: true,
  type: 'core.Binding',
  verbs: ['create'],
  strategy: { names: 'any' },
}

export const deployments: Kind<t.Deployment> = {
  ...apps,
  kind: 'Deployment',
  plural: 'deployments',
  singular: 'deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.Deployment',
  strategy: deploymentStrategy,
  subresources: { status: true, scale: selectorScale() },
  columns: deploymentColumns,
}

export const replicaSets: Kind<t.ReplicaSet> = {
  ...apps,
  kind: 'ReplicaSet',
  plural: 'replicasets',
  singular: 'replicaset',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.ReplicaSet',
  strategy: replicaSetStrategy,
  subresources: { status: true, scale: selectorScale() },
  columns: replicaSetColumns,
}

export const statefulSets: Kind<t.StatefulSet> = {
  ...apps,
  kind: 'StatefulSet',
  plural: 'statefulsets',
  singular: 'statefulset',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.StatefulSet',
  strategy: statefulSetStrategy,
  subresources: { status: true, scale: selectorScale() },
  columns: statefulSetColumns,
}

export const daemonSets: Kind<t.DaemonSet> = {
  ...apps,
  kind: 'DaemonSet',
  plural: 'daemonsets',
  singular: 'daemonset',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.DaemonSet',
  strategy: daemonSetStrategy,
  subresources: { status: true },
  columns: daemonSetColumns,
  wholeObjectAnnotations: [templateGeneration],
}

export const controllerRevisions: Kind<t.ControllerRevision> = {
  ...apps,
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  singular: 'controllerrevision',
  namespaced: true,
  type: 'apps.ControllerRevision',
  strategy: controllerRevisionStrategy,
  columns: controllerRevisionColumns,
}

export const jobs: Kind<t.Job> = {
  ...batch,
  kind: 'Job',
  plural: 'jobs',
  singular: 'job',
  categories: ['all'],
  namespaced: true,
  type: 'batch.Job',
  strategy: jobStrategy,
  subresources: { status: true },
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  columns: jobColumns,
  unknownFieldMessage: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
}

export const cronJobs: Kind<t.CronJob> = {
  ...batch,
  kind: 'CronJob',
  plural: 'cronjobs',
  singular: 'cronjob',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  type: 'batch.CronJob',
  strategy: cronJobStrategy,
  subresources: { status: true },
  columns: cronJobColumns,
}

export const podDisruptionBudgets: Kind<t.PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  singular: 'poddisruptionbudget',
  shortNames: ['pdb'],
  namespaced: true,
  type: 'policy.PodDisruptionBudget',
  strategy: podDisruptionBudgetStrategy,
  subresources: { status: true },
  columns: podDisruptionBudgetColumns,
}

export const leases: Kind<t.Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  singular: 'lease',
  namespaced: true,
  type: 'coordination.Lease',
  strategy: leaseStrategy,
  columns: leaseColumns,
  hasFewEqualParts: true,
}

export const events: Kind<t.Event> = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  type: 'events.Event',
  storage: 'events',
  strategy: eventStrategy,
  selectableFields: eventFields,
  columns: sameColumnsAs(eventColumns, asCoreEvent),
  unknownFieldMessage: unsupportedField,
  isLog: true,
  hasFewEqualParts: true,
  storedForm: { kind: coreEvents as unknown as Kind, ...storedEventForm },
}

export const priorityClasses: Kind<t.PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  singular: 'priorityclass',
  shortNames: ['pc'],
  namespaced: false,
  type: 'scheduling.PriorityClass',
  strategy: priorityClassStrategy,
  columns: priorityClassColumns,
}

export const endpointSlices: Kind<t.EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  singular: 'endpointslice',
  namespaced: true,
  type: 'discovery.EndpointSlice',
  strategy: endpointSliceStrategy,
  columns: endpointSliceColumns,
}

export const storageClasses: Kind<t.StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  singular: 'storageclass',
  shortNames: ['sc'],
  namespaced: false,
  type: 'storage.StorageClass',
  strategy: storageClassStrategy,
  columns: storageClassColumns,
  returnsDeletedObject: true,
}

const review = (group: string, kind: string, plural: string, type: string, namespaced = false): Kind => ({
  group,
  version: 'v1',
  kind,
  plural,
  singular: kind.toLowerCase(),
  namespaced,
  type,
  verbs: ['create'],
  strategy: { names: 'any' },
})

export const tokenReviews = review('authentication.k8s.io', 'TokenReview', 'tokenreviews', 'authentication.TokenReview')
export const selfSubjectReviews = review(
  'authentication.k8s.io',
  'SelfSubjectReview',
  'selfsubjectreviews',
  'authentication.SelfSubjectReview',
)
export const selfSubjectAccessReviews = review(
  'authorization.k8s.io',
  'SelfSubjectAccessReview',
  'selfsubjectaccessreviews',
  'authorization.SelfSubjectAccessReview',
)
export const subjectAccessReviews = review(
  'authorization.k8s.io',
  'SubjectAccessReview',
  'subjectaccessreviews',
  'authorization.SubjectAccessReview',
)
export const selfSubjectRulesReviews = review(
  'authorization.k8s.io',
  'SelfSubjectRulesReview',
  'selfsubjectrulesreviews',
  'authorization.SelfSubjectRulesReview',
)

/** Groups come in Kubernetes' order, which decides what a short name means when two groups have it: `kubectl get ev` is of core. */
export const kinds: readonly Kind[] = [
  pods,
  nodes,
  namespaces,
  replicationControllers,
  configMaps,
  secrets,
  services,
  endpoints,
  serviceAccounts,
  persistentVolumeClaims,
  persistentVolumes,
  resourceQuotas,
  limitRanges,
  coreEvents,
  podTemplates,
  bindings,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  controllerRevisions,
  events,
  tokenReviews,
  selfSubjectReviews,
  selfSubjectAccessReviews,
  subjectAccessReviews,
  selfSubjectRulesReviews,
  jobs,
  cronJobs,
  podDisruptionBudgets,
  storageClasses,
  priorityClasses,
  leases,
  endpointSlices,
] as readonly Kind<never>[] as readonly Kind[]
