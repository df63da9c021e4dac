// The types of the Kubernetes API: facts only, read from its published modules. Written by npm run kubernetes-import. Not to be edited: what
// Rollcall adds is in ../schema/proposals.ts. ../schema/schema.ts explains the lines.

/** The version that the facts are from. */
export const kubernetesVersion = 'v1.37.1'

/** The feature gates that fields name, unless they are locked. */
export const kubernetesGates: Readonly<Record<string, string>> = {
  AtomicWriteVolumeUserFields: 'off ALPHA',
  CRDObservedGenerationTracking: 'on BETA',
  CSIVolumeHealth: 'off ALPHA',
  ClusterTrustBundleProjection: 'on GA',
  CompositePodGroup: 'off ALPHA',
  ContainerRestartRules: 'on BETA',
  ContainerStopSignals: 'off ALPHA',
  CoordinatedLeaderElection: 'off BETA',
  CrossNamespaceVolumeDataSource: 'off ALPHA',
  DRAConsumableCapacity: 'on BETA',
  DRADerivedAttributes: 'off ALPHA',
  DRADeviceBindingConditions: 'on BETA',
  DRADeviceCompatibilityGroups: 'off ALPHA',
  DRADeviceTaints: 'on GA',
  DRAListTypeAttributes: 'off ALPHA',
  DRANodeAllocatableResources: 'off ALPHA',
  DRAOptionalNodeOperations: 'off ALPHA',
  DRAPartitionableDevices: 'on BETA',
  DRAPartitionableDevicesType: 'off ALPHA',
  DRAWorkloadResourceClaims: 'off BETA',
  EmptyDirVolumeMode: 'off ALPHA',
  EnvFiles: 'on BETA',
  EvictionRequestAPI: 'off ALPHA',
  GRPCContainerProbeTLS: 'off ALPHA',
  GenericWorkload: 'off BETA',
  H2CContainerProbe: 'off ALPHA',
  ImageVolumeWithDigest: 'off ALPHA',
  InPlacePodLevelResourcesVerticalScaling: 'on BETA',
  InPlacePodVerticalScalingSchedulerPreemption: 'off ALPHA',
  KubeletInUserNamespace: 'on BETA',
  MaxUnavailableStatefulSet: 'on BETA',
  PodCertificateRequest: 'on GA',
  PodGroupPreemptionPolicy: 'off ALPHA',
  PodLevelResources: 'on BETA',
  ResourceHealthStatus: 'on BETA',
  ResourceHealthStatusMessage: 'on BETA',
  ShardedListAndWatch: 'off ALPHA',
  TopologyAwareWorkloadScheduling: 'off ALPHA',
  VolumeBindMountOptions: 'off ALPHA',
  VolumeLimitScaling: 'on BETA',
  WorkloadWithJob: 'off ALPHA',
}

/** The resource of each kind, and its subresources, as discovery lists them: ../schema/resource.ts explains the lines. */
export const kubernetesResources: Readonly<Record<string, string>> = {
  'admissionregistration.MutatingAdmissionPolicy': `admissionregistration.k8s.io/v1 MutatingAdmissionPolicy mutatingadmissionpolicies categories=api-extensions`,
  'admissionregistration.MutatingAdmissionPolicyBinding': `admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings categories=api-extensions`,
  'admissionregistration.MutatingWebhookConfiguration': `admissionregistration.k8s.io/v1 MutatingWebhookConfiguration mutatingwebhookconfigurations categories=api-extensions`,
  'admissionregistration.ValidatingAdmissionPolicy': `admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies categories=api-extensions
status ValidatingAdmissionPolicy verbs=get,patch,update`,
  'admissionregistration.ValidatingAdmissionPolicyBinding': `admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings categories=api-extensions`,
  'admissionregistration.ValidatingWebhookConfiguration': `admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration validatingwebhookconfigurations categories=api-extensions`,
  'apiextensions.CustomResourceDefinition': `apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions short=crd,crds categories=api-extensions
status CustomResourceDefinition verbs=get,patch,update`,
  'apiregistration.APIService': `apiregistration.k8s.io/v1 APIService apiservices categories=api-extensions
status APIService verbs=get,patch,update`,
  'apiserverinternal/v1alpha1.StorageVersion': `internal.apiserver.k8s.io/v1alpha1 StorageVersion storageversions
status StorageVersion verbs=get,patch,update`,
  'apps.ControllerRevision': `apps/v1 ControllerRevision controllerrevisions namespaced`,
  'apps.DaemonSet': `apps/v1 DaemonSet daemonsets namespaced short=ds categories=all
status DaemonSet verbs=get,patch,update`,
  'apps.Deployment': `apps/v1 Deployment deployments namespaced short=deploy categories=all
scale autoscaling/v1 Scale verbs=get,patch,update
status Deployment verbs=get,patch,update`,
  'apps.ReplicaSet': `apps/v1 ReplicaSet replicasets namespaced short=rs categories=all
scale autoscaling/v1 Scale verbs=get,patch,update
status ReplicaSet verbs=get,patch,update`,
  'apps.StatefulSet': `apps/v1 StatefulSet statefulsets namespaced short=sts categories=all
scale autoscaling/v1 Scale verbs=get,patch,update
status StatefulSet verbs=get,patch,update`,
  'authentication.SelfSubjectReview': `authentication.k8s.io/v1 SelfSubjectReview selfsubjectreviews verbs=create`,
  'authentication.TokenReview': `authentication.k8s.io/v1 TokenReview tokenreviews verbs=create`,
  'authorization.LocalSubjectAccessReview': `authorization.k8s.io/v1 LocalSubjectAccessReview localsubjectaccessreviews namespaced verbs=create`,
  'authorization.SelfSubjectAccessReview': `authorization.k8s.io/v1 SelfSubjectAccessReview selfsubjectaccessreviews verbs=create`,
  'authorization.SelfSubjectRulesReview': `authorization.k8s.io/v1 SelfSubjectRulesReview selfsubjectrulesreviews verbs=create`,
  'authorization.SubjectAccessReview': `authorization.k8s.io/v1 SubjectAccessReview subjectaccessreviews verbs=create`,
  'autoscaling.HorizontalPodAutoscaler': `autoscaling/v1 HorizontalPodAutoscaler horizontalpodautoscalers namespaced short=hpa categories=all
status HorizontalPodAutoscaler verbs=get,patch,update`,
  'autoscaling/v2.HorizontalPodAutoscaler': `autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers namespaced short=hpa categories=all
status HorizontalPodAutoscaler verbs=get,patch,update`,
  'batch.CronJob': `batch/v1 CronJob cronjobs namespaced short=cj categories=all
status CronJob verbs=get,patch,update`,
  'batch.Job': `batch/v1 Job jobs namespaced categories=all
status Job verbs=get,patch,update`,
  'certificates.CertificateSigningRequest': `certificates.k8s.io/v1 CertificateSigningRequest certificatesigningrequests short=csr
approval CertificateSigningRequest verbs=get,patch,update
status CertificateSigningRequest verbs=get,patch,update`,
  'certificates.ClusterTrustBundle': `certificates.k8s.io/v1 ClusterTrustBundle clustertrustbundles`,
  'certificates.PodCertificateRequest': `certificates.k8s.io/v1 PodCertificateRequest podcertificaterequests namespaced
status PodCertificateRequest verbs=get,patch,update`,
  'coordination.Lease': `coordination.k8s.io/v1 Lease leases namespaced`,
  'coordination/v1beta1.LeaseCandidate': `coordination.k8s.io/v1beta1 LeaseCandidate leasecandidates namespaced`,
  'core.Binding': `v1 Binding bindings namespaced verbs=create`,
  'core.ComponentStatus': `v1 ComponentStatus componentstatuses short=cs verbs=get,list`,
  'core.ConfigMap': `v1 ConfigMap configmaps namespaced short=cm`,
  'core.Endpoints': `v1 Endpoints endpoints namespaced short=ep`,
  'core.Event': `v1 Event events namespaced short=ev`,
  'core.LimitRange': `v1 LimitRange limitranges namespaced short=limits`,
  'core.Namespace': `v1 Namespace namespaces short=ns verbs=create,delete,get,list,patch,update,watch
finalize Namespace verbs=update
status Namespace verbs=get,patch,update`,
  'core.Node': `v1 Node nodes short=no
proxy NodeProxyOptions verbs=create,delete,get,patch,update
status Node verbs=get,patch,update`,
  'core.PersistentVolume': `v1 PersistentVolume persistentvolumes short=pv
status PersistentVolume verbs=get,patch,update`,
  'core.PersistentVolumeClaim': `v1 PersistentVolumeClaim persistentvolumeclaims namespaced short=pvc
status PersistentVolumeClaim verbs=get,patch,update`,
  'core.Pod': `v1 Pod pods namespaced short=po categories=all
attach PodAttachOptions verbs=create,get
binding Binding verbs=create
ephemeralcontainers Pod verbs=get,patch,update
eviction policy/v1 Eviction verbs=create
exec PodExecOptions verbs=create,get
log Pod verbs=get
portforward PodPortForwardOptions verbs=create,get
proxy PodProxyOptions verbs=create,delete,get,patch,update
resize Pod verbs=get,patch,update
status Pod verbs=get,patch,update`,
  'core.PodTemplate': `v1 PodTemplate podtemplates namespaced`,
  'core.ReplicationController': `v1 ReplicationController replicationcontrollers namespaced short=rc categories=all
scale autoscaling/v1 Scale verbs=get,patch,update
status ReplicationController verbs=get,patch,update`,
  'core.ResourceQuota': `v1 ResourceQuota resourcequotas namespaced short=quota
status ResourceQuota verbs=get,patch,update`,
  'core.Secret': `v1 Secret secrets namespaced`,
  'core.Service': `v1 Service services namespaced short=svc categories=all
proxy ServiceProxyOptions verbs=create,delete,get,patch,update
status Service verbs=get,patch,update`,
  'core.ServiceAccount': `v1 ServiceAccount serviceaccounts namespaced short=sa
token authentication.k8s.io/v1 TokenRequest verbs=create`,
  'discovery.EndpointSlice': `discovery.k8s.io/v1 EndpointSlice endpointslices namespaced`,
  'events.Event': `events.k8s.io/v1 Event events namespaced short=ev`,
  'flowcontrol.FlowSchema': `flowcontrol.apiserver.k8s.io/v1 FlowSchema flowschemas
status FlowSchema verbs=get,patch,update`,
  'flowcontrol.PriorityLevelConfiguration': `flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration prioritylevelconfigurations
status PriorityLevelConfiguration verbs=get,patch,update`,
  'lifecycle/v1alpha1.Eviction': `lifecycle.k8s.io/v1alpha1 Eviction evictions namespaced
status Eviction verbs=get,patch,update`,
  'lifecycle/v1alpha1.EvictionRequest': `lifecycle.k8s.io/v1alpha1 EvictionRequest evictionrequests namespaced
status EvictionRequest verbs=get,patch,update`,
  'networking.IPAddress': `networking.k8s.io/v1 IPAddress ipaddresses short=ip`,
  'networking.Ingress': `networking.k8s.io/v1 Ingress ingresses namespaced short=ing
status Ingress verbs=get,patch,update`,
  'networking.IngressClass': `networking.k8s.io/v1 IngressClass ingressclasses`,
  'networking.NetworkPolicy': `networking.k8s.io/v1 NetworkPolicy networkpolicies namespaced short=netpol`,
  'networking.ServiceCIDR': `networking.k8s.io/v1 ServiceCIDR servicecidrs
status ServiceCIDR verbs=get,patch,update`,
  'node.RuntimeClass': `node.k8s.io/v1 RuntimeClass runtimeclasses`,
  'policy.PodDisruptionBudget': `policy/v1 PodDisruptionBudget poddisruptionbudgets namespaced short=pdb
status PodDisruptionBudget verbs=get,patch,update`,
  'rbac.ClusterRole': `rbac.authorization.k8s.io/v1 ClusterRole clusterroles`,
  'rbac.ClusterRoleBinding': `rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings`,
  'rbac.Role': `rbac.authorization.k8s.io/v1 Role roles namespaced`,
  'rbac.RoleBinding': `rbac.authorization.k8s.io/v1 RoleBinding rolebindings namespaced`,
  'resource.DeviceClass': `resource.k8s.io/v1 DeviceClass deviceclasses`,
  'resource.DeviceTaintRule': `resource.k8s.io/v1 DeviceTaintRule devicetaintrules
status DeviceTaintRule verbs=get,patch,update`,
  'resource.ResourceClaim': `resource.k8s.io/v1 ResourceClaim resourceclaims namespaced
status ResourceClaim verbs=get,patch,update`,
  'resource.ResourceClaimTemplate': `resource.k8s.io/v1 ResourceClaimTemplate resourceclaimtemplates namespaced`,
  'resource.ResourceSlice': `resource.k8s.io/v1 ResourceSlice resourceslices`,
  'resource/v1alpha3.ResourcePoolStatusRequest': `resource.k8s.io/v1alpha3 ResourcePoolStatusRequest resourcepoolstatusrequests
status ResourcePoolStatusRequest verbs=get,patch,update`,
  'scheduling.PriorityClass': `scheduling.k8s.io/v1 PriorityClass priorityclasses short=pc`,
  'scheduling/v1alpha3.CompositePodGroup': `scheduling.k8s.io/v1alpha3 CompositePodGroup compositepodgroups namespaced
status CompositePodGroup verbs=get,patch,update`,
  'scheduling/v1beta1.PodGroup': `scheduling.k8s.io/v1beta1 PodGroup podgroups namespaced
status PodGroup verbs=get,patch,update`,
  'scheduling/v1beta1.Workload': `scheduling.k8s.io/v1beta1 Workload workloads namespaced`,
  'storage.CSIDriver': `storage.k8s.io/v1 CSIDriver csidrivers`,
  'storage.CSINode': `storage.k8s.io/v1 CSINode csinodes
status CSINode verbs=get,patch,update`,
  'storage.CSIStorageCapacity': `storage.k8s.io/v1 CSIStorageCapacity csistoragecapacities namespaced`,
  'storage.StorageClass': `storage.k8s.io/v1 StorageClass storageclasses short=sc`,
  'storage.VolumeAttachment': `storage.k8s.io/v1 VolumeAttachment volumeattachments
status VolumeAttachment verbs=get,patch,update`,
  'storage.VolumeAttributesClass': `storage.k8s.io/v1 VolumeAttributesClass volumeattributesclasses short=vac`,
  'storagemigration.StorageVersionMigration': `storagemigration.k8s.io/v1 StorageVersionMigration storageversionmigrations
status StorageVersionMigration verbs=get,patch,update`,
}

/** The kinds of the versions that the table of types does not have: old versions, alpha and beta ones. */
export const kubernetesOtherVersions: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1alpha1': `MutatingAdmissionPolicy
MutatingAdmissionPolicyBinding
ValidatingAdmissionPolicy
ValidatingAdmissionPolicyBinding`,
  'admissionregistration.k8s.io/v1beta1': `MutatingAdmissionPolicy
MutatingAdmissionPolicyBinding
MutatingWebhookConfiguration
ValidatingAdmissionPolicy
ValidatingAdmissionPolicyBinding
ValidatingWebhookConfiguration`,
  'apidiscovery.k8s.io/v2': `APIGroupDiscovery`,
  'apidiscovery.k8s.io/v2beta1': `APIGroupDiscovery`,
  'apiextensions.k8s.io/v1beta1': `CustomResourceDefinition`,
  'apiregistration.k8s.io/v1beta1': `APIService`,
  'apps/v1beta1': `ControllerRevision
Deployment
Scale
StatefulSet`,
  'apps/v1beta2': `ControllerRevision
DaemonSet
Deployment
ReplicaSet
Scale
StatefulSet`,
  'authentication.k8s.io/v1alpha1': `SelfSubjectReview`,
  'authentication.k8s.io/v1beta1': `SelfSubjectReview
TokenReview`,
  'authorization.k8s.io/v1beta1': `LocalSubjectAccessReview
SelfSubjectAccessReview
SelfSubjectRulesReview
SubjectAccessReview`,
  'batch/v1beta1': `CronJob`,
  'certificates.k8s.io/v1alpha1': `ClusterTrustBundle`,
  'certificates.k8s.io/v1beta1': `CertificateSigningRequest
ClusterTrustBundle
PodCertificateRequest`,
  'coordination.k8s.io/v1alpha2': `LeaseCandidate`,
  'coordination.k8s.io/v1beta1': `Lease`,
  'discovery.k8s.io/v1beta1': `EndpointSlice`,
  'events.k8s.io/v1beta1': `Event`,
  'extensions/v1beta1': `DaemonSet
Deployment
Ingress
NetworkPolicy
ReplicaSet
Scale`,
  'flowcontrol.apiserver.k8s.io/v1beta1': `FlowSchema
PriorityLevelConfiguration`,
  'flowcontrol.apiserver.k8s.io/v1beta2': `FlowSchema
PriorityLevelConfiguration`,
  'flowcontrol.apiserver.k8s.io/v1beta3': `FlowSchema
PriorityLevelConfiguration`,
  'imagepolicy.k8s.io/v1alpha1': `ImageReview`,
  'networking.k8s.io/v1beta1': `IPAddress
Ingress
IngressClass
ServiceCIDR`,
  'node.k8s.io/v1alpha1': `RuntimeClass`,
  'node.k8s.io/v1beta1': `RuntimeClass`,
  'policy/v1beta1': `Eviction
PodDisruptionBudget`,
  'rbac.authorization.k8s.io/v1alpha1': `ClusterRole
ClusterRoleBinding
Role
RoleBinding`,
  'rbac.authorization.k8s.io/v1beta1': `ClusterRole
ClusterRoleBinding
Role
RoleBinding`,
  'resource.k8s.io/v1alpha3': `DeviceTaintRule`,
  'resource.k8s.io/v1beta1': `DeviceClass
ResourceClaim
ResourceClaimTemplate
ResourceSlice`,
  'resource.k8s.io/v1beta2': `DeviceClass
DeviceTaintRule
ResourceClaim
ResourceClaimTemplate
ResourceSlice`,
  'scheduling.k8s.io/v1alpha3': `PodGroup
Workload`,
  'scheduling.k8s.io/v1beta1': `PriorityClass`,
  'storage.k8s.io/v1alpha1': `CSIStorageCapacity
VolumeAttachment
VolumeAttributesClass`,
  'storage.k8s.io/v1beta1': `CSIDriver
CSINode
CSIStorageCapacity
StorageClass
VolumeAttachment
VolumeAttributesClass`,
  'storagemigration.k8s.io/v1beta1': `StorageVersionMigration`,
  v1: `RangeAllocation`,
}

/** A line for each field. */
export const kubernetesTypes: Readonly<Record<string, string>> = {
  'admissionregistration.ApplyConfiguration': `expression string #1`,
  'admissionregistration.AuditAnnotation': `key string always required #1
valueExpression string always required #2`,
  'admissionregistration.ExpressionWarning': `fieldRef string always required #2
warning string always required #3`,
  'admissionregistration.JSONPatch': `expression string #1`,
  'admissionregistration.MatchCondition': `name string always required #1
expression string always required #2`,
  'admissionregistration.MatchResources': `$struct atomic
namespaceSelector *meta.LabelSelector #1
objectSelector *meta.LabelSelector #2
resourceRules []admissionregistration.NamedRuleWithOperations list=atomic #3
excludeResourceRules []admissionregistration.NamedRuleWithOperations list=atomic #4
matchPolicy *string enum=Equivalent|Exact goType=v1.MatchPolicyType #7`,
  'admissionregistration.MutatingAdmissionPolicy': `$typeMeta object
spec admissionregistration.MutatingAdmissionPolicySpec #2`,
  'admissionregistration.MutatingAdmissionPolicyBinding': `$typeMeta object
spec admissionregistration.MutatingAdmissionPolicyBindingSpec #2`,
  'admissionregistration.MutatingAdmissionPolicyBindingSpec': `policyName string #1
paramRef *admissionregistration.ParamRef #2
matchResources *admissionregistration.MatchResources #3`,
  'admissionregistration.MutatingAdmissionPolicySpec': `paramKind *admissionregistration.ParamKind #1
matchConstraints *admissionregistration.MatchResources #2
variables []admissionregistration.Variable list=atomic #3
mutations []admissionregistration.Mutation list=atomic #4
failurePolicy *string enum=Fail|Ignore goType=v1.FailurePolicyType #5
matchConditions []admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #6
reinvocationPolicy string enum=IfNeeded|Never goType=v1.ReinvocationPolicyType #7`,
  'admissionregistration.MutatingWebhook': `name string always required #1
clientConfig admissionregistration.WebhookClientConfig always required #2
rules []admissionregistration.RuleWithOperations list=atomic #3
failurePolicy *string enum=Fail|Ignore goType=v1.FailurePolicyType #4
matchPolicy *string enum=Equivalent|Exact goType=v1.MatchPolicyType #9
namespaceSelector *meta.LabelSelector #5
objectSelector *meta.LabelSelector #11
sideEffects *string always required enum=None|NoneOnDryRun|Some|Unknown goType=v1.SideEffectClass #6
timeoutSeconds *int32 #7
admissionReviewVersions []string always required list=atomic #8
reinvocationPolicy *string enum=IfNeeded|Never goType=v1.ReinvocationPolicyType #10
matchConditions []admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #12`,
  'admissionregistration.MutatingWebhookConfiguration': `$typeMeta object
webhooks []admissionregistration.MutatingWebhook patch=merge mergeKey=name list=map keys=name #2`,
  'admissionregistration.Mutation': `patchType string always required enum=ApplyConfiguration|JSONPatch goType=v1.PatchType #2
applyConfiguration *admissionregistration.ApplyConfiguration #3
jsonPatch *admissionregistration.JSONPatch goName=JSONPatch #4`,
  'admissionregistration.NamedRuleWithOperations': `$struct atomic
resourceNames []string list=atomic #1
operations []string list=atomic goType=[]v1.OperationType in=RuleWithOperations #2.1
apiGroups []string list=atomic goName=APIGroups in=Rule #2.2.1
apiVersions []string list=atomic goName=APIVersions in=Rule #2.2.2
resources []string list=atomic in=Rule #2.2.3
scope *string enum=*|Cluster|Namespaced goType=v1.ScopeType in=Rule #2.2.4`,
  'admissionregistration.ParamKind': `$struct atomic
apiVersion string goName=APIVersion #1
kind string #2`,
  'admissionregistration.ParamRef': `$struct atomic
name string #1
namespace string #2
selector *meta.LabelSelector #3
parameterNotFoundAction *string goType=v1.ParameterNotFoundActionType #4`,
  'admissionregistration.RuleWithOperations': `operations []string list=atomic goType=[]v1.OperationType #1
apiGroups []string list=atomic goName=APIGroups in=Rule #2.1
apiVersions []string list=atomic goName=APIVersions in=Rule #2.2
resources []string list=atomic in=Rule #2.3
scope *string enum=*|Cluster|Namespaced goType=v1.ScopeType in=Rule #2.4`,
  'admissionregistration.ServiceReference': `namespace string always required #1
name string always required #2
path *string #3
port *int32 #4`,
  'admissionregistration.TypeChecking': `expressionWarnings []admissionregistration.ExpressionWarning list=atomic #1`,
  'admissionregistration.ValidatingAdmissionPolicy': `$typeMeta object
spec admissionregistration.ValidatingAdmissionPolicySpec #2
status admissionregistration.ValidatingAdmissionPolicyStatus #3`,
  'admissionregistration.ValidatingAdmissionPolicyBinding': `$typeMeta object
spec admissionregistration.ValidatingAdmissionPolicyBindingSpec required #2`,
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec': `policyName string required #1
paramRef *admissionregistration.ParamRef #2
matchResources *admissionregistration.MatchResources #3
validationActions []string required list=set goType=[]v1.ValidationAction #4`,
  'admissionregistration.ValidatingAdmissionPolicySpec': `paramKind *admissionregistration.ParamKind #1
matchConstraints *admissionregistration.MatchResources #2
validations []admissionregistration.Validation list=atomic #3
failurePolicy *string enum=Fail|Ignore goType=v1.FailurePolicyType #4
auditAnnotations []admissionregistration.AuditAnnotation list=atomic #5
matchConditions []admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #6
variables []admissionregistration.Variable patch=merge mergeKey=name list=map keys=name #7`,
  'admissionregistration.ValidatingAdmissionPolicyStatus': `observedGeneration int64 #1
typeChecking *admissionregistration.TypeChecking #2
conditions []meta.Condition list=map keys=type #3`,
  'admissionregistration.ValidatingWebhook': `name string always required #1
clientConfig admissionregistration.WebhookClientConfig always required #2
rules []admissionregistration.RuleWithOperations list=atomic #3
failurePolicy *string enum=Fail|Ignore goType=v1.FailurePolicyType #4
matchPolicy *string enum=Equivalent|Exact goType=v1.MatchPolicyType #9
namespaceSelector *meta.LabelSelector #5
objectSelector *meta.LabelSelector #10
sideEffects *string always required enum=None|NoneOnDryRun|Some|Unknown goType=v1.SideEffectClass #6
timeoutSeconds *int32 #7
admissionReviewVersions []string always required list=atomic #8
matchConditions []admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #11`,
  'admissionregistration.ValidatingWebhookConfiguration': `$typeMeta object
webhooks []admissionregistration.ValidatingWebhook patch=merge mergeKey=name list=map keys=name #2`,
  'admissionregistration.Validation': `expression string always required #1
message string #2
reason *string goType=v1.StatusReason #3
messageExpression string #4`,
  'admissionregistration.Variable': `$struct atomic
name string always required #1
expression string always required #2`,
  'admissionregistration.WebhookClientConfig': `url *string goName=URL #3
service *admissionregistration.ServiceReference #1
caBundle bytes goName=CABundle #2`,
  'apiextensions.CustomResourceColumnDefinition': `name string always required #1
type string always required #2
format string #3
description string #4
priority int32 #5
jsonPath string always required goName=JSONPath #6`,
  'apiextensions.CustomResourceConversion': `strategy string always required goType=v1.ConversionStrategyType #1
webhook *apiextensions.WebhookConversion #2`,
  'apiextensions.CustomResourceDefinition': `$typeMeta object
spec apiextensions.CustomResourceDefinitionSpec always required #2
status apiextensions.CustomResourceDefinitionStatus #3`,
  'apiextensions.CustomResourceDefinitionCondition': `type string always required goType=v1.CustomResourceDefinitionConditionType #1
status string always required goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5
observedGeneration int64 gate=CRDObservedGenerationTracking #6`,
  'apiextensions.CustomResourceDefinitionNames': `plural string always required #1
singular string #2
shortNames []string list=atomic #3
kind string always required #4
listKind string #5
categories []string list=atomic #6`,
  'apiextensions.CustomResourceDefinitionSpec': `group string always required #1
names apiextensions.CustomResourceDefinitionNames always required #3
scope string always required goType=v1.ResourceScope #4
versions []apiextensions.CustomResourceDefinitionVersion always required list=atomic #7
conversion *apiextensions.CustomResourceConversion #9
preserveUnknownFields bool #10`,
  'apiextensions.CustomResourceDefinitionStatus': `conditions []apiextensions.CustomResourceDefinitionCondition always list=map keys=type #1
acceptedNames apiextensions.CustomResourceDefinitionNames always #2
storedVersions []string always list=atomic #3
observedGeneration int64 gate=CRDObservedGenerationTracking #4`,
  'apiextensions.CustomResourceDefinitionVersion': `name string always required #1
served bool always required #2
storage bool always required #3
deprecated bool #7
deprecationWarning *string #8
schema *apiextensions.CustomResourceValidation #4
subresources *apiextensions.CustomResourceSubresources #5
additionalPrinterColumns []apiextensions.CustomResourceColumnDefinition list=atomic #6
selectableFields []apiextensions.SelectableField list=atomic #9`,
  'apiextensions.CustomResourceSubresourceScale': `specReplicasPath string always required #1
statusReplicasPath string always required #2
labelSelectorPath *string #3`,
  'apiextensions.CustomResourceSubresourceStatus': ``,
  'apiextensions.CustomResourceSubresources': `status *apiextensions.CustomResourceSubresourceStatus #1
scale *apiextensions.CustomResourceSubresourceScale #2`,
  'apiextensions.CustomResourceValidation': `openAPIV3Schema *apiextensions.JSONSchemaProps #1`,
  'apiextensions.ExternalDocumentation': `description string #1
url string goName=URL #2`,
  'apiextensions.JSONSchemaProps': `id string goName=ID #1
$schema string goType=v1.JSONSchemaURL goName=Schema #2
$ref *string goName=Ref #3
description string #4
type string #5
format string #6
title string #7
default *any goType=v1.JSON #8
maximum *float64 #9
exclusiveMaximum bool #10
minimum *float64 #11
exclusiveMinimum bool #12
maxLength *int64 #13
minLength *int64 #14
pattern string #15
maxItems *int64 #16
minItems *int64 #17
uniqueItems bool #18
multipleOf *float64 #19
enum []any list=atomic goType=[]v1.JSON #20
maxProperties *int64 #21
minProperties *int64 #22
required []string list=atomic #23
items *apiextensions.JSONSchemaProps or=list goType=v1.JSONSchemaPropsOrArray #24
allOf []apiextensions.JSONSchemaProps list=atomic #25
oneOf []apiextensions.JSONSchemaProps list=atomic #26
anyOf []apiextensions.JSONSchemaProps list=atomic #27
not *apiextensions.JSONSchemaProps #28
properties map apiextensions.JSONSchemaProps #29
additionalProperties *apiextensions.JSONSchemaProps or=bool goType=v1.JSONSchemaPropsOrBool #30
patternProperties map apiextensions.JSONSchemaProps #31
dependencies map any goType=v1.JSONSchemaDependencies #32
additionalItems *apiextensions.JSONSchemaProps or=bool goType=v1.JSONSchemaPropsOrBool #33
definitions map apiextensions.JSONSchemaProps goType=v1.JSONSchemaDefinitions #34
externalDocs *apiextensions.ExternalDocumentation #35
example *any goType=v1.JSON #36
nullable bool #37
x-kubernetes-preserve-unknown-fields *bool goName=XPreserveUnknownFields #38
x-kubernetes-embedded-resource bool goName=XEmbeddedResource #39
x-kubernetes-int-or-string bool goName=XIntOrString #40
x-kubernetes-list-map-keys []string list=atomic goName=XListMapKeys #41
x-kubernetes-list-type *string goName=XListType #42
x-kubernetes-map-type *string goName=XMapType #43
x-kubernetes-validations []apiextensions.ValidationRule patch=merge mergeKey=rule list=map keys=rule goType=v1.ValidationRules goName=XValidations #44`,
  'apiextensions.SelectableField': `jsonPath string always required goName=JSONPath #1`,
  'apiextensions.ServiceReference': `namespace string always required #1
name string always required #2
path *string #3
port *int32 #4`,
  'apiextensions.ValidationRule': `rule string always required #1
message string #2
messageExpression string #3
reason *string enum=FieldValueDuplicate|FieldValueForbidden|FieldValueInvalid|FieldValueRequired goType=v1.FieldValueErrorReason #4
fieldPath string #5
optionalOldSelf *bool #6`,
  'apiextensions.WebhookClientConfig': `url *string goName=URL #3
service *apiextensions.ServiceReference #1
caBundle bytes goName=CABundle #2`,
  'apiextensions.WebhookConversion': `clientConfig *apiextensions.WebhookClientConfig #2
conversionReviewVersions []string always required list=atomic #3`,
  'apiregistration.APIService': `$typeMeta object
spec apiregistration.APIServiceSpec #2
status apiregistration.APIServiceStatus #3`,
  'apiregistration.APIServiceCondition': `type string always required goType=v1.APIServiceConditionType #1
status string always required goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5`,
  'apiregistration.APIServiceSpec': `service *apiregistration.ServiceReference #1
group string #2
version string #3
insecureSkipTLSVerify bool #4
caBundle bytes list=atomic goName=CABundle #5
groupPriorityMinimum int32 always required #7
versionPriority int32 always required #8`,
  'apiregistration.APIServiceStatus': `conditions []apiregistration.APIServiceCondition patch=merge mergeKey=type list=map keys=type #1`,
  'apiregistration.ServiceReference': `namespace string #1
name string #2
port *int32 #3`,
  'apiserverinternal/v1alpha1.ServerStorageVersion': `apiServerID string required goName=APIServerID #1
encodingVersion string required #2
decodableVersions []string required list=set #3
servedVersions []string list=set #4`,
  'apiserverinternal/v1alpha1.StorageVersion': `$typeMeta object
spec apiserverinternal/v1alpha1.StorageVersionSpec always #2
status apiserverinternal/v1alpha1.StorageVersionStatus always #3`,
  'apiserverinternal/v1alpha1.StorageVersionCondition': `type string always required goType=v1alpha1.StorageVersionConditionType #1
status string always required goType=v1alpha1.ConditionStatus #2
observedGeneration int64 #3
lastTransitionTime Time #4
reason string always required #5
message string required #6`,
  'apiserverinternal/v1alpha1.StorageVersionSpec': ``,
  'apiserverinternal/v1alpha1.StorageVersionStatus': `storageVersions []apiserverinternal/v1alpha1.ServerStorageVersion list=map keys=apiServerID #1
commonEncodingVersion *string #2
conditions []apiserverinternal/v1alpha1.StorageVersionCondition list=map keys=type #3`,
  'apps.ControllerRevision': `$typeMeta object
data any always required #2
revision int64 always #3`,
  'apps.DaemonSet': `$typeMeta object
spec apps.DaemonSetSpec required #2
status apps.DaemonSetStatus #3`,
  'apps.DaemonSetCondition': `type string always goType=v1.DaemonSetConditionType #1
status string always goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5`,
  'apps.DaemonSetSpec': `selector *meta.LabelSelector always required #1
template core.PodTemplateSpec always required #2
updateStrategy apps.DaemonSetUpdateStrategy #3
minReadySeconds int32 #4
revisionHistoryLimit *int32 #6`,
  'apps.DaemonSetStatus': `currentNumberScheduled int32 always required #1
numberMisscheduled int32 always required #2
desiredNumberScheduled int32 always required #3
numberReady int32 always required #4
observedGeneration int64 #5
updatedNumberScheduled int32 #6
numberAvailable int32 #7
numberUnavailable int32 #8
collisionCount *int32 #9
conditions []apps.DaemonSetCondition patch=merge mergeKey=type list=map keys=type #10`,
  'apps.DaemonSetUpdateStrategy': `type string enum=OnDelete|RollingUpdate goType=v1.DaemonSetUpdateStrategyType #1
rollingUpdate *apps.RollingUpdateDaemonSet #2`,
  'apps.Deployment': `$typeMeta object
spec apps.DeploymentSpec required #2
status apps.DeploymentStatus #3`,
  'apps.DeploymentCondition': `type string always goType=v1.DeploymentConditionType #1
status string always goType=v1.ConditionStatus #2
lastUpdateTime Time #6
lastTransitionTime Time #7
reason string #4
message string #5`,
  'apps.DeploymentSpec': `replicas *int32 #1
selector *meta.LabelSelector always required #2
template core.PodTemplateSpec always required #3
strategy apps.DeploymentStrategy patch=retainKeys #4
minReadySeconds int32 #5
revisionHistoryLimit *int32 #6
paused bool #7
progressDeadlineSeconds *int32 #9`,
  'apps.DeploymentStatus': `observedGeneration int64 #1
replicas int32 #2
updatedReplicas int32 #3
readyReplicas int32 #7
availableReplicas int32 #4
unavailableReplicas int32 #5
terminatingReplicas *int32 #9
conditions []apps.DeploymentCondition patch=merge mergeKey=type list=map keys=type #6
collisionCount *int32 #8`,
  'apps.DeploymentStrategy': `type string enum=Recreate|RollingUpdate goType=v1.DeploymentStrategyType #1
rollingUpdate *apps.RollingUpdateDeployment #2`,
  'apps.ReplicaSet': `$typeMeta object
spec apps.ReplicaSetSpec required #2
status apps.ReplicaSetStatus #3`,
  'apps.ReplicaSetCondition': `type string always goType=v1.ReplicaSetConditionType #1
status string always goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5`,
  'apps.ReplicaSetSpec': `replicas *int32 #1
minReadySeconds int32 #4
selector *meta.LabelSelector always required #2
template core.PodTemplateSpec #3`,
  'apps.ReplicaSetStatus': `replicas int32 always required #1
fullyLabeledReplicas int32 #2
readyReplicas int32 #4
availableReplicas int32 #5
terminatingReplicas *int32 #7
observedGeneration int64 #3
conditions []apps.ReplicaSetCondition patch=merge mergeKey=type list=map keys=type #6`,
  'apps.RollingUpdateDaemonSet': `maxUnavailable *IntOrString #1
maxSurge *IntOrString #2`,
  'apps.RollingUpdateDeployment': `maxUnavailable *IntOrString #1
maxSurge *IntOrString #2`,
  'apps.RollingUpdateStatefulSetStrategy': `partition *int32 #1
maxUnavailable *IntOrString gate=MaxUnavailableStatefulSet #2`,
  'apps.StatefulSet': `$typeMeta object
spec apps.StatefulSetSpec required #2
status apps.StatefulSetStatus #3`,
  'apps.StatefulSetCondition': `type string always goType=v1.StatefulSetConditionType #1
status string always goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5`,
  'apps.StatefulSetOrdinals': `start int32 always #1`,
  'apps.StatefulSetPersistentVolumeClaimRetentionPolicy': `whenDeleted string goType=v1.PersistentVolumeClaimRetentionPolicyType #1
whenScaled string goType=v1.PersistentVolumeClaimRetentionPolicyType #2`,
  'apps.StatefulSetSpec': `replicas *int32 #1
selector *meta.LabelSelector always required #2
template core.PodTemplateSpec always required #3
volumeClaimTemplates []core.PersistentVolumeClaim list=atomic #4
serviceName string always #5
podManagementPolicy string enum=OrderedReady|Parallel goType=v1.PodManagementPolicyType #6
updateStrategy apps.StatefulSetUpdateStrategy #7
revisionHistoryLimit *int32 #8
minReadySeconds int32 #9
persistentVolumeClaimRetentionPolicy *apps.StatefulSetPersistentVolumeClaimRetentionPolicy #10
ordinals *apps.StatefulSetOrdinals #11`,
  'apps.StatefulSetStatus': `observedGeneration int64 #1
replicas int32 always required #2
readyReplicas int32 #3
currentReplicas int32 #4
updatedReplicas int32 #5
currentRevision string #6
updateRevision string #7
collisionCount *int32 #9
conditions []apps.StatefulSetCondition patch=merge mergeKey=type list=map keys=type #10
availableReplicas int32 always #11`,
  'apps.StatefulSetUpdateStrategy': `type string enum=OnDelete|Recreate|RollingUpdate goType=v1.StatefulSetUpdateStrategyType #1
rollingUpdate *apps.RollingUpdateStatefulSetStrategy #2`,
  'authentication.BoundObjectReference': `kind string #1
apiVersion string goName=APIVersion #2
name string #3
uid string goType=types.UID goName=UID #4`,
  'authentication.SelfSubjectReview': `$typeMeta object
status authentication.SelfSubjectReviewStatus #2`,
  'authentication.SelfSubjectReviewStatus': `userInfo authentication.UserInfo #1`,
  'authentication.TokenRequest': `$typeMeta object
spec authentication.TokenRequestSpec always #2
status authentication.TokenRequestStatus #3`,
  'authentication.TokenRequestSpec': `audiences []string always list=atomic #1
expirationSeconds *int64 always #4
boundObjectRef *authentication.BoundObjectReference always #3
attestations map []string goType=map[string]v1.AttestationValue #5`,
  'authentication.TokenRequestStatus': `token string always #1
expirationTimestamp Time always #2`,
  'authentication.TokenReview': `$typeMeta object
spec authentication.TokenReviewSpec always required #2
status authentication.TokenReviewStatus #3`,
  'authentication.TokenReviewSpec': `token string required #1
audiences []string list=atomic #2`,
  'authentication.TokenReviewStatus': `authenticated bool #1
user authentication.UserInfo #2
audiences []string list=atomic #4
error string #3`,
  'authentication.UserInfo': `username string #1
uid string goName=UID #2
groups []string list=atomic #3
extra map []string goType=map[string]v1.ExtraValue #4`,
  'authorization.FieldSelectorAttributes': `rawSelector string #1
requirements []meta.FieldSelectorRequirement list=atomic #2`,
  'authorization.LabelSelectorAttributes': `rawSelector string #1
requirements []meta.LabelSelectorRequirement list=atomic #2`,
  'authorization.LocalSubjectAccessReview': `$typeMeta object
spec authorization.SubjectAccessReviewSpec always required #2
status authorization.SubjectAccessReviewStatus #3`,
  'authorization.NonResourceAttributes': `path string #1
verb string #2`,
  'authorization.NonResourceRule': `verbs []string always required list=atomic #1
nonResourceURLs []string list=atomic #2`,
  'authorization.ResourceAttributes': `namespace string #1
verb string #2
group string #3
version string #4
resource string #5
subresource string #6
name string #7
fieldSelector *authorization.FieldSelectorAttributes #8
labelSelector *authorization.LabelSelectorAttributes #9`,
  'authorization.ResourceRule': `verbs []string always required list=atomic #1
apiGroups []string list=atomic goName=APIGroups #2
resources []string list=atomic #3
resourceNames []string list=atomic #4`,
  'authorization.SelfSubjectAccessReview': `$typeMeta object
spec authorization.SelfSubjectAccessReviewSpec always required #2
status authorization.SubjectAccessReviewStatus #3`,
  'authorization.SelfSubjectAccessReviewSpec': `resourceAttributes *authorization.ResourceAttributes #1
nonResourceAttributes *authorization.NonResourceAttributes #2`,
  'authorization.SelfSubjectRulesReview': `$typeMeta object
spec authorization.SelfSubjectRulesReviewSpec always required #2
status authorization.SubjectRulesReviewStatus #3`,
  'authorization.SelfSubjectRulesReviewSpec': `namespace string #1`,
  'authorization.SubjectAccessReview': `$typeMeta object
spec authorization.SubjectAccessReviewSpec always required #2
status authorization.SubjectAccessReviewStatus #3`,
  'authorization.SubjectAccessReviewSpec': `resourceAttributes *authorization.ResourceAttributes #1
nonResourceAttributes *authorization.NonResourceAttributes #2
user string #3
groups []string list=atomic #4
extra map []string goType=map[string]v1.ExtraValue #5
uid string goName=UID #6`,
  'authorization.SubjectAccessReviewStatus': `allowed bool always required #1
denied bool #4
reason string #2
evaluationError string #3`,
  'authorization.SubjectRulesReviewStatus': `resourceRules []authorization.ResourceRule always required list=atomic #1
nonResourceRules []authorization.NonResourceRule always required list=atomic #2
incomplete bool always required #3
evaluationError string #4`,
  'autoscaling.CrossVersionObjectReference': `$struct atomic
kind string always required #1
name string always required #2
apiVersion string goName=APIVersion #3`,
  'autoscaling.HorizontalPodAutoscaler': `$typeMeta object
spec autoscaling.HorizontalPodAutoscalerSpec required #2
status autoscaling.HorizontalPodAutoscalerStatus #3`,
  'autoscaling.HorizontalPodAutoscalerSpec': `scaleTargetRef autoscaling.CrossVersionObjectReference always required #1
minReplicas *int32 #2
maxReplicas int32 always required #3
targetCPUUtilizationPercentage *int32 #4`,
  'autoscaling.HorizontalPodAutoscalerStatus': `observedGeneration *int64 #1
lastScaleTime *Time #2
currentReplicas int32 always required #3
desiredReplicas int32 always required #4
currentCPUUtilizationPercentage *int32 #5`,
  'autoscaling.Scale': `$typeMeta object
spec autoscaling.ScaleSpec #2
status autoscaling.ScaleStatus #3`,
  'autoscaling.ScaleSpec': `replicas int32 default=0 #1`,
  'autoscaling.ScaleStatus': `replicas int32 always required #1
selector string #2`,
  'autoscaling/v2.ContainerResourceMetricSource': `name string always required goType=v1.ResourceName #1
target autoscaling/v2.MetricTarget always required #2
container string always required #3`,
  'autoscaling/v2.ContainerResourceMetricStatus': `name string always required goType=v1.ResourceName #1
current autoscaling/v2.MetricValueStatus always required #2
container string always required #3`,
  'autoscaling/v2.CrossVersionObjectReference': `kind string always required #1
name string always required #2
apiVersion string goName=APIVersion #3`,
  'autoscaling/v2.ExternalMetricSource': `metric autoscaling/v2.MetricIdentifier always required #1
target autoscaling/v2.MetricTarget always required #2`,
  'autoscaling/v2.ExternalMetricStatus': `metric autoscaling/v2.MetricIdentifier always required #1
current autoscaling/v2.MetricValueStatus always required #2`,
  'autoscaling/v2.HPAScalingPolicy': `type string always required goType=v2.HPAScalingPolicyType #1
value int32 always required #2
periodSeconds int32 always required #3`,
  'autoscaling/v2.HPAScalingRules': `stabilizationWindowSeconds *int32 #3
selectPolicy *string goType=v2.ScalingPolicySelect #1
policies []autoscaling/v2.HPAScalingPolicy list=atomic #2
tolerance *Quantity #4`,
  'autoscaling/v2.HorizontalPodAutoscaler': `$typeMeta object
spec autoscaling/v2.HorizontalPodAutoscalerSpec required #2
status autoscaling/v2.HorizontalPodAutoscalerStatus #3`,
  'autoscaling/v2.HorizontalPodAutoscalerBehavior': `scaleUp *autoscaling/v2.HPAScalingRules #1
scaleDown *autoscaling/v2.HPAScalingRules #2`,
  'autoscaling/v2.HorizontalPodAutoscalerCondition': `type string always required goType=v2.HorizontalPodAutoscalerConditionType #1
status string always required goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5
observedGeneration *int64 #6`,
  'autoscaling/v2.HorizontalPodAutoscalerSpec': `scaleTargetRef autoscaling/v2.CrossVersionObjectReference always required #1
minReplicas *int32 #2
maxReplicas int32 always required #3
metrics []autoscaling/v2.MetricSpec list=atomic #4
behavior *autoscaling/v2.HorizontalPodAutoscalerBehavior #5`,
  'autoscaling/v2.HorizontalPodAutoscalerStatus': `observedGeneration *int64 #1
lastScaleTime *Time #2
currentReplicas int32 #3
desiredReplicas int32 always required #4
currentMetrics []autoscaling/v2.MetricStatus always list=atomic #5
conditions []autoscaling/v2.HorizontalPodAutoscalerCondition patch=merge mergeKey=type list=map keys=type #6`,
  'autoscaling/v2.MetricIdentifier': `name string always required #1
selector *meta.LabelSelector #2`,
  'autoscaling/v2.MetricSpec': `type string always required goType=v2.MetricSourceType #1
object *autoscaling/v2.ObjectMetricSource #2
pods *autoscaling/v2.PodsMetricSource #3
resource *autoscaling/v2.ResourceMetricSource #4
containerResource *autoscaling/v2.ContainerResourceMetricSource #7
external *autoscaling/v2.ExternalMetricSource #5`,
  'autoscaling/v2.MetricStatus': `type string always required goType=v2.MetricSourceType #1
object *autoscaling/v2.ObjectMetricStatus #2
pods *autoscaling/v2.PodsMetricStatus #3
resource *autoscaling/v2.ResourceMetricStatus #4
containerResource *autoscaling/v2.ContainerResourceMetricStatus #7
external *autoscaling/v2.ExternalMetricStatus #5`,
  'autoscaling/v2.MetricTarget': `type string always required goType=v2.MetricTargetType #1
value *Quantity #2
averageValue *Quantity #3
averageUtilization *int32 #4`,
  'autoscaling/v2.MetricValueStatus': `value *Quantity #1
averageValue *Quantity #2
averageUtilization *int32 #3`,
  'autoscaling/v2.ObjectMetricSource': `describedObject autoscaling/v2.CrossVersionObjectReference always required #1
target autoscaling/v2.MetricTarget always required #2
metric autoscaling/v2.MetricIdentifier always required #3`,
  'autoscaling/v2.ObjectMetricStatus': `metric autoscaling/v2.MetricIdentifier always required #1
current autoscaling/v2.MetricValueStatus always required #2
describedObject autoscaling/v2.CrossVersionObjectReference always required #3`,
  'autoscaling/v2.PodsMetricSource': `metric autoscaling/v2.MetricIdentifier always required #1
target autoscaling/v2.MetricTarget always required #2`,
  'autoscaling/v2.PodsMetricStatus': `metric autoscaling/v2.MetricIdentifier always required #1
current autoscaling/v2.MetricValueStatus always required #2`,
  'autoscaling/v2.ResourceMetricSource': `name string always required goType=v1.ResourceName #1
target autoscaling/v2.MetricTarget always required #2`,
  'autoscaling/v2.ResourceMetricStatus': `name string always required goType=v1.ResourceName #1
current autoscaling/v2.MetricValueStatus always required #2`,
  'batch.CronJob': `$typeMeta object
spec batch.CronJobSpec required #2
status batch.CronJobStatus #3`,
  'batch.CronJobSpec': `schedule string always required #1
timeZone *string #8
startingDeadlineSeconds *int64 #2
concurrencyPolicy string enum=Allow|Forbid|Replace goType=v1.ConcurrencyPolicy #3
suspend *bool #4
jobTemplate batch.JobTemplateSpec always required #5
successfulJobsHistoryLimit *int32 #6
failedJobsHistoryLimit *int32 #7`,
  'batch.CronJobStatus': `active []core.ObjectReference list=atomic #1
lastScheduleTime *Time #4
lastSuccessfulTime *Time #5`,
  'batch.Job': `$typeMeta object
spec batch.JobSpec #2
status batch.JobStatus #3`,
  'batch.JobCondition': `type string always required goType=v1.JobConditionType #1
status string always required goType=v1.ConditionStatus #2
lastProbeTime Time #3
lastTransitionTime Time #4
reason string #5
message string #6`,
  'batch.JobSchedulingConfiguration': `schedulingPolicy *scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy #1
schedulingConstraints *scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints #2
disruptionMode *scheduling/v1alpha3.WorkloadPodGroupDisruptionMode #3
resourceClaims []scheduling/v1alpha3.WorkloadPodGroupResourceClaim patch=merge mergeKey=name list=map keys=name #4`,
  'batch.JobSpec': `parallelism *int32 #1
completions *int32 #2
activeDeadlineSeconds *int64 #3
podFailurePolicy *batch.PodFailurePolicy #11
successPolicy *batch.SuccessPolicy #16
backoffLimit *int32 #7
backoffLimitPerIndex *int32 #12
maxFailedIndexes *int32 #13
selector *meta.LabelSelector #4
manualSelector *bool #5
template core.PodTemplateSpec always required #6
ttlSecondsAfterFinished *int32 goName=TTLSecondsAfterFinished #8
completionMode *string enum=Indexed|NonIndexed goType=v1.CompletionMode #9
suspend *bool #10
podReplacementPolicy *string enum=Failed|TerminatingOrFailed goType=v1.PodReplacementPolicy #14
managedBy *string #15
scheduling *batch.JobSchedulingConfiguration gate=WorkloadWithJob #17`,
  'batch.JobStatus': `conditions []batch.JobCondition patch=merge mergeKey=type list=atomic #1
startTime *Time #2
completionTime *Time #3
active int32 #4
succeeded int32 #5
failed int32 #6
terminating *int32 #11
completedIndexes string #7
failedIndexes *string #10
uncountedTerminatedPods *batch.UncountedTerminatedPods #8
ready *int32 #9`,
  'batch.JobTemplateSpec': `metadata meta.ObjectMeta goName=ObjectMeta #1
spec batch.JobSpec #2`,
  'batch.PodFailurePolicy': `rules []batch.PodFailurePolicyRule always required list=atomic #1`,
  'batch.PodFailurePolicyOnExitCodesRequirement': `containerName *string #1
operator string always required enum=In|NotIn goType=v1.PodFailurePolicyOnExitCodesOperator #2
values []int32 always required list=set #3`,
  'batch.PodFailurePolicyOnPodConditionsPattern': `type string always required goType=v1.PodConditionType #1
status string always goType=v1.ConditionStatus #2`,
  'batch.PodFailurePolicyRule': `action string always required enum=Count|FailIndex|FailJob|Ignore goType=v1.PodFailurePolicyAction #1
onExitCodes *batch.PodFailurePolicyOnExitCodesRequirement #2
onPodConditions []batch.PodFailurePolicyOnPodConditionsPattern list=atomic #3`,
  'batch.SuccessPolicy': `rules []batch.SuccessPolicyRule always required list=atomic #1`,
  'batch.SuccessPolicyRule': `succeededIndexes *string #1
succeededCount *int32 #2`,
  'batch.UncountedTerminatedPods': `succeeded []string list=set goType=[]types.UID #1
failed []string list=set goType=[]types.UID #2`,
  'certificates.CertificateSigningRequest': `$typeMeta object
spec certificates.CertificateSigningRequestSpec always required #2
status certificates.CertificateSigningRequestStatus #3`,
  'certificates.CertificateSigningRequestCondition': `type string always required goType=v1.RequestConditionType #1
status string always required goType=v1.ConditionStatus #6
reason string #2
message string #3
lastUpdateTime Time #4
lastTransitionTime Time #5`,
  'certificates.CertificateSigningRequestSpec': `request bytes always required #1
signerName string always required #7
expirationSeconds *int32 #8
usages []string list=atomic goType=[]v1.KeyUsage #5
username string #2
uid string goName=UID #3
groups []string list=atomic #4
extra map []string goType=map[string]v1.ExtraValue #6`,
  'certificates.CertificateSigningRequestStatus': `conditions []certificates.CertificateSigningRequestCondition list=map keys=type #1
certificate bytes #2`,
  'certificates.ClusterTrustBundle': `$typeMeta object
spec certificates.ClusterTrustBundleSpec always required #2`,
  'certificates.ClusterTrustBundleSpec': `signerName string #1
trustBundle string always required #2`,
  'certificates.PodCertificateRequest': `$typeMeta object
spec certificates.PodCertificateRequestSpec always required #2
status certificates.PodCertificateRequestStatus #3`,
  'certificates.PodCertificateRequestSpec': `signerName string always required #1
podName string always required #2
podUID string always required goType=types.UID #3
serviceAccountName string always required #4
serviceAccountUID string always required goType=types.UID #5
nodeName string always required goType=types.NodeName #6
nodeUID string always required goType=types.UID #7
maxExpirationSeconds *int32 default=86400 #8
stubPKCS10Request bytes always required #12
unverifiedUserAnnotations map string #11`,
  'certificates.PodCertificateRequestStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1
certificateChain string #2
notBefore *Time #4
beginRefreshAt *Time #5
notAfter *Time #6`,
  'coordination.Lease': `$typeMeta object
spec coordination.LeaseSpec #2`,
  'coordination.LeaseSpec': `holderIdentity *string #1
leaseDurationSeconds *int32 #2
acquireTime *MicroTime #3
renewTime *MicroTime #4
leaseTransitions *int32 #5
strategy *string gate=CoordinatedLeaderElection goType=v1.CoordinatedLeaseStrategy #6
preferredHolder *string gate=CoordinatedLeaderElection #7`,
  'coordination/v1beta1.LeaseCandidate': `$typeMeta object
spec coordination/v1beta1.LeaseCandidateSpec required #2`,
  'coordination/v1beta1.LeaseCandidateSpec': `leaseName string always required #1
pingTime *MicroTime #2
renewTime *MicroTime #3
binaryVersion string always required #4
emulationVersion string #5
strategy string required goType=v1.CoordinatedLeaseStrategy #6`,
  'core.AWSElasticBlockStoreVolumeSource': `volumeID string always required #1
fsType string goName=FSType #2
partition int32 #3
readOnly bool #4`,
  'core.Affinity': `nodeAffinity *core.NodeAffinity #1
podAffinity *core.PodAffinity #2
podAntiAffinity *core.PodAntiAffinity #3`,
  'core.AppArmorProfile': `type string always required enum=Localhost|RuntimeDefault|Unconfined goType=v1.AppArmorProfileType #1
localhostProfile *string #2`,
  'core.AttachedVolume': `name string always required goType=v1.UniqueVolumeName #1
devicePath string always required #2`,
  'core.AzureDiskVolumeSource': `diskName string always required #1
diskURI string always required goName=DataDiskURI #2
cachingMode *string enum=None|ReadOnly|ReadWrite default="ReadWrite" goType=v1.AzureDataDiskCachingMode #3
fsType *string default="ext4" goName=FSType #4
readOnly *bool default=false #5
kind *string enum=Dedicated|Managed|Shared default="Shared" goType=v1.AzureDataDiskKind #6`,
  'core.AzureFilePersistentVolumeSource': `secretName string always required #1
shareName string always required #2
readOnly bool #3
secretNamespace *string always #4`,
  'core.AzureFileVolumeSource': `secretName string always required #1
shareName string always required #2
readOnly bool #3`,
  'core.Binding': `$typeMeta object
target core.ObjectReference always required #2`,
  'core.CSIPersistentVolumeSource': `driver string always required #1
volumeHandle string always required #2
readOnly bool #3
fsType string goName=FSType #4
volumeAttributes map string #5
controllerPublishSecretRef *core.SecretReference #6
nodeStageSecretRef *core.SecretReference #7
nodePublishSecretRef *core.SecretReference #8
controllerExpandSecretRef *core.SecretReference #9
nodeExpandSecretRef *core.SecretReference #10`,
  'core.CSIVolumeSource': `driver string always required #1
readOnly *bool #2
fsType *string goName=FSType #3
volumeAttributes map string #4
nodePublishSecretRef *core.LocalObjectReference #5`,
  'core.Capabilities': `add []string list=atomic goType=[]v1.Capability #1
drop []string list=atomic goType=[]v1.Capability #2`,
  'core.CephFSPersistentVolumeSource': `monitors []string always required list=atomic #1
path string #2
user string #3
secretFile string #4
secretRef *core.SecretReference #5
readOnly bool #6`,
  'core.CephFSVolumeSource': `monitors []string always required list=atomic #1
path string #2
user string #3
secretFile string #4
secretRef *core.LocalObjectReference #5
readOnly bool #6`,
  'core.CinderPersistentVolumeSource': `volumeID string always required #1
fsType string goName=FSType #2
readOnly bool #3
secretRef *core.SecretReference #4`,
  'core.CinderVolumeSource': `volumeID string always required #1
fsType string goName=FSType #2
readOnly bool #3
secretRef *core.LocalObjectReference #4`,
  'core.ClientIPConfig': `timeoutSeconds *int32 #1`,
  'core.ClusterTrustBundleProjection': `name *string #1
signerName *string #2
labelSelector *meta.LabelSelector #3
optional *bool #5
path string always required #4
user *int64 gate=AtomicWriteVolumeUserFields #6`,
  'core.ComponentCondition': `type string always required goType=v1.ComponentConditionType #1
status string always required goType=v1.ConditionStatus #2
message string #3
error string #4`,
  'core.ComponentStatus': `$typeMeta object
conditions []core.ComponentCondition patch=merge mergeKey=type list=map keys=type #2`,
  'core.ConfigMap': `$typeMeta object
immutable *bool #4
data map string #2
binaryData map bytes #3`,
  'core.ConfigMapEnvSource': `name string default="" in=LocalObjectReference #1.1
optional *bool #2`,
  'core.ConfigMapKeySelector': `$struct atomic
name string default="" in=LocalObjectReference #1.1
key string always required #2
optional *bool #3`,
  'core.ConfigMapNodeConfigSource': `namespace string always required #1
name string always required #2
uid string goType=types.UID goName=UID #3
resourceVersion string #4
kubeletConfigKey string always required #5`,
  'core.ConfigMapProjection': `name string default="" in=LocalObjectReference #1.1
items []core.KeyToPath list=atomic #2
optional *bool #4`,
  'core.ConfigMapVolumeSource': `name string default="" in=LocalObjectReference #1.1
items []core.KeyToPath list=atomic #2
defaultMode *int32 #3
optional *bool #4
defaultUser *int64 gate=AtomicWriteVolumeUserFields #5`,
  'core.Container': `name string always required #1
image string #2
command []string list=atomic #3
args []string list=atomic #4
workingDir string #5
ports []core.ContainerPort patch=merge mergeKey=containerPort list=map keys=containerPort+protocol #6
envFrom []core.EnvFromSource list=atomic #19
env []core.EnvVar patch=merge mergeKey=name list=map keys=name #7
resources core.ResourceRequirements #8
resizePolicy []core.ContainerResizePolicy list=atomic #23
restartPolicy *string goType=v1.ContainerRestartPolicy #24
restartPolicyRules []core.ContainerRestartRule list=atomic gate=ContainerRestartRules #25
volumeMounts []core.VolumeMount patch=merge mergeKey=mountPath list=map keys=mountPath #9
volumeDevices []core.VolumeDevice patch=merge mergeKey=devicePath list=map keys=devicePath #21
livenessProbe *core.Probe #10
readinessProbe *core.Probe #11
startupProbe *core.Probe #22
lifecycle *core.Lifecycle #12
terminationMessagePath string #13
terminationMessagePolicy string enum=FallbackToLogsOnError|File goType=v1.TerminationMessagePolicy #20
imagePullPolicy string enum=Always|IfNotPresent|Never goType=v1.PullPolicy #14
securityContext *core.SecurityContext #15
stdin bool #16
stdinOnce bool #17
tty bool goName=TTY #18`,
  'core.ContainerExtendedResourceRequest': `containerName string always required #1
resourceName string always required #2
requestName string always required #3`,
  'core.ContainerImage': `names []string always list=atomic #1
sizeBytes int64 #2`,
  'core.ContainerPort': `name string #1
hostPort int32 #2
containerPort int32 always required #3
protocol string enum=SCTP|TCP|UDP default="TCP" goType=v1.Protocol #4
hostIP string #5`,
  'core.ContainerResizePolicy': `resourceName string always required goType=v1.ResourceName #1
restartPolicy string always required goType=v1.ResourceResizeRestartPolicy #2`,
  'core.ContainerRestartRule': `action string required goType=v1.ContainerRestartRuleAction #1
exitCodes *core.ContainerRestartRuleOnExitCodes #2`,
  'core.ContainerRestartRuleOnExitCodes': `operator string required goType=v1.ContainerRestartRuleOnExitCodesOperator #1
values []int32 list=set #2`,
  'core.ContainerState': `waiting *core.ContainerStateWaiting #1
running *core.ContainerStateRunning #2
terminated *core.ContainerStateTerminated #3`,
  'core.ContainerStateRunning': `startedAt Time #1`,
  'core.ContainerStateTerminated': `exitCode int32 always required #1
signal int32 #2
reason string #3
message string #4
startedAt Time #5
finishedAt Time #6
containerID string #7`,
  'core.ContainerStateWaiting': `reason string #1
message string #2`,
  'core.ContainerStatus': `name string always required #1
state core.ContainerState #2
lastState core.ContainerState goName=LastTerminationState #3
ready bool always required #4
restartCount int32 always required #5
image string always required #6
imageID string always required #7
containerID string #8
started *bool #9
allocatedResources map Quantity goType=v1.ResourceList #10
resources *core.ResourceRequirements #11
volumeMounts []core.VolumeMountStatus patch=merge mergeKey=mountPath list=map keys=mountPath #12
user *core.ContainerUser #13
allocatedResourcesStatus []core.ResourceStatus patch=merge mergeKey=name list=map keys=name gate=ResourceHealthStatus #14
stopSignal *string enum=SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ gate=ContainerStopSignals goType=v1.Signal #15`,
  'core.ContainerUser': `linux *core.LinuxContainerUser #1`,
  'core.DaemonEndpoint': `Port int32 always required #1`,
  'core.DownwardAPIProjection': `items []core.DownwardAPIVolumeFile list=atomic #1`,
  'core.DownwardAPIVolumeFile': `path string always required #1
fieldRef *core.ObjectFieldSelector #2
resourceFieldRef *core.ResourceFieldSelector #3
mode *int32 #4
user *int64 gate=AtomicWriteVolumeUserFields #5`,
  'core.DownwardAPIVolumeSource': `items []core.DownwardAPIVolumeFile list=atomic #1
defaultMode *int32 #2
defaultUser *int64 gate=AtomicWriteVolumeUserFields #3`,
  'core.EmptyDirVolumeSource': `medium string goType=v1.StorageMedium #1
sizeLimit *Quantity #2
mode *int32 gate=EmptyDirVolumeMode #3`,
  'core.EndpointAddress': `$struct atomic
ip string always required goName=IP #1
hostname string #3
nodeName *string #4
targetRef *core.ObjectReference #2`,
  'core.EndpointPort': `$struct atomic
name string #1
port int32 always required #2
protocol string enum=SCTP|TCP|UDP goType=v1.Protocol #3
appProtocol *string #4`,
  'core.EndpointSubset': `addresses []core.EndpointAddress list=atomic #1
notReadyAddresses []core.EndpointAddress list=atomic #2
ports []core.EndpointPort list=atomic #3`,
  'core.Endpoints': `$typeMeta object
subsets []core.EndpointSubset list=atomic #2`,
  'core.EnvFromSource': `prefix string #1
configMapRef *core.ConfigMapEnvSource #2
secretRef *core.SecretEnvSource #3`,
  'core.EnvVar': `name string always required #1
value string #2
valueFrom *core.EnvVarSource #3`,
  'core.EnvVarSource': `fieldRef *core.ObjectFieldSelector #1
resourceFieldRef *core.ResourceFieldSelector #2
configMapKeyRef *core.ConfigMapKeySelector #3
secretKeyRef *core.SecretKeySelector #4
fileKeyRef *core.FileKeySelector gate=EnvFiles #5`,
  'core.EphemeralContainer': `name string always required in=EphemeralContainerCommon #1.1
image string in=EphemeralContainerCommon #1.2
command []string list=atomic in=EphemeralContainerCommon #1.3
args []string list=atomic in=EphemeralContainerCommon #1.4
workingDir string in=EphemeralContainerCommon #1.5
ports []core.ContainerPort patch=merge mergeKey=containerPort list=map keys=containerPort+protocol in=EphemeralContainerCommon #1.6
envFrom []core.EnvFromSource list=atomic in=EphemeralContainerCommon #1.19
env []core.EnvVar patch=merge mergeKey=name list=map keys=name in=EphemeralContainerCommon #1.7
resources core.ResourceRequirements in=EphemeralContainerCommon #1.8
resizePolicy []core.ContainerResizePolicy list=atomic in=EphemeralContainerCommon #1.23
restartPolicy *string goType=v1.ContainerRestartPolicy in=EphemeralContainerCommon #1.24
restartPolicyRules []core.ContainerRestartRule list=atomic gate=ContainerRestartRules in=EphemeralContainerCommon #1.25
volumeMounts []core.VolumeMount patch=merge mergeKey=mountPath list=map keys=mountPath in=EphemeralContainerCommon #1.9
volumeDevices []core.VolumeDevice patch=merge mergeKey=devicePath list=map keys=devicePath in=EphemeralContainerCommon #1.21
livenessProbe *core.Probe in=EphemeralContainerCommon #1.10
readinessProbe *core.Probe in=EphemeralContainerCommon #1.11
startupProbe *core.Probe in=EphemeralContainerCommon #1.22
lifecycle *core.Lifecycle in=EphemeralContainerCommon #1.12
terminationMessagePath string in=EphemeralContainerCommon #1.13
terminationMessagePolicy string enum=FallbackToLogsOnError|File goType=v1.TerminationMessagePolicy in=EphemeralContainerCommon #1.20
imagePullPolicy string enum=Always|IfNotPresent|Never goType=v1.PullPolicy in=EphemeralContainerCommon #1.14
securityContext *core.SecurityContext in=EphemeralContainerCommon #1.15
stdin bool in=EphemeralContainerCommon #1.16
stdinOnce bool in=EphemeralContainerCommon #1.17
tty bool goName=TTY in=EphemeralContainerCommon #1.18
targetContainerName string #2`,
  'core.EphemeralVolumeSource': `volumeClaimTemplate *core.PersistentVolumeClaimTemplate #1`,
  'core.Event': `$typeMeta inline
metadata meta.ObjectMeta always required goName=ObjectMeta #1
involvedObject core.ObjectReference always required #2
reason string #3
message string #4
source core.EventSource #5
firstTimestamp Time #6
lastTimestamp Time #7
count int32 #8
type string #9
eventTime MicroTime #10
series *core.EventSeries #11
action string #12
related *core.ObjectReference #13
reportingComponent string always goName=ReportingController #14
reportingInstance string always #15`,
  'core.EventSeries': `count int32 #1
lastObservedTime MicroTime #2`,
  'core.EventSource': `component string #1
host string #2`,
  'core.EvictionResponder': `$struct atomic
name string always required #1
priority *int32 always required #2`,
  'core.ExecAction': `command []string list=atomic #1`,
  'core.FCVolumeSource': `targetWWNs []string list=atomic #1
lun *int32 #2
fsType string goName=FSType #3
readOnly bool #4
wwids []string list=atomic goName=WWIDs #5`,
  'core.FileKeySelector': `$struct atomic
volumeName string always required #1
path string always required #2
key string always required #3
optional *bool default=false #4`,
  'core.FlexPersistentVolumeSource': `driver string always required #1
fsType string goName=FSType #2
secretRef *core.SecretReference #3
readOnly bool #4
options map string #5`,
  'core.FlexVolumeSource': `driver string always required #1
fsType string goName=FSType #2
secretRef *core.LocalObjectReference #3
readOnly bool #4
options map string #5`,
  'core.FlockerVolumeSource': `datasetName string #1
datasetUUID string #2`,
  'core.GCEPersistentDiskVolumeSource': `pdName string always required goName=PDName #1
fsType string goName=FSType #2
partition int32 #3
readOnly bool #4`,
  'core.GRPCAction': `port int32 always required #1
service *string always default="" #2
mode *string enum=Plaintext|TLS gate=GRPCContainerProbeTLS goType=v1.GRPCProbeMode #3`,
  'core.GitRepoVolumeSource': `repository string always required #1
revision string #2
directory string #3`,
  'core.GlusterfsPersistentVolumeSource': `endpoints string always required goName=EndpointsName #1
path string always required #2
readOnly bool #3
endpointsNamespace *string #4`,
  'core.GlusterfsVolumeSource': `endpoints string always required goName=EndpointsName #1
path string always required #2
readOnly bool #3`,
  'core.HTTPGetAction': `path string #1
port IntOrString always required #2
host string #3
scheme string enum=HTTP|HTTPS goType=v1.URIScheme #4
httpHeaders []core.HTTPHeader list=atomic goName=HTTPHeaders #5
protocol *string enum=HTTP1|HTTP2 gate=H2CContainerProbe goType=v1.HTTPProtocol #6`,
  'core.HTTPHeader': `name string always required #1
value string always required #2`,
  'core.HostAlias': `ip string always required goName=IP #1
hostnames []string list=atomic #2`,
  'core.HostIP': `ip string always required goName=IP #1`,
  'core.HostPathVolumeSource': `path string always required #1
type *string enum=|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket goType=v1.HostPathType #2`,
  'core.ISCSIPersistentVolumeSource': `targetPortal string always required #1
iqn string always required goName=IQN #2
lun int32 always required #3
iscsiInterface string default="default" goName=ISCSIInterface #4
fsType string goName=FSType #5
readOnly bool #6
portals []string list=atomic #7
chapAuthDiscovery bool goName=DiscoveryCHAPAuth #8
chapAuthSession bool goName=SessionCHAPAuth #11
secretRef *core.SecretReference #10
initiatorName *string #12`,
  'core.ISCSIVolumeSource': `targetPortal string always required #1
iqn string always required goName=IQN #2
lun int32 always required #3
iscsiInterface string default="default" goName=ISCSIInterface #4
fsType string goName=FSType #5
readOnly bool #6
portals []string list=atomic #7
chapAuthDiscovery bool goName=DiscoveryCHAPAuth #8
chapAuthSession bool goName=SessionCHAPAuth #11
secretRef *core.LocalObjectReference #10
initiatorName *string #12`,
  'core.ImageVolumeSource': `reference string #1
pullPolicy string enum=Always|IfNotPresent|Never goType=v1.PullPolicy #2`,
  'core.ImageVolumeStatus': `imageRef string required #1`,
  'core.KeyToPath': `key string always required #1
path string always required #2
mode *int32 #3
user *int64 gate=AtomicWriteVolumeUserFields #4`,
  'core.Lifecycle': `postStart *core.LifecycleHandler #1
preStop *core.LifecycleHandler #2
stopSignal *string enum=SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ goType=v1.Signal #3`,
  'core.LifecycleHandler': `exec *core.ExecAction #1
httpGet *core.HTTPGetAction goName=HTTPGet #2
tcpSocket *core.TCPSocketAction goName=TCPSocket #3
sleep *core.SleepAction #4`,
  'core.LimitRange': `$typeMeta object
spec core.LimitRangeSpec #2`,
  'core.LimitRangeItem': `type string always required goType=v1.LimitType #1
max map Quantity goType=v1.ResourceList #2
min map Quantity goType=v1.ResourceList #3
default map Quantity goType=v1.ResourceList #4
defaultRequest map Quantity goType=v1.ResourceList #5
maxLimitRequestRatio map Quantity goType=v1.ResourceList #6`,
  'core.LimitRangeSpec': `limits []core.LimitRangeItem always required list=atomic #1`,
  'core.LinuxContainerUser': `uid int64 always required goName=UID #1
gid int64 always required goName=GID #2
supplementalGroups []int64 list=atomic #3`,
  'core.LoadBalancerIngress': `ip string goName=IP #1
hostname string #2
ipMode *string goType=v1.LoadBalancerIPMode goName=IPMode #3
ports []core.PortStatus list=atomic #4`,
  'core.LoadBalancerStatus': `ingress []core.LoadBalancerIngress list=atomic #1`,
  'core.LocalObjectReference': `$struct atomic
name string default="" #1`,
  'core.LocalVolumeSource': `path string always required #1
fsType *string goName=FSType #2`,
  'core.ModifyVolumeStatus': `targetVolumeAttributesClassName string #1
status string always required enum=InProgress|Infeasible|Pending goType=v1.PersistentVolumeClaimModifyVolumeStatus #2`,
  'core.NFSVolumeSource': `server string always required #1
path string always required #2
readOnly bool #3`,
  'core.Namespace': `$typeMeta object
spec core.NamespaceSpec #2
status core.NamespaceStatus #3`,
  'core.NamespaceCondition': `type string always required goType=v1.NamespaceConditionType #1
status string always required goType=v1.ConditionStatus #2
lastTransitionTime Time #4
reason string #5
message string #6`,
  'core.NamespaceSpec': `finalizers []string list=atomic goType=[]v1.FinalizerName #1`,
  'core.NamespaceStatus': `phase string enum=Active|Terminating goType=v1.NamespacePhase #1
conditions []core.NamespaceCondition patch=merge mergeKey=type list=map keys=type #2`,
  'core.Node': `$typeMeta object
spec core.NodeSpec #2
status core.NodeStatus #3`,
  'core.NodeAddress': `type string always required goType=v1.NodeAddressType #1
address string always required #2`,
  'core.NodeAffinity': `requiredDuringSchedulingIgnoredDuringExecution *core.NodeSelector #1
preferredDuringSchedulingIgnoredDuringExecution []core.PreferredSchedulingTerm list=atomic #2`,
  'core.NodeAllocatableMappedResources': `name string always required goType=v1.ResourceName #1
quantity *Quantity always required #2`,
  'core.NodeAllocatableOverheadResources': `name string always required goType=v1.ResourceName #1
perPod *Quantity #2
perContainer *Quantity #3`,
  'core.NodeAllocatableResourceClaimStatus': `resourceClaimName string always required #1
containers []string list=set #2
mapping []core.NodeAllocatableMappedResources patch=merge mergeKey=name list=map keys=name #4
overhead []core.NodeAllocatableOverheadResources patch=merge mergeKey=name list=map keys=name #5`,
  'core.NodeCondition': `type string always required goType=v1.NodeConditionType #1
status string always required goType=v1.ConditionStatus #2
lastHeartbeatTime Time #3
lastTransitionTime Time #4
reason string #5
message string #6`,
  'core.NodeConfigSource': `configMap *core.ConfigMapNodeConfigSource #2`,
  'core.NodeConfigStatus': `assigned *core.NodeConfigSource #1
active *core.NodeConfigSource #2
lastKnownGood *core.NodeConfigSource #3
error string #4`,
  'core.NodeDaemonEndpoints': `kubeletEndpoint core.DaemonEndpoint #1`,
  'core.NodeFeatures': `supplementalGroupsPolicy *bool #1`,
  'core.NodePodPreemptionPolicy': `disableResizePreemption []string list=set #1`,
  'core.NodeRuntimeHandler': `name string always #1
features *core.NodeRuntimeHandlerFeatures #2`,
  'core.NodeRuntimeHandlerFeatures': `recursiveReadOnlyMounts *bool #1
userNamespaces *bool #2`,
  'core.NodeSelector': `$struct atomic
nodeSelectorTerms []core.NodeSelectorTerm always required list=atomic #1`,
  'core.NodeSelectorRequirement': `key string always required #1
operator string always required enum=DoesNotExist|Exists|Gt|In|Lt|NotIn goType=v1.NodeSelectorOperator #2
values []string list=atomic #3`,
  'core.NodeSelectorTerm': `$struct atomic
matchExpressions []core.NodeSelectorRequirement list=atomic #1
matchFields []core.NodeSelectorRequirement list=atomic #2`,
  'core.NodeSpec': `podCIDR string #1
podCIDRs []string patch=merge list=set #7
providerID string #3
unschedulable bool #4
taints []core.Taint list=atomic #5
configSource *core.NodeConfigSource #6
externalID string goName=DoNotUseExternalID #2
podPreemptionPolicy *core.NodePodPreemptionPolicy gate=InPlacePodVerticalScalingSchedulerPreemption #8`,
  'core.NodeStatus': `capacity map Quantity goType=v1.ResourceList #1
allocatable map Quantity goType=v1.ResourceList #2
phase string enum=Pending|Running|Terminated goType=v1.NodePhase #3
conditions []core.NodeCondition patch=merge mergeKey=type list=map keys=type #4
addresses []core.NodeAddress patch=merge mergeKey=type list=map keys=type #5
daemonEndpoints core.NodeDaemonEndpoints #6
nodeInfo core.NodeSystemInfo #7
images []core.ContainerImage list=atomic #8
volumesInUse []string list=atomic goType=[]v1.UniqueVolumeName #9
volumesAttached []core.AttachedVolume list=atomic #10
config *core.NodeConfigStatus #11
runtimeHandlers []core.NodeRuntimeHandler list=atomic #12
features *core.NodeFeatures #13
declaredFeatures []string list=atomic #14`,
  'core.NodeSwapStatus': `capacity *int64 #1`,
  'core.NodeSystemInfo': `machineID string always required #1
systemUUID string always required #2
bootID string always required #3
kernelVersion string always required #4
osImage string always required goName=OSImage #5
containerRuntimeVersion string always required #6
kubeletVersion string always required #7
kubeProxyVersion string always required #8
operatingSystem string always required #9
architecture string always required #10
swap *core.NodeSwapStatus #11
runningInUserNamespace *bool gate=KubeletInUserNamespace #12`,
  'core.ObjectFieldSelector': `$struct atomic
apiVersion string goName=APIVersion #1
fieldPath string always required #2`,
  'core.ObjectReference': `$struct atomic
kind string #1
namespace string #2
name string #3
uid string goType=types.UID goName=UID #4
apiVersion string goName=APIVersion #5
resourceVersion string #6
fieldPath string #7`,
  'core.PersistentVolume': `$typeMeta object
spec core.PersistentVolumeSpec #2
status core.PersistentVolumeStatus #3`,
  'core.PersistentVolumeClaim': `$typeMeta object
spec core.PersistentVolumeClaimSpec #2
status core.PersistentVolumeClaimStatus #3`,
  'core.PersistentVolumeClaimCondition': `type string always required goType=v1.PersistentVolumeClaimConditionType #1
status string always required goType=v1.ConditionStatus #2
lastProbeTime Time #3
lastTransitionTime Time #4
reason string #5
message string #6`,
  'core.PersistentVolumeClaimSpec': `accessModes []string list=atomic goType=[]v1.PersistentVolumeAccessMode #1
selector *meta.LabelSelector #4
resources core.VolumeResourceRequirements #2
volumeName string #3
storageClassName *string #5
volumeMode *string enum=Block|Filesystem goType=v1.PersistentVolumeMode #6
dataSource *core.TypedLocalObjectReference #7
dataSourceRef *core.TypedObjectReference #8
volumeAttributesClassName *string #9`,
  'core.PersistentVolumeClaimStatus': `phase string enum=Bound|Lost|Pending goType=v1.PersistentVolumeClaimPhase #1
accessModes []string list=atomic goType=[]v1.PersistentVolumeAccessMode #2
capacity map Quantity goType=v1.ResourceList #3
conditions []core.PersistentVolumeClaimCondition patch=merge mergeKey=type list=map keys=type #4
allocatedResources map Quantity goType=v1.ResourceList #5
allocatedResourceStatuses map string map=granular goType=map[v1.ResourceName]v1.ClaimResourceStatus #7
currentVolumeAttributesClassName *string #8
modifyVolumeStatus *core.ModifyVolumeStatus #9
healthStatus *core.VolumeHealthStatus gate=CSIVolumeHealth #10`,
  'core.PersistentVolumeClaimTemplate': `metadata meta.ObjectMeta goName=ObjectMeta #1
spec core.PersistentVolumeClaimSpec always required #2`,
  'core.PersistentVolumeClaimVolumeSource': `claimName string always required #1
readOnly bool #2`,
  'core.PersistentVolumeSpec': `capacity map Quantity goType=v1.ResourceList #1
gcePersistentDisk *core.GCEPersistentDiskVolumeSource goName=GCEPersistentDisk in=PersistentVolumeSource #2.1
awsElasticBlockStore *core.AWSElasticBlockStoreVolumeSource goName=AWSElasticBlockStore in=PersistentVolumeSource #2.2
hostPath *core.HostPathVolumeSource in=PersistentVolumeSource #2.3
glusterfs *core.GlusterfsPersistentVolumeSource in=PersistentVolumeSource #2.4
nfs *core.NFSVolumeSource goName=NFS in=PersistentVolumeSource #2.5
rbd *core.RBDPersistentVolumeSource goName=RBD in=PersistentVolumeSource #2.6
iscsi *core.ISCSIPersistentVolumeSource goName=ISCSI in=PersistentVolumeSource #2.7
cinder *core.CinderPersistentVolumeSource in=PersistentVolumeSource #2.8
cephfs *core.CephFSPersistentVolumeSource goName=CephFS in=PersistentVolumeSource #2.9
fc *core.FCVolumeSource goName=FC in=PersistentVolumeSource #2.10
flocker *core.FlockerVolumeSource in=PersistentVolumeSource #2.11
flexVolume *core.FlexPersistentVolumeSource in=PersistentVolumeSource #2.12
azureFile *core.AzureFilePersistentVolumeSource in=PersistentVolumeSource #2.13
vsphereVolume *core.VsphereVirtualDiskVolumeSource in=PersistentVolumeSource #2.14
quobyte *core.QuobyteVolumeSource in=PersistentVolumeSource #2.15
azureDisk *core.AzureDiskVolumeSource in=PersistentVolumeSource #2.16
photonPersistentDisk *core.PhotonPersistentDiskVolumeSource in=PersistentVolumeSource #2.17
portworxVolume *core.PortworxVolumeSource in=PersistentVolumeSource #2.18
scaleIO *core.ScaleIOPersistentVolumeSource in=PersistentVolumeSource #2.19
local *core.LocalVolumeSource in=PersistentVolumeSource #2.20
storageos *core.StorageOSPersistentVolumeSource goName=StorageOS in=PersistentVolumeSource #2.21
csi *core.CSIPersistentVolumeSource goName=CSI in=PersistentVolumeSource #2.22
accessModes []string list=atomic goType=[]v1.PersistentVolumeAccessMode #3
claimRef *core.ObjectReference struct=granular #4
persistentVolumeReclaimPolicy string enum=Delete|Recycle|Retain goType=v1.PersistentVolumeReclaimPolicy #5
storageClassName string #6
mountOptions []string list=atomic #7
volumeMode *string enum=Block|Filesystem goType=v1.PersistentVolumeMode #8
nodeAffinity *core.VolumeNodeAffinity #9
volumeAttributesClassName *string #10`,
  'core.PersistentVolumeStatus': `phase string enum=Available|Bound|Failed|Pending|Released goType=v1.PersistentVolumePhase #1
message string #2
reason string #3
lastPhaseTransitionTime *Time #4`,
  'core.PhotonPersistentDiskVolumeSource': `pdID string always required #1
fsType string goName=FSType #2`,
  'core.Pod': `$typeMeta object
spec core.PodSpec #2
status core.PodStatus #3`,
  'core.PodAffinity': `requiredDuringSchedulingIgnoredDuringExecution []core.PodAffinityTerm list=atomic #1
preferredDuringSchedulingIgnoredDuringExecution []core.WeightedPodAffinityTerm list=atomic #2`,
  'core.PodAffinityTerm': `labelSelector *meta.LabelSelector #1
namespaces []string list=atomic #2
topologyKey string always required #3
namespaceSelector *meta.LabelSelector #4
matchLabelKeys []string list=atomic #5
mismatchLabelKeys []string list=atomic #6`,
  'core.PodAntiAffinity': `requiredDuringSchedulingIgnoredDuringExecution []core.PodAffinityTerm list=atomic #1
preferredDuringSchedulingIgnoredDuringExecution []core.WeightedPodAffinityTerm list=atomic #2`,
  'core.PodCertificateProjection': `signerName string required #1
keyType string required #2
maxExpirationSeconds *int32 #3
credentialBundlePath string #4
keyPath string #5
certificateChainPath string #6
userAnnotations map string #7
user *int64 gate=AtomicWriteVolumeUserFields #8`,
  'core.PodCondition': `type string always required goType=v1.PodConditionType #1
observedGeneration int64 #7
status string always required goType=v1.ConditionStatus #2
lastProbeTime Time #3
lastTransitionTime Time #4
reason string #5
message string #6`,
  'core.PodDNSConfig': `nameservers []string list=atomic #1
searches []string list=atomic #2
options []core.PodDNSConfigOption list=atomic #3`,
  'core.PodDNSConfigOption': `name string #1
value *string #2`,
  'core.PodExtendedResourceClaimStatus': `requestMappings []core.ContainerExtendedResourceRequest always required list=atomic #1
resourceClaimName string always required #2`,
  'core.PodIP': `ip string always required goName=IP #1`,
  'core.PodOS': `name string always required goType=v1.OSName #1`,
  'core.PodReadinessGate': `conditionType string always required goType=v1.PodConditionType #1`,
  'core.PodResourceClaim': `name string always required #1
resourceClaimName *string #3
resourceClaimTemplateName *string #4`,
  'core.PodResourceClaimStatus': `name string always required #1
resourceClaimName *string #2`,
  'core.PodSchedulingGate': `name string always required #1`,
  'core.PodSchedulingGroup': `podGroupName *string #1`,
  'core.PodSecurityContext': `seLinuxOptions *core.SELinuxOptions goName=SELinuxOptions #1
windowsOptions *core.WindowsSecurityContextOptions #8
runAsUser *int64 #2
runAsGroup *int64 #6
runAsNonRoot *bool #3
supplementalGroups []int64 list=atomic #4
supplementalGroupsPolicy *string enum=Merge|Strict goType=v1.SupplementalGroupsPolicy #12
fsGroup *int64 goName=FSGroup #5
sysctls []core.Sysctl list=atomic #7
fsGroupChangePolicy *string enum=Always|OnRootMismatch goType=v1.PodFSGroupChangePolicy goName=FSGroupChangePolicy #9
seccompProfile *core.SeccompProfile #10
appArmorProfile *core.AppArmorProfile #11
seLinuxChangePolicy *string goType=v1.PodSELinuxChangePolicy goName=SELinuxChangePolicy #13`,
  'core.PodSpec': `volumes []core.Volume patch=merge,retainKeys mergeKey=name list=map keys=name #1
initContainers []core.Container patch=merge mergeKey=name list=map keys=name #20
containers []core.Container always required patch=merge mergeKey=name list=map keys=name #2
ephemeralContainers []core.EphemeralContainer patch=merge mergeKey=name list=map keys=name #34
restartPolicy string enum=Always|Never|OnFailure goType=v1.RestartPolicy #3
terminationGracePeriodSeconds *int64 #4
activeDeadlineSeconds *int64 #5
dnsPolicy string enum=ClusterFirst|ClusterFirstWithHostNet|Default|None goType=v1.DNSPolicy goName=DNSPolicy #6
nodeSelector map string map=atomic #7
serviceAccountName string #8
serviceAccount string goName=DeprecatedServiceAccount #9
automountServiceAccountToken *bool #21
nodeName string #10
hostNetwork bool #11
hostPID bool #12
hostIPC bool #13
shareProcessNamespace *bool #27
securityContext *core.PodSecurityContext #14
imagePullSecrets []core.LocalObjectReference patch=merge mergeKey=name list=map keys=name #15
hostname string #16
subdomain string #17
affinity *core.Affinity #18
schedulerName string #19
tolerations []core.Toleration list=atomic #22
hostAliases []core.HostAlias patch=merge mergeKey=ip list=map keys=ip #23
priorityClassName string #24
priority *int32 #25
dnsConfig *core.PodDNSConfig goName=DNSConfig #26
readinessGates []core.PodReadinessGate list=atomic #28
runtimeClassName *string #29
enableServiceLinks *bool #30
preemptionPolicy *string enum=Never|PreemptLowerPriority goType=v1.PreemptionPolicy #31
overhead map Quantity goType=v1.ResourceList #32
topologySpreadConstraints []core.TopologySpreadConstraint patch=merge mergeKey=topologyKey list=map keys=topologyKey+whenUnsatisfiable #33
setHostnameAsFQDN *bool #35
os *core.PodOS goName=OS #36
hostUsers *bool #37
schedulingGates []core.PodSchedulingGate patch=merge mergeKey=name list=map keys=name #38
resourceClaims []core.PodResourceClaim patch=merge,retainKeys mergeKey=name list=map keys=name #39
resources *core.ResourceRequirements gate=PodLevelResources #40
hostnameOverride *string #41
schedulingGroup *core.PodSchedulingGroup gate=GenericWorkload #43
evictionResponders []core.EvictionResponder patch=merge mergeKey=name list=map keys=name gate=EvictionRequestAPI #44`,
  'core.PodStatus': `observedGeneration int64 #17
phase string enum=Failed|Pending|Running|Succeeded|Unknown goType=v1.PodPhase #1
conditions []core.PodCondition patch=merge mergeKey=type list=map keys=type #2
message string #3
reason string #4
nominatedNodeName string #11
hostIP string #5
hostIPs []core.HostIP patch=merge mergeKey=ip list=atomic #16
podIP string #6
podIPs []core.PodIP patch=merge mergeKey=ip list=map keys=ip #12
startTime *Time #7
initContainerStatuses []core.ContainerStatus list=atomic #10
containerStatuses []core.ContainerStatus list=atomic #8
qosClass string enum=BestEffort|Burstable|Guaranteed goType=v1.PodQOSClass goName=QOSClass #9
ephemeralContainerStatuses []core.ContainerStatus list=atomic #13
resize string goType=v1.PodResizeStatus #14
resourceClaimStatuses []core.PodResourceClaimStatus patch=merge,retainKeys mergeKey=name list=map keys=name #15
extendedResourceClaimStatus *core.PodExtendedResourceClaimStatus #18
allocatedResources map Quantity gate=InPlacePodLevelResourcesVerticalScaling goType=v1.ResourceList #19
resources *core.ResourceRequirements gate=InPlacePodLevelResourcesVerticalScaling #20
nodeAllocatableResourceClaimStatuses []core.NodeAllocatableResourceClaimStatus patch=merge mergeKey=resourceClaimName list=map keys=resourceClaimName gate=DRANodeAllocatableResources #21
volumeHealth []core.PodVolumeHealth list=map keys=name gate=CSIVolumeHealth #22`,
  'core.PodTemplate': `$typeMeta object
template core.PodTemplateSpec #2`,
  'core.PodTemplateSpec': `metadata meta.ObjectMeta goName=ObjectMeta #1
spec core.PodSpec #2`,
  'core.PodVolumeHealth': `name string always required #1
healthConditions []core.VolumeHealthCondition patch=merge mergeKey=status list=map keys=status+reason #2
lastTransitionTime Time #3`,
  'core.PortStatus': `port int32 always required #1
protocol string always required enum=SCTP|TCP|UDP goType=v1.Protocol #2
error *string #3`,
  'core.PortworxVolumeSource': `volumeID string always required #1
fsType string goName=FSType #2
readOnly bool #3`,
  'core.PreferredSchedulingTerm': `weight int32 always required #1
preference core.NodeSelectorTerm always required #2`,
  'core.Probe': `exec *core.ExecAction in=ProbeHandler #1.1
httpGet *core.HTTPGetAction goName=HTTPGet in=ProbeHandler #1.2
tcpSocket *core.TCPSocketAction goName=TCPSocket in=ProbeHandler #1.3
grpc *core.GRPCAction goName=GRPC in=ProbeHandler #1.4
initialDelaySeconds int32 #2
timeoutSeconds int32 #3
periodSeconds int32 #4
successThreshold int32 #5
failureThreshold int32 #6
terminationGracePeriodSeconds *int64 #7`,
  'core.ProjectedVolumeSource': `sources []core.VolumeProjection always list=atomic #1
defaultMode *int32 #2
defaultUser *int64 gate=AtomicWriteVolumeUserFields #3`,
  'core.QuobyteVolumeSource': `registry string always required #1
volume string always required #2
readOnly bool #3
user string #4
group string #5
tenant string #6`,
  'core.RBDPersistentVolumeSource': `monitors []string always required list=atomic goName=CephMonitors #1
image string always required goName=RBDImage #2
fsType string goName=FSType #3
pool string default="rbd" goName=RBDPool #4
user string default="admin" goName=RadosUser #5
keyring string default="/etc/ceph/keyring" #6
secretRef *core.SecretReference #7
readOnly bool #8`,
  'core.RBDVolumeSource': `monitors []string always required list=atomic goName=CephMonitors #1
image string always required goName=RBDImage #2
fsType string goName=FSType #3
pool string default="rbd" goName=RBDPool #4
user string default="admin" goName=RadosUser #5
keyring string default="/etc/ceph/keyring" #6
secretRef *core.LocalObjectReference #7
readOnly bool #8`,
  'core.ReplicationController': `$typeMeta object
spec core.ReplicationControllerSpec #2
status core.ReplicationControllerStatus #3`,
  'core.ReplicationControllerCondition': `type string always required goType=v1.ReplicationControllerConditionType #1
status string always required goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5`,
  'core.ReplicationControllerSpec': `replicas *int32 default=1 #1
minReadySeconds int32 default=0 #4
selector map string map=atomic #2
template *core.PodTemplateSpec #3`,
  'core.ReplicationControllerStatus': `replicas int32 always required #1
fullyLabeledReplicas int32 #2
readyReplicas int32 #4
availableReplicas int32 #5
observedGeneration int64 #3
conditions []core.ReplicationControllerCondition patch=merge mergeKey=type list=map keys=type #6`,
  'core.ResourceClaim': `name string always required #1
request string #2`,
  'core.ResourceFieldSelector': `$struct atomic
containerName string #1
resource string always required #2
divisor Quantity #3`,
  'core.ResourceHealth': `resourceID string always required goType=v1.ResourceID #1
health string goType=v1.ResourceHealthStatus #2
message *string gate=ResourceHealthStatusMessage #6`,
  'core.ResourceQuota': `$typeMeta object
spec core.ResourceQuotaSpec #2
status core.ResourceQuotaStatus #3`,
  'core.ResourceQuotaSpec': `hard map Quantity goType=v1.ResourceList #1
scopes []string list=atomic goType=[]v1.ResourceQuotaScope #2
scopeSelector *core.ScopeSelector #3`,
  'core.ResourceQuotaStatus': `hard map Quantity goType=v1.ResourceList #1
used map Quantity goType=v1.ResourceList #2`,
  'core.ResourceRequirements': `limits map Quantity goType=v1.ResourceList #1
requests map Quantity goType=v1.ResourceList #2
claims []core.ResourceClaim list=map keys=name #3`,
  'core.ResourceStatus': `name string always required goType=v1.ResourceName #1
resources []core.ResourceHealth list=map keys=resourceID #2`,
  'core.SELinuxOptions': `user string #1
role string #2
type string #3
level string #4`,
  'core.ScaleIOPersistentVolumeSource': `gateway string always required #1
system string always required #2
secretRef *core.SecretReference always required #3
sslEnabled bool goName=SSLEnabled #4
protectionDomain string #5
storagePool string #6
storageMode string default="ThinProvisioned" #7
volumeName string #8
fsType string default="xfs" goName=FSType #9
readOnly bool #10`,
  'core.ScaleIOVolumeSource': `gateway string always required #1
system string always required #2
secretRef *core.LocalObjectReference always required #3
sslEnabled bool goName=SSLEnabled #4
protectionDomain string #5
storagePool string #6
storageMode string default="ThinProvisioned" #7
volumeName string #8
fsType string default="xfs" goName=FSType #9
readOnly bool #10`,
  'core.ScopeSelector': `$struct atomic
matchExpressions []core.ScopedResourceSelectorRequirement list=atomic #1`,
  'core.ScopedResourceSelectorRequirement': `scopeName string always required enum=BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass goType=v1.ResourceQuotaScope #1
operator string always required enum=DoesNotExist|Exists|In|NotIn goType=v1.ScopeSelectorOperator #2
values []string list=atomic #3`,
  'core.SeccompProfile': `type string always required enum=Localhost|RuntimeDefault|Unconfined goType=v1.SeccompProfileType #1
localhostProfile *string #2`,
  'core.Secret': `$typeMeta object
immutable *bool #5
data map bytes #2
stringData map string #4
type string goType=v1.SecretType #3`,
  'core.SecretEnvSource': `name string default="" in=LocalObjectReference #1.1
optional *bool #2`,
  'core.SecretKeySelector': `$struct atomic
name string default="" in=LocalObjectReference #1.1
key string always required #2
optional *bool #3`,
  'core.SecretProjection': `name string default="" in=LocalObjectReference #1.1
items []core.KeyToPath list=atomic #2
optional *bool #4`,
  'core.SecretReference': `$struct atomic
name string #1
namespace string #2`,
  'core.SecretVolumeSource': `secretName string #1
items []core.KeyToPath list=atomic #2
defaultMode *int32 #3
optional *bool #4
defaultUser *int64 gate=AtomicWriteVolumeUserFields #5`,
  'core.SecurityContext': `capabilities *core.Capabilities #1
privileged *bool #2
seLinuxOptions *core.SELinuxOptions goName=SELinuxOptions #3
windowsOptions *core.WindowsSecurityContextOptions #10
runAsUser *int64 #4
runAsGroup *int64 #8
runAsNonRoot *bool #5
readOnlyRootFilesystem *bool #6
allowPrivilegeEscalation *bool #7
procMount *string enum=Default|Unmasked goType=v1.ProcMountType #9
seccompProfile *core.SeccompProfile #11
appArmorProfile *core.AppArmorProfile #12`,
  'core.Service': `$typeMeta object
spec core.ServiceSpec #2
status core.ServiceStatus #3`,
  'core.ServiceAccount': `$typeMeta object
secrets []core.ObjectReference patch=merge mergeKey=name list=map keys=name #2
imagePullSecrets []core.LocalObjectReference list=atomic #3
automountServiceAccountToken *bool #4`,
  'core.ServiceAccountTokenProjection': `audience string #1
expirationSeconds *int64 #2
path string always required #3
user *int64 gate=AtomicWriteVolumeUserFields #4`,
  'core.ServicePort': `name string #1
protocol string enum=SCTP|TCP|UDP default="TCP" goType=v1.Protocol #2
appProtocol *string #6
port int32 always required #3
targetPort IntOrString #4
nodePort int32 #5`,
  'core.ServiceSpec': `ports []core.ServicePort patch=merge mergeKey=port list=map keys=port+protocol #1
selector map string map=atomic #2
clusterIP string #3
clusterIPs []string list=atomic #18
type string enum=ClusterIP|ExternalName|LoadBalancer|NodePort goType=v1.ServiceType #4
externalIPs []string list=atomic #5
sessionAffinity string enum=ClientIP|None goType=v1.ServiceAffinity #7
loadBalancerIP string #8
loadBalancerSourceRanges []string list=atomic #9
externalName string #10
externalTrafficPolicy string enum=Cluster|Local goType=v1.ServiceExternalTrafficPolicy #11
healthCheckNodePort int32 #12
publishNotReadyAddresses bool #13
sessionAffinityConfig *core.SessionAffinityConfig #14
ipFamilies []string list=atomic goType=[]v1.IPFamily goName=IPFamilies #19
ipFamilyPolicy *string enum=PreferDualStack|RequireDualStack|SingleStack goType=v1.IPFamilyPolicy goName=IPFamilyPolicy #17
allocateLoadBalancerNodePorts *bool #20
loadBalancerClass *string #21
internalTrafficPolicy *string enum=Cluster|Local goType=v1.ServiceInternalTrafficPolicy #22
trafficDistribution *string #23`,
  'core.ServiceStatus': `loadBalancer core.LoadBalancerStatus #1
conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #2`,
  'core.SessionAffinityConfig': `clientIP *core.ClientIPConfig #1`,
  'core.SleepAction': `seconds int64 always required #1`,
  'core.StorageOSPersistentVolumeSource': `volumeName string #1
volumeNamespace string #2
fsType string goName=FSType #3
readOnly bool #4
secretRef *core.ObjectReference #5`,
  'core.StorageOSVolumeSource': `volumeName string #1
volumeNamespace string #2
fsType string goName=FSType #3
readOnly bool #4
secretRef *core.LocalObjectReference #5`,
  'core.Sysctl': `name string always required #1
value string always required #2`,
  'core.TCPSocketAction': `port IntOrString always required #1
host string #2`,
  'core.Taint': `key string always required #1
value string #2
effect string always required enum=NoExecute|NoSchedule|PreferNoSchedule goType=v1.TaintEffect #3
timeAdded *Time #4`,
  'core.Toleration': `key string #1
operator string enum=Equal|Exists|Gt|Lt goType=v1.TolerationOperator #2
value string #3
effect string enum=NoExecute|NoSchedule|PreferNoSchedule goType=v1.TaintEffect #4
tolerationSeconds *int64 #5`,
  'core.TopologySelectorLabelRequirement': `key string always required #1
values []string always required list=atomic #2`,
  'core.TopologySelectorTerm': `$struct atomic
matchLabelExpressions []core.TopologySelectorLabelRequirement list=atomic #1`,
  'core.TopologySpreadConstraint': `maxSkew int32 always required #1
topologyKey string always required #2
whenUnsatisfiable string always required enum=DoNotSchedule|ScheduleAnyway goType=v1.UnsatisfiableConstraintAction #3
labelSelector *meta.LabelSelector #4
minDomains *int32 #5
nodeAffinityPolicy *string enum=Honor|Ignore goType=v1.NodeInclusionPolicy #6
nodeTaintsPolicy *string enum=Honor|Ignore goType=v1.NodeInclusionPolicy #7
matchLabelKeys []string list=atomic #8`,
  'core.TypedLocalObjectReference': `$struct atomic
apiGroup *string always goName=APIGroup #1
kind string always required #2
name string always required #3`,
  'core.TypedObjectReference': `apiGroup *string always goName=APIGroup #1
kind string always required #2
name string always required #3
namespace *string gate=CrossNamespaceVolumeDataSource #4`,
  'core.Volume': `name string always required #1
hostPath *core.HostPathVolumeSource in=VolumeSource #2.1
emptyDir *core.EmptyDirVolumeSource in=VolumeSource #2.2
gcePersistentDisk *core.GCEPersistentDiskVolumeSource goName=GCEPersistentDisk in=VolumeSource #2.3
awsElasticBlockStore *core.AWSElasticBlockStoreVolumeSource goName=AWSElasticBlockStore in=VolumeSource #2.4
gitRepo *core.GitRepoVolumeSource in=VolumeSource #2.5
secret *core.SecretVolumeSource in=VolumeSource #2.6
nfs *core.NFSVolumeSource goName=NFS in=VolumeSource #2.7
iscsi *core.ISCSIVolumeSource goName=ISCSI in=VolumeSource #2.8
glusterfs *core.GlusterfsVolumeSource in=VolumeSource #2.9
persistentVolumeClaim *core.PersistentVolumeClaimVolumeSource in=VolumeSource #2.10
rbd *core.RBDVolumeSource goName=RBD in=VolumeSource #2.11
flexVolume *core.FlexVolumeSource in=VolumeSource #2.12
cinder *core.CinderVolumeSource in=VolumeSource #2.13
cephfs *core.CephFSVolumeSource goName=CephFS in=VolumeSource #2.14
flocker *core.FlockerVolumeSource in=VolumeSource #2.15
downwardAPI *core.DownwardAPIVolumeSource in=VolumeSource #2.16
fc *core.FCVolumeSource goName=FC in=VolumeSource #2.17
azureFile *core.AzureFileVolumeSource in=VolumeSource #2.18
configMap *core.ConfigMapVolumeSource in=VolumeSource #2.19
vsphereVolume *core.VsphereVirtualDiskVolumeSource in=VolumeSource #2.20
quobyte *core.QuobyteVolumeSource in=VolumeSource #2.21
azureDisk *core.AzureDiskVolumeSource in=VolumeSource #2.22
photonPersistentDisk *core.PhotonPersistentDiskVolumeSource in=VolumeSource #2.23
projected *core.ProjectedVolumeSource in=VolumeSource #2.26
portworxVolume *core.PortworxVolumeSource in=VolumeSource #2.24
scaleIO *core.ScaleIOVolumeSource in=VolumeSource #2.25
storageos *core.StorageOSVolumeSource goName=StorageOS in=VolumeSource #2.27
csi *core.CSIVolumeSource goName=CSI in=VolumeSource #2.28
ephemeral *core.EphemeralVolumeSource in=VolumeSource #2.29
image *core.ImageVolumeSource in=VolumeSource #2.30`,
  'core.VolumeDevice': `name string always required #1
devicePath string always required #2`,
  'core.VolumeHealthCondition': `status string always required enum=DataLoss|Degraded|Inaccessible goType=v1.VolumeHealthStatusType #1
reason string always required #2
message string #3`,
  'core.VolumeHealthStatus': `healthConditions []core.VolumeHealthCondition patch=merge mergeKey=status list=map keys=status+reason #1
lastTransitionTime Time #2`,
  'core.VolumeMount': `name string always required #1
readOnly bool #2
recursiveReadOnly *string goType=v1.RecursiveReadOnlyMode #7
mountPath string always required #3
subPath string #4
mountPropagation *string enum=Bidirectional|HostToContainer|None goType=v1.MountPropagationMode #5
subPathExpr string #6
bindMountOptions []string list=set gate=VolumeBindMountOptions #8`,
  'core.VolumeMountStatus': `name string always required #1
mountPath string always required #2
readOnly bool #3
recursiveReadOnly *string goType=v1.RecursiveReadOnlyMode #4
volumeStatus *core.VolumeStatus #5`,
  'core.VolumeNodeAffinity': `required *core.NodeSelector #1`,
  'core.VolumeProjection': `secret *core.SecretProjection #1
downwardAPI *core.DownwardAPIProjection #2
configMap *core.ConfigMapProjection #3
serviceAccountToken *core.ServiceAccountTokenProjection #4
clusterTrustBundle *core.ClusterTrustBundleProjection gate=ClusterTrustBundleProjection #5
podCertificate *core.PodCertificateProjection gate=PodCertificateRequest #6`,
  'core.VolumeResourceRequirements': `limits map Quantity goType=v1.ResourceList #1
requests map Quantity goType=v1.ResourceList #2`,
  'core.VolumeStatus': `image *core.ImageVolumeStatus gate=ImageVolumeWithDigest #1`,
  'core.VsphereVirtualDiskVolumeSource': `volumePath string always required #1
fsType string goName=FSType #2
storagePolicyName string #3
storagePolicyID string #4`,
  'core.WeightedPodAffinityTerm': `weight int32 always required #1
podAffinityTerm core.PodAffinityTerm always required #2`,
  'core.WindowsSecurityContextOptions': `gmsaCredentialSpecName *string goName=GMSACredentialSpecName #1
gmsaCredentialSpec *string goName=GMSACredentialSpec #2
runAsUserName *string #3
hostProcess *bool #4`,
  'discovery.Endpoint': `addresses []string always required list=set #1
conditions discovery.EndpointConditions #2
hostname *string #3
targetRef *core.ObjectReference #4
deprecatedTopology map string #5
nodeName *string #6
zone *string #7
hints *discovery.EndpointHints #8`,
  'discovery.EndpointConditions': `ready *bool #1
serving *bool #2
terminating *bool #3`,
  'discovery.EndpointHints': `forZones []discovery.ForZone list=atomic #1
forNodes []discovery.ForNode list=atomic #2`,
  'discovery.EndpointPort': `$struct atomic
name *string #1
protocol *string enum=SCTP|TCP|UDP goType=v1.Protocol #2
port *int32 #3
appProtocol *string #4`,
  'discovery.EndpointSlice': `$typeMeta object
addressType string always required enum=FQDN|IPv4|IPv6 goType=v1.AddressType #4
endpoints []discovery.Endpoint always list=atomic #2
ports []discovery.EndpointPort always list=atomic #3`,
  'discovery.ForNode': `name string always required #1`,
  'discovery.ForZone': `name string always required #1`,
  'events.Event': `$typeMeta inline
metadata meta.ObjectMeta always goName=ObjectMeta #1
eventTime MicroTime always required #2
series *events.EventSeries #3
reportingController string #4
reportingInstance string #5
action string #6
reason string #7
regarding core.ObjectReference #8
related *core.ObjectReference #9
note string #10
type string #11
deprecatedSource core.EventSource #12
deprecatedFirstTimestamp Time #13
deprecatedLastTimestamp Time #14
deprecatedCount int32 #15`,
  'events.EventSeries': `count int32 always required #1
lastObservedTime MicroTime always required #2`,
  'flowcontrol.ExemptPriorityLevelConfiguration': `nominalConcurrencyShares *int32 #1
lendablePercent *int32 #2`,
  'flowcontrol.FlowDistinguisherMethod': `type string always required goType=v1.FlowDistinguisherMethodType #1`,
  'flowcontrol.FlowSchema': `$typeMeta object
spec flowcontrol.FlowSchemaSpec required #2
status flowcontrol.FlowSchemaStatus #3`,
  'flowcontrol.FlowSchemaCondition': `type string required goType=v1.FlowSchemaConditionType #1
status string goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5`,
  'flowcontrol.FlowSchemaSpec': `priorityLevelConfiguration flowcontrol.PriorityLevelConfigurationReference always required #1
matchingPrecedence int32 always #2
distinguisherMethod *flowcontrol.FlowDistinguisherMethod #3
rules []flowcontrol.PolicyRulesWithSubjects list=atomic #4`,
  'flowcontrol.FlowSchemaStatus': `conditions []flowcontrol.FlowSchemaCondition patch=merge mergeKey=type list=map keys=type #1`,
  'flowcontrol.GroupSubject': `name string always required #1`,
  'flowcontrol.LimitResponse': `type string always required goType=v1.LimitResponseType #1
queuing *flowcontrol.QueuingConfiguration #2`,
  'flowcontrol.LimitedPriorityLevelConfiguration': `nominalConcurrencyShares *int32 always #1
limitResponse flowcontrol.LimitResponse required #2
lendablePercent *int32 #3
borrowingLimitPercent *int32 #4`,
  'flowcontrol.NonResourcePolicyRule': `verbs []string always required list=set #1
nonResourceURLs []string always required list=set #6`,
  'flowcontrol.PolicyRulesWithSubjects': `subjects []flowcontrol.Subject always required list=atomic #1
resourceRules []flowcontrol.ResourcePolicyRule list=atomic #2
nonResourceRules []flowcontrol.NonResourcePolicyRule list=atomic #3`,
  'flowcontrol.PriorityLevelConfiguration': `$typeMeta object
spec flowcontrol.PriorityLevelConfigurationSpec required #2
status flowcontrol.PriorityLevelConfigurationStatus #3`,
  'flowcontrol.PriorityLevelConfigurationCondition': `type string required goType=v1.PriorityLevelConfigurationConditionType #1
status string goType=v1.ConditionStatus #2
lastTransitionTime Time #3
reason string #4
message string #5`,
  'flowcontrol.PriorityLevelConfigurationReference': `name string always required #1`,
  'flowcontrol.PriorityLevelConfigurationSpec': `type string always required goType=v1.PriorityLevelEnablement #1
limited *flowcontrol.LimitedPriorityLevelConfiguration #2
exempt *flowcontrol.ExemptPriorityLevelConfiguration #3`,
  'flowcontrol.PriorityLevelConfigurationStatus': `conditions []flowcontrol.PriorityLevelConfigurationCondition patch=merge mergeKey=type list=map keys=type #1`,
  'flowcontrol.QueuingConfiguration': `queues int32 always #1
handSize int32 always #2
queueLengthLimit int32 always #3`,
  'flowcontrol.ResourcePolicyRule': `verbs []string always required list=set #1
apiGroups []string always required list=set goName=APIGroups #2
resources []string always required list=set #3
clusterScope bool #4
namespaces []string always list=set #5`,
  'flowcontrol.ServiceAccountSubject': `namespace string always required #1
name string always required #2`,
  'flowcontrol.Subject': `kind string always required goType=v1.SubjectKind #1
user *flowcontrol.UserSubject #2
group *flowcontrol.GroupSubject #3
serviceAccount *flowcontrol.ServiceAccountSubject #4`,
  'flowcontrol.UserSubject': `name string always required #1`,
  'lifecycle/v1alpha1.Eviction': `$typeMeta object
spec lifecycle/v1alpha1.EvictionSpec always required #2
status lifecycle/v1alpha1.EvictionStatus #3`,
  'lifecycle/v1alpha1.EvictionPodReference': `name string always required #1
uid string always required goType=types.UID goName=UID #2`,
  'lifecycle/v1alpha1.EvictionRequest': `$typeMeta object
spec lifecycle/v1alpha1.EvictionRequestSpec always required #2
status lifecycle/v1alpha1.EvictionRequestStatus #3`,
  'lifecycle/v1alpha1.EvictionRequestPodReference': `name string always required #1
uid string always required goType=types.UID goName=UID #2`,
  'lifecycle/v1alpha1.EvictionRequestSpec': `target lifecycle/v1alpha1.EvictionRequestTarget always required #1
requester string always required #2
intent string always required enum=Eviction|Withdrawn goType=v1alpha1.EvictionRequestIntent #3`,
  'lifecycle/v1alpha1.EvictionRequestStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1
observedGeneration *int64 #2`,
  'lifecycle/v1alpha1.EvictionRequestTarget': `pod *lifecycle/v1alpha1.EvictionRequestPodReference #1`,
  'lifecycle/v1alpha1.EvictionSpec': `target lifecycle/v1alpha1.EvictionTarget always required #1`,
  'lifecycle/v1alpha1.EvictionStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1
observedGeneration *int64 #2
requesters []lifecycle/v1alpha1.Requester patch=merge mergeKey=name list=map keys=name #3
targetResponders []lifecycle/v1alpha1.TargetResponder patch=merge mergeKey=name list=map keys=name #4
responders []lifecycle/v1alpha1.ResponderStatus patch=merge mergeKey=name list=map keys=name #5`,
  'lifecycle/v1alpha1.EvictionTarget': `pod *lifecycle/v1alpha1.EvictionPodReference #1`,
  'lifecycle/v1alpha1.Requester': `$struct atomic
name string always required #1
intent string always required enum=Eviction|Withdrawn goType=v1alpha1.RequesterIntent #2`,
  'lifecycle/v1alpha1.ResponderStatus': `name string always required #1
startTime *Time #2
heartbeatTime *Time #3
expectedCompletionTime *Time #4
completionTime *Time #5
message *string #6`,
  'lifecycle/v1alpha1.TargetResponder': `$struct atomic
name string always required #1
priority *int32 always required #2
state string always required enum=Active|Canceled|Completed|Inactive|Interrupted goType=v1alpha1.ResponderStateType #3`,
  'meta.APIResource': `name string always required #1
singularName string always required #6
namespaced bool always required #2
group string #8
version string #9
kind string always required #3
verbs []string always required goType=v1.Verbs #4
shortNames []string list=atomic #5
categories []string list=atomic #7
storageVersionHash string #10`,
  'meta.Condition': `type string always required #1
status string always required goType=v1.ConditionStatus #2
observedGeneration int64 #3
lastTransitionTime Time always required #4
reason string always required #5
message string always required #6`,
  'meta.DeleteOptions': `$typeMeta inline
gracePeriodSeconds *int64 #1
preconditions *meta.Preconditions #2
orphanDependents *bool #3
propagationPolicy *string goType=v1.DeletionPropagation #4
dryRun []string list=atomic #5
ignoreStoreReadErrorWithClusterBreakingPotential *bool #6`,
  'meta.FieldSelectorRequirement': `key string always required #1
operator string always required goType=v1.FieldSelectorOperator #2
values []string list=atomic #3`,
  'meta.GroupResource': `group string always required #1
resource string always required #2`,
  'meta.LabelSelector': `$struct atomic
matchLabels map string #1
matchExpressions []meta.LabelSelectorRequirement list=atomic #2`,
  'meta.LabelSelectorRequirement': `key string always required #1
operator string always required goType=v1.LabelSelectorOperator #2
values []string list=atomic #3`,
  'meta.ListMeta': `selfLink string #1
resourceVersion string #2
continue string #3
remainingItemCount *int64 #4
shardInfo *meta.ShardInfo gate=ShardedListAndWatch #5`,
  'meta.ManagedFieldsEntry': `manager string #1
operation string goType=v1.ManagedFieldsOperationType #2
apiVersion string goName=APIVersion #3
time *Time #4
fieldsType string #6
fieldsV1 *any goType=v1.FieldsV1 #7
subresource string #8`,
  'meta.ObjectMeta': `name string #1
generateName string #2
namespace string #3
selfLink string #4
uid string goType=types.UID goName=UID #5
resourceVersion string #6
generation int64 #7
creationTimestamp Time omitzero #8
deletionTimestamp *Time #9
deletionGracePeriodSeconds *int64 #10
labels map string #11
annotations map string #12
ownerReferences []meta.OwnerReference patch=merge mergeKey=uid list=map keys=uid #13
finalizers []string patch=merge list=set #14
managedFields []meta.ManagedFieldsEntry list=atomic #17`,
  'meta.OwnerReference': `$struct atomic
apiVersion string always required goName=APIVersion #5
kind string always required #1
name string always required #3
uid string always required goType=types.UID goName=UID #4
controller *bool #6
blockOwnerDeletion *bool #7`,
  'meta.Preconditions': `uid *string goType=types.UID goName=UID #1
resourceVersion *string #2`,
  'meta.ShardInfo': `selector string always required #1`,
  'meta.Status': `$typeMeta inline
metadata meta.ListMeta goName=ListMeta #1
status string #2
message string #3
reason string goType=v1.StatusReason #4
details *meta.StatusDetails #5
code int32 #6`,
  'meta.StatusCause': `reason string goType=v1.CauseType goName=Type #1
message string #2
field string #3`,
  'meta.StatusDetails': `name string #1
group string #2
kind string #3
uid string goType=types.UID goName=UID #6
causes []meta.StatusCause list=atomic #4
retryAfterSeconds int32 #5`,
  'metrics/v1beta1.ContainerMetrics': `name string always required #1
usage map Quantity always required goType=v1.ResourceList #2`,
  'metrics/v1beta1.NodeMetrics': `$typeMeta object
timestamp Time always required #2
window string always required goType=v1.Duration #3
usage map Quantity always required goType=v1.ResourceList #4`,
  'metrics/v1beta1.PodMetrics': `$typeMeta object
timestamp Time always required #2
window string always required goType=v1.Duration #3
containers []metrics/v1beta1.ContainerMetrics always required list=atomic #4`,
  'networking.HTTPIngressPath': `path string #1
pathType *string always required enum=Exact|ImplementationSpecific|Prefix goType=v1.PathType #3
backend networking.IngressBackend always required #2`,
  'networking.HTTPIngressRuleValue': `paths []networking.HTTPIngressPath always required list=atomic #1`,
  'networking.IPAddress': `$typeMeta object
spec networking.IPAddressSpec required #2`,
  'networking.IPAddressSpec': `parentRef *networking.ParentReference required #1`,
  'networking.IPBlock': `cidr string always required goName=CIDR #1
except []string list=atomic #2`,
  'networking.Ingress': `$typeMeta object
spec networking.IngressSpec #2
status networking.IngressStatus #3`,
  'networking.IngressBackend': `service *networking.IngressServiceBackend #4
resource *core.TypedLocalObjectReference #3`,
  'networking.IngressClass': `$typeMeta object
spec networking.IngressClassSpec #2`,
  'networking.IngressClassParametersReference': `apiGroup *string goName=APIGroup #1
kind string always required #2
name string always required #3
scope *string always #4
namespace *string #5`,
  'networking.IngressClassSpec': `controller string #1
parameters *networking.IngressClassParametersReference #2`,
  'networking.IngressLoadBalancerIngress': `ip string goName=IP #1
hostname string #2
ports []networking.IngressPortStatus list=atomic #4`,
  'networking.IngressLoadBalancerStatus': `ingress []networking.IngressLoadBalancerIngress list=atomic #1`,
  'networking.IngressPortStatus': `port int32 always required #1
protocol string always required enum=SCTP|TCP|UDP goType=v1.Protocol #2
error *string #3`,
  'networking.IngressRule': `host string #1
http *networking.HTTPIngressRuleValue goName=HTTP in=IngressRuleValue #2.1`,
  'networking.IngressServiceBackend': `name string always required #1
port networking.ServiceBackendPort #2`,
  'networking.IngressSpec': `ingressClassName *string #4
defaultBackend *networking.IngressBackend #1
tls []networking.IngressTLS list=atomic goName=TLS #2
rules []networking.IngressRule list=atomic #3`,
  'networking.IngressStatus': `loadBalancer networking.IngressLoadBalancerStatus #1`,
  'networking.IngressTLS': `hosts []string list=atomic #1
secretName string #2`,
  'networking.NetworkPolicy': `$typeMeta object
spec networking.NetworkPolicySpec #2`,
  'networking.NetworkPolicyEgressRule': `ports []networking.NetworkPolicyPort list=atomic #1
to []networking.NetworkPolicyPeer list=atomic #2`,
  'networking.NetworkPolicyIngressRule': `ports []networking.NetworkPolicyPort list=atomic #1
from []networking.NetworkPolicyPeer list=atomic #2`,
  'networking.NetworkPolicyPeer': `podSelector *meta.LabelSelector #1
namespaceSelector *meta.LabelSelector #2
ipBlock *networking.IPBlock goName=IPBlock #3`,
  'networking.NetworkPolicyPort': `protocol *string enum=SCTP|TCP|UDP goType=v1.Protocol #1
port *IntOrString #2
endPort *int32 #3`,
  'networking.NetworkPolicySpec': `podSelector meta.LabelSelector always #1
ingress []networking.NetworkPolicyIngressRule list=atomic #2
egress []networking.NetworkPolicyEgressRule list=atomic #3
policyTypes []string list=atomic goType=[]v1.PolicyType #4`,
  'networking.ParentReference': `group string #1
resource string required #2
namespace string #3
name string required #4`,
  'networking.ServiceBackendPort': `$struct atomic
name string #1
number int32 #2`,
  'networking.ServiceCIDR': `$typeMeta object
spec networking.ServiceCIDRSpec #2
status networking.ServiceCIDRStatus #3`,
  'networking.ServiceCIDRSpec': `cidrs []string list=atomic goName=CIDRs #1`,
  'networking.ServiceCIDRStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1`,
  'node.Overhead': `podFixed map Quantity goType=v1.ResourceList #1`,
  'node.RuntimeClass': `$typeMeta object
handler string always required #2
overhead *node.Overhead #3
scheduling *node.Scheduling #4`,
  'node.Scheduling': `nodeSelector map string map=atomic #1
tolerations []core.Toleration list=atomic #2`,
  'policy.Eviction': `$typeMeta object
deleteOptions *meta.DeleteOptions #2`,
  'policy.PodDisruptionBudget': `$typeMeta object
spec policy.PodDisruptionBudgetSpec #2
status policy.PodDisruptionBudgetStatus #3`,
  'policy.PodDisruptionBudgetSpec': `minAvailable *IntOrString #1
selector *meta.LabelSelector patch=replace #2
maxUnavailable *IntOrString #3
unhealthyPodEvictionPolicy *string enum=AlwaysAllow|IfHealthyBudget goType=v1.UnhealthyPodEvictionPolicyType #4`,
  'policy.PodDisruptionBudgetStatus': `observedGeneration int64 #1
disruptedPods map Time #2
disruptionsAllowed int32 always #3
currentHealthy int32 always #4
desiredHealthy int32 always #5
expectedPods int32 always #6
conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #7`,
  'rbac.AggregationRule': `clusterRoleSelectors []meta.LabelSelector list=atomic #1`,
  'rbac.ClusterRole': `$typeMeta object
rules []rbac.PolicyRule always list=atomic #2
aggregationRule *rbac.AggregationRule #3`,
  'rbac.ClusterRoleBinding': `$typeMeta object
subjects []rbac.Subject list=atomic #2
roleRef rbac.RoleRef always required #3`,
  'rbac.PolicyRule': `verbs []string always required list=atomic #1
apiGroups []string list=atomic goName=APIGroups #2
resources []string list=atomic #3
resourceNames []string list=atomic #4
nonResourceURLs []string list=atomic #5`,
  'rbac.Role': `$typeMeta object
rules []rbac.PolicyRule always list=atomic #2`,
  'rbac.RoleBinding': `$typeMeta object
subjects []rbac.Subject list=atomic #2
roleRef rbac.RoleRef always required #3`,
  'rbac.RoleRef': `$struct atomic
apiGroup string always goName=APIGroup #1
kind string always required #2
name string always required #3`,
  'rbac.Subject': `$struct atomic
kind string always required #1
apiGroup string goName=APIGroup #2
name string always required #3
namespace string #4`,
  'resource.AllocatedDeviceStatus': `driver string always required #1
pool string always required #2
device string always required #3
shareID *string gate=DRAConsumableCapacity #7
conditions []meta.Condition always list=map keys=type #4
data *any #5
networkData *resource.NetworkDeviceData #6`,
  'resource.AllocationResult': `devices resource.DeviceAllocationResult #1
nodeSelector *core.NodeSelector #3
allocationTimestamp *Time gate=DRADeviceBindingConditions #5`,
  'resource.CELDeviceSelector': `expression string always required #1`,
  'resource.CapacityRequestPolicy': `default *Quantity always #1
validValues []Quantity list=atomic #3
validRange *resource.CapacityRequestPolicyRange #4`,
  'resource.CapacityRequestPolicyRange': `min *Quantity required #1
max *Quantity #2
step *Quantity #3`,
  'resource.CapacityRequirements': `requests map Quantity goType=map[v1.QualifiedName]resource.Quantity #1`,
  'resource.Counter': `value Quantity always required #1`,
  'resource.CounterSet': `name string always required #1
counters map resource.Counter required #2`,
  'resource.Device': `name string always required #1
attributes map resource.DeviceAttribute goType=map[v1.QualifiedName]v1.DeviceAttribute #2
capacity map resource.DeviceCapacity goType=map[v1.QualifiedName]v1.DeviceCapacity #3
consumesCounters []resource.DeviceCounterConsumption list=atomic gate=DRAPartitionableDevices #4
nodeName *string gate=DRAPartitionableDevices #5
nodeSelector *core.NodeSelector gate=DRAPartitionableDevices #6
allNodes *bool gate=DRAPartitionableDevices #7
taints []resource.DeviceTaint list=atomic gate=DRADeviceTaints #8
bindsToNode *bool gate=DRADeviceBindingConditions #9
bindingConditions []string list=atomic gate=DRADeviceBindingConditions #10
bindingFailureConditions []string list=atomic gate=DRADeviceBindingConditions #11
allowMultipleAllocations *bool gate=DRAConsumableCapacity #12
nodeAllocatableResources map resource.NodeAllocatableResource gate=DRANodeAllocatableResources goType=map[v1.ResourceName]v1.NodeAllocatableResource #14`,
  'resource.DeviceAllocationConfiguration': `source string always required enum=FromClaim|FromClass goType=v1.AllocationConfigSource #1
requests []string list=atomic #2
opaque *resource.OpaqueDeviceConfiguration in=DeviceConfiguration #3.1`,
  'resource.DeviceAllocationResult': `results []resource.DeviceRequestAllocationResult list=atomic #1
config []resource.DeviceAllocationConfiguration list=atomic #2`,
  'resource.DeviceAttribute': `int *int64 goName=IntValue #2
bool *bool goName=BoolValue #3
string *string goName=StringValue #4
version *string goName=VersionValue #5
ints []int64 list=atomic gate=DRAListTypeAttributes goName=IntValues #6
bools []bool list=atomic gate=DRAListTypeAttributes goName=BoolValues #7
strings []string list=atomic gate=DRAListTypeAttributes goName=StringValues #8
versions []string list=atomic gate=DRAListTypeAttributes goName=VersionValues #9`,
  'resource.DeviceCapacity': `value Quantity always required #1
requestPolicy *resource.CapacityRequestPolicy gate=DRAConsumableCapacity #2`,
  'resource.DeviceClaim': `requests []resource.DeviceRequest always list=atomic #1
constraints []resource.DeviceConstraint list=atomic #2
config []resource.DeviceClaimConfiguration list=atomic #3`,
  'resource.DeviceClaimConfiguration': `requests []string list=atomic #1
opaque *resource.OpaqueDeviceConfiguration in=DeviceConfiguration #2.1`,
  'resource.DeviceClass': `$typeMeta object
spec resource.DeviceClassSpec always #2`,
  'resource.DeviceClassConfiguration': `opaque *resource.OpaqueDeviceConfiguration in=DeviceConfiguration #1.1`,
  'resource.DeviceClassSpec': `selectors []resource.DeviceSelector list=atomic #1
config []resource.DeviceClassConfiguration list=atomic #2
extendedResourceName *string #4`,
  'resource.DeviceConstraint': `requests []string list=atomic #1
matchAttribute *string goType=v1.FullyQualifiedName #2
distinctAttribute *string gate=DRAConsumableCapacity goType=v1.FullyQualifiedName #3`,
  'resource.DeviceCounterConsumption': `counterSet string always required #1
counters map resource.Counter required #2
compatibilityGroups []string list=atomic gate=DRADeviceCompatibilityGroups #3`,
  'resource.DeviceDerivedAttribute': `name string always required goType=v1.FullyQualifiedName #1
expression string always required #2`,
  'resource.DeviceRequest': `name string always required #1
exactly *resource.ExactDeviceRequest #2
firstAvailable []resource.DeviceSubRequest list=atomic #3`,
  'resource.DeviceRequestAllocationResult': `request string always required #1
driver string always required #2
pool string always required #3
device string always required #4
adminAccess *bool #5
tolerations []resource.DeviceToleration list=atomic gate=DRADeviceTaints #6
bindingConditions []string list=atomic gate=DRADeviceBindingConditions #7
bindingFailureConditions []string list=atomic gate=DRADeviceBindingConditions #8
shareID *string gate=DRAConsumableCapacity goType=types.UID #9
consumedCapacity map Quantity gate=DRAConsumableCapacity goType=map[v1.QualifiedName]resource.Quantity #10
skipNodeOperations []string list=set gate=DRAOptionalNodeOperations goType=[]v1.SkipNodeOperation #11`,
  'resource.DeviceSelector': `cel *resource.CELDeviceSelector goName=CEL #1`,
  'resource.DeviceSubRequest': `name string always required #1
deviceClassName string always required #2
selectors []resource.DeviceSelector list=atomic #3
allocationMode string enum=All|ExactCount goType=v1.DeviceAllocationMode #4
count int64 #5
tolerations []resource.DeviceToleration list=atomic gate=DRADeviceTaints #6
capacity *resource.CapacityRequirements gate=DRAConsumableCapacity #7
derivedAttributes []resource.DeviceDerivedAttribute list=atomic gate=DRADerivedAttributes #8`,
  'resource.DeviceTaint': `key string always required #1
value string #2
effect string always required enum=NoExecute|NoSchedule|None goType=v1.DeviceTaintEffect #3
timeAdded *Time #4`,
  'resource.DeviceTaintRule': `$typeMeta object
spec resource.DeviceTaintRuleSpec always required #2
status resource.DeviceTaintRuleStatus #3`,
  'resource.DeviceTaintRuleSpec': `deviceSelector *resource.DeviceTaintSelector #1
taint resource.DeviceTaint required #2`,
  'resource.DeviceTaintRuleStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1`,
  'resource.DeviceTaintSelector': `driver *string #2
pool *string #3
device *string #4`,
  'resource.DeviceToleration': `key string #1
operator string enum=Equal|Exists default="Equal" goType=v1.DeviceTolerationOperator #2
value string #3
effect string enum=NoExecute|NoSchedule|None goType=v1.DeviceTaintEffect #4
tolerationSeconds *int64 #5`,
  'resource.ExactDeviceRequest': `deviceClassName string always required #1
selectors []resource.DeviceSelector list=atomic #2
allocationMode string enum=All|ExactCount goType=v1.DeviceAllocationMode #3
count int64 #4
adminAccess *bool #5
tolerations []resource.DeviceToleration list=atomic gate=DRADeviceTaints #6
capacity *resource.CapacityRequirements gate=DRAConsumableCapacity #7
derivedAttributes []resource.DeviceDerivedAttribute list=atomic gate=DRADerivedAttributes #8`,
  'resource.NetworkDeviceData': `interfaceName string #1
ips []string list=atomic goName=IPs #2
hardwareAddress string #3`,
  'resource.NodeAllocatableMapping': `capacityKey *string goType=v1.QualifiedName #1
capacityMultiplier *Quantity #2
deviceMultiplier *Quantity #3`,
  'resource.NodeAllocatableOverhead': `perPod *Quantity #1
perContainer *Quantity #2`,
  'resource.NodeAllocatableResource': `mapping *resource.NodeAllocatableMapping #3
overhead *resource.NodeAllocatableOverhead #4`,
  'resource.OpaqueDeviceConfiguration': `driver string always required #1
parameters any always required #2`,
  'resource.ResourceClaim': `$typeMeta object
spec resource.ResourceClaimSpec always #2
status resource.ResourceClaimStatus #3`,
  'resource.ResourceClaimConsumerReference': `apiGroup string goName=APIGroup #1
resource string always required #3
name string always required #4
uid string always required goType=types.UID goName=UID #5`,
  'resource.ResourceClaimSpec': `devices resource.DeviceClaim always #1`,
  'resource.ResourceClaimStatus': `allocation *resource.AllocationResult #1
reservedFor []resource.ResourceClaimConsumerReference patch=merge mergeKey=uid list=map keys=uid #2
devices []resource.AllocatedDeviceStatus list=map keys=driver+device+pool+shareID #4`,
  'resource.ResourceClaimTemplate': `$typeMeta object
spec resource.ResourceClaimTemplateSpec always #2`,
  'resource.ResourceClaimTemplateSpec': `metadata meta.ObjectMeta goName=ObjectMeta #1
spec resource.ResourceClaimSpec always #2`,
  'resource.ResourcePool': `name string always required #1
generation int64 always required #2
resourceSliceCount int64 always required #3`,
  'resource.ResourceSlice': `$typeMeta object
spec resource.ResourceSliceSpec always required #2`,
  'resource.ResourceSliceSpec': `driver string always required #1
pool resource.ResourcePool always required #2
nodeName *string #3
nodeSelector *core.NodeSelector #4
allNodes *bool #5
devices []resource.Device list=atomic #6
perDeviceNodeSelection *bool gate=DRAPartitionableDevices #7
sharedCounters []resource.CounterSet list=atomic gate=DRAPartitionableDevices #8
partitionTypeAttribute *string gate=DRAPartitionableDevicesType goType=v1.FullyQualifiedName #9
skipNodeOperations []string list=set gate=DRAOptionalNodeOperations goType=[]v1.SkipNodeOperation #10`,
  'resource/v1alpha3.PartitionTypeStatus': `attribute string required #4
type string required #1
total *int32 required #2
allocatable *int32 required #3`,
  'resource/v1alpha3.PoolStatus': `driver string required #1
poolName string required #2
generation int64 always required #9
resourceSliceCount *int32 #8
totalDevices *int32 #4
allocatedDevices *int32 #5
availableDevices *int32 #6
unavailableDevices *int32 #7
nodeName *string #3
validationError *string #10
partitionSummary []resource/v1alpha3.PartitionTypeStatus list=atomic #11
shareableSummary *resource/v1alpha3.ShareableSummaryStatus #13`,
  'resource/v1alpha3.ResourcePoolStatusRequest': `$typeMeta object
spec resource/v1alpha3.ResourcePoolStatusRequestSpec always required #2
status *resource/v1alpha3.ResourcePoolStatusRequestStatus #3`,
  'resource/v1alpha3.ResourcePoolStatusRequestSpec': `driver string always required #1
poolName *string #2
limit *int32 default=100 #3
defaultPartitionTypeAttribute *string gate=DRAPartitionableDevicesType #4`,
  'resource/v1alpha3.ResourcePoolStatusRequestStatus': `poolCount *int32 required #6
pools []resource/v1alpha3.PoolStatus list=atomic #2
conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #3`,
  'resource/v1alpha3.ShareableCapacityStatus': `name string required #1
total *Quantity required #2
consumed *Quantity required #3
available *Quantity required #4`,
  'resource/v1alpha3.ShareableSummaryStatus': `fullyAvailableDevices *int32 required #1
partiallyAvailableDevices *int32 required #2
capacity []resource/v1alpha3.ShareableCapacityStatus list=atomic #3`,
  'scheduling.PriorityClass': `$typeMeta object
value int32 always #2
globalDefault bool #3
description string #4
preemptionPolicy *string enum=Never|PreemptLowerPriority goType=v1.PreemptionPolicy #5`,
  'scheduling/v1alpha3.AllCompositeDisruptionMode': ``,
  'scheduling/v1alpha3.CompositeBasicSchedulingPolicy': ``,
  'scheduling/v1alpha3.CompositeDisruptionMode': `single *scheduling/v1alpha3.SingleCompositeDisruptionMode #1
all *scheduling/v1alpha3.AllCompositeDisruptionMode #2`,
  'scheduling/v1alpha3.CompositeGangSchedulingPolicy': `minGroupCount int32 always required #1`,
  'scheduling/v1alpha3.CompositePodGroup': `$typeMeta object
spec scheduling/v1alpha3.CompositePodGroupSpec always required #2
status scheduling/v1alpha3.CompositePodGroupStatus #3`,
  'scheduling/v1alpha3.CompositePodGroupSchedulingConstraints': `topology []scheduling/v1alpha3.TopologyConstraint list=atomic #1`,
  'scheduling/v1alpha3.CompositePodGroupSchedulingPolicy': `basic *scheduling/v1alpha3.CompositeBasicSchedulingPolicy #1
gang *scheduling/v1alpha3.CompositeGangSchedulingPolicy #2`,
  'scheduling/v1alpha3.CompositePodGroupSpec': `parentCompositePodGroupName *string #1
workloadRef *scheduling/v1alpha3.WorkloadReference always required #2
schedulingPolicy scheduling/v1alpha3.CompositePodGroupSchedulingPolicy always required #3
schedulingConstraints *scheduling/v1alpha3.CompositePodGroupSchedulingConstraints #4
disruptionMode *scheduling/v1alpha3.CompositeDisruptionMode default={"single":{}} #5
priorityClassName string #6
priority *int32 #7
preemptionPolicy *string enum=Never|PreemptLowerPriority gate=PodGroupPreemptionPolicy goType=v1alpha3.PreemptionPolicy #8`,
  'scheduling/v1alpha3.CompositePodGroupStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1`,
  'scheduling/v1alpha3.SingleCompositeDisruptionMode': ``,
  'scheduling/v1alpha3.TopologyConstraint': `key string always required #1`,
  'scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode': ``,
  'scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy': ``,
  'scheduling/v1alpha3.WorkloadPodGroupDisruptionMode': `single *scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode #1
all *scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode #2`,
  'scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy': `minCount *int32 #1`,
  'scheduling/v1alpha3.WorkloadPodGroupResourceClaim': `name string always required #1
resourceClaimName *string #2
resourceClaimTemplateName *string #3`,
  'scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints': `topology []scheduling/v1alpha3.TopologyConstraint list=atomic #1`,
  'scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy': `basic *scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy #1
gang *scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy #2`,
  'scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode': ``,
  'scheduling/v1alpha3.WorkloadReference': `workloadName string always required #1
templateName string always required #2`,
  'scheduling/v1beta1.AllCompositeDisruptionMode': ``,
  'scheduling/v1beta1.AllDisruptionMode': ``,
  'scheduling/v1beta1.BasicSchedulingPolicy': ``,
  'scheduling/v1beta1.CompositeBasicSchedulingPolicy': ``,
  'scheduling/v1beta1.CompositeDisruptionMode': `single *scheduling/v1beta1.SingleCompositeDisruptionMode #1
all *scheduling/v1beta1.AllCompositeDisruptionMode #2`,
  'scheduling/v1beta1.CompositeGangSchedulingPolicy': `minGroupCount int32 always required #1`,
  'scheduling/v1beta1.CompositePodGroupSchedulingConstraints': `topology []scheduling/v1beta1.TopologyConstraint list=atomic #1`,
  'scheduling/v1beta1.CompositePodGroupSchedulingPolicy': `basic *scheduling/v1beta1.CompositeBasicSchedulingPolicy #1
gang *scheduling/v1beta1.CompositeGangSchedulingPolicy #2`,
  'scheduling/v1beta1.CompositePodGroupTemplate': `name string always required #1
schedulingPolicy scheduling/v1beta1.CompositePodGroupSchedulingPolicy always required #2
schedulingConstraints *scheduling/v1beta1.CompositePodGroupSchedulingConstraints #3
disruptionMode *scheduling/v1beta1.CompositeDisruptionMode #4
priorityClassName string #5
priority *int32 #6
preemptionPolicy *string enum=Never|PreemptLowerPriority gate=PodGroupPreemptionPolicy goType=v1beta1.PreemptionPolicy #7
podGroupTemplates []scheduling/v1beta1.PodGroupTemplate list=map keys=name #8
compositePodGroupTemplates []scheduling/v1beta1.CompositePodGroupTemplate list=map keys=name #9`,
  'scheduling/v1beta1.DisruptionMode': `single *scheduling/v1beta1.SingleDisruptionMode #1
all *scheduling/v1beta1.AllDisruptionMode #2`,
  'scheduling/v1beta1.GangSchedulingPolicy': `minCount int32 always required #1`,
  'scheduling/v1beta1.PodGroup': `$typeMeta object
spec scheduling/v1beta1.PodGroupSpec always required #2
status scheduling/v1beta1.PodGroupStatus #3`,
  'scheduling/v1beta1.PodGroupResourceClaim': `name string always required #1
resourceClaimName *string #2
resourceClaimTemplateName *string #3`,
  'scheduling/v1beta1.PodGroupResourceClaimStatus': `name string always required #1
resourceClaimName *string #2`,
  'scheduling/v1beta1.PodGroupSchedulingConstraints': `topology []scheduling/v1beta1.TopologyConstraint list=atomic #1`,
  'scheduling/v1beta1.PodGroupSchedulingPolicy': `basic *scheduling/v1beta1.BasicSchedulingPolicy #1
gang *scheduling/v1beta1.GangSchedulingPolicy #2`,
  'scheduling/v1beta1.PodGroupSpec': `parentCompositePodGroupName *string gate=CompositePodGroup #1
workloadRef *scheduling/v1beta1.WorkloadReference #2
schedulingPolicy scheduling/v1beta1.PodGroupSchedulingPolicy always required #3
schedulingConstraints *scheduling/v1beta1.PodGroupSchedulingConstraints gate=TopologyAwareWorkloadScheduling #4
resourceClaims []scheduling/v1beta1.PodGroupResourceClaim patch=merge,retainKeys mergeKey=name list=map keys=name gate=DRAWorkloadResourceClaims #5
disruptionMode *scheduling/v1beta1.DisruptionMode default={"single":{}} #6
priorityClassName string #7
priority *int32 #8
preemptionPolicy *string enum=Never|PreemptLowerPriority gate=PodGroupPreemptionPolicy goType=v1beta1.PreemptionPolicy #9`,
  'scheduling/v1beta1.PodGroupStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1
resourceClaimStatuses []scheduling/v1beta1.PodGroupResourceClaimStatus patch=merge,retainKeys mergeKey=name list=map keys=name gate=DRAWorkloadResourceClaims #2`,
  'scheduling/v1beta1.PodGroupTemplate': `name string always required #1
schedulingPolicy scheduling/v1beta1.PodGroupSchedulingPolicy always required #2
schedulingConstraints *scheduling/v1beta1.PodGroupSchedulingConstraints always gate=TopologyAwareWorkloadScheduling #3
resourceClaims []scheduling/v1beta1.PodGroupResourceClaim patch=merge,retainKeys mergeKey=name list=map keys=name gate=DRAWorkloadResourceClaims #4
disruptionMode *scheduling/v1beta1.DisruptionMode #5
priorityClassName string #6
priority *int32 #7
preemptionPolicy *string enum=Never|PreemptLowerPriority gate=PodGroupPreemptionPolicy goType=v1beta1.PreemptionPolicy #8`,
  'scheduling/v1beta1.SingleCompositeDisruptionMode': ``,
  'scheduling/v1beta1.SingleDisruptionMode': ``,
  'scheduling/v1beta1.TopologyConstraint': `key string always required #1`,
  'scheduling/v1beta1.TypedLocalObjectReference': `apiGroup string goName=APIGroup #1
kind string always required #2
name string always required #3`,
  'scheduling/v1beta1.Workload': `$typeMeta object
spec scheduling/v1beta1.WorkloadSpec always required #2`,
  'scheduling/v1beta1.WorkloadReference': `workloadName string always required #1
templateName string always required #2`,
  'scheduling/v1beta1.WorkloadSpec': `controllerRef *scheduling/v1beta1.TypedLocalObjectReference #1
podGroupTemplates []scheduling/v1beta1.PodGroupTemplate always list=map keys=name #2
compositePodGroupTemplates []scheduling/v1beta1.CompositePodGroupTemplate list=map keys=name gate=CompositePodGroup #3`,
  'storage.CSIDriver': `$typeMeta object
spec storage.CSIDriverSpec always required #2`,
  'storage.CSIDriverSpec': `attachRequired *bool #1
podInfoOnMount *bool #2
volumeLifecycleModes []string list=set goType=[]v1.VolumeLifecycleMode #3
storageCapacity *bool #4
fsGroupPolicy *string goType=v1.FSGroupPolicy goName=FSGroupPolicy #5
tokenRequests []storage.TokenRequest list=atomic #6
requiresRepublish *bool #7
seLinuxMount *bool goName=SELinuxMount #8
nodeAllocatableUpdatePeriodSeconds *int64 #9
serviceAccountTokenInSecrets *bool #10
preventPodSchedulingIfMissing *bool gate=VolumeLimitScaling #11`,
  'storage.CSINode': `$typeMeta object
spec storage.CSINodeSpec always required #2
status storage.CSINodeStatus #3`,
  'storage.CSINodeDriver': `name string always required #1
nodeID string always required #2
topologyKeys []string always list=atomic #3
allocatable *storage.VolumeNodeResources #4`,
  'storage.CSINodeSpec': `drivers []storage.CSINodeDriver always required patch=merge mergeKey=name list=map keys=name #1`,
  'storage.CSINodeStatus': `storageHealth []storage.StorageHealth patch=merge mergeKey=name list=map keys=name gate=CSIVolumeHealth #1`,
  'storage.CSIStorageCapacity': `$typeMeta object
nodeTopology *meta.LabelSelector #2
storageClassName string always required #3
capacity *Quantity #4
maximumVolumeSize *Quantity #5`,
  'storage.StorageClass': `$typeMeta object
provisioner string always required #2
parameters map string #3
reclaimPolicy *string enum=Delete|Recycle|Retain goType=v1.PersistentVolumeReclaimPolicy #4
mountOptions []string list=atomic #5
allowVolumeExpansion *bool #6
volumeBindingMode *string enum=Immediate|WaitForFirstConsumer goType=v1.VolumeBindingMode #7
allowedTopologies []core.TopologySelectorTerm list=atomic #8`,
  'storage.StorageHealth': `name string always required #1
healthConditions []storage.StorageHealthCondition list=atomic #2`,
  'storage.StorageHealthCondition': `status string always required enum=StorageDegraded|StorageUnreachable goType=v1.StorageHealthStatusType #1
reason string always required #2
message string #3
accessMode *string enum=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod goType=v1.PersistentVolumeAccessMode #4
volumeMode *string enum=Block|Filesystem goType=v1.PersistentVolumeMode #5
lastTransitionTime Time #6`,
  'storage.TokenRequest': `audience string always required #1
expirationSeconds *int64 #2`,
  'storage.VolumeAttachment': `$typeMeta object
spec storage.VolumeAttachmentSpec always required #2
status storage.VolumeAttachmentStatus #3`,
  'storage.VolumeAttachmentSource': `persistentVolumeName *string #1
inlineVolumeSpec *core.PersistentVolumeSpec #2`,
  'storage.VolumeAttachmentSpec': `attacher string always required #1
source storage.VolumeAttachmentSource always required #2
nodeName string always required #3`,
  'storage.VolumeAttachmentStatus': `attached bool always required #1
attachmentMetadata map string #2
attachError *storage.VolumeError #3
detachError *storage.VolumeError #4`,
  'storage.VolumeAttributesClass': `$typeMeta object
driverName string always required #2
parameters map string #3`,
  'storage.VolumeError': `time Time #1
message string #2
errorCode *int32 #3`,
  'storage.VolumeNodeResources': `count *int32 #1`,
  'storagemigration.StorageVersionMigration': `$typeMeta object
spec storagemigration.StorageVersionMigrationSpec #2
status storagemigration.StorageVersionMigrationStatus #3`,
  'storagemigration.StorageVersionMigrationSpec': `resource meta.GroupResource always required #1`,
  'storagemigration.StorageVersionMigrationStatus': `conditions []meta.Condition patch=merge mergeKey=type list=map keys=type #1
resourceVersion string #2`,
}
