// Versions that Kubernetes v1.36 can read, and does not serve by default: old ones, alpha and beta ones. It refuses them where it expects
// the version that it serves. Of kinds that have no other version here, it has more.
// Kubernetes: pkg/api/legacyscheme.Scheme
// Kubernetes: pkg/controlplane.genericBetaAPIGroupVersionsDisabledByDefault, betaAPIGroupVersionsDisabledByDefault
// Kubernetes: pkg/controlplane.alphaAPIGroupVersionsDisabledByDefault
const rbac = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']
const policies = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]
const flowControl = ['FlowSchema', 'PriorityLevelConfiguration']
const devices = ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice']

/** By apiVersion: the kinds. */
export const unservedVersions: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io/v1alpha1': policies,
  'admissionregistration.k8s.io/v1beta1': [...policies, 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apiextensions.k8s.io/v1beta1': ['CustomResourceDefinition'],
  'apiregistration.k8s.io/v1beta1': ['APIService'],
  'apps/v1beta1': ['ControllerRevision', 'Deployment', 'Scale', 'StatefulSet'],
  'apps/v1beta2': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'Scale', 'StatefulSet'],
  'authentication.k8s.io/v1alpha1': ['SelfSubjectReview'],
  'authentication.k8s.io/v1beta1': ['SelfSubjectReview', 'TokenReview'],
  'authorization.k8s.io/v1beta1': ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  'batch/v1beta1': ['CronJob'],
  'certificates.k8s.io/v1beta1': ['CertificateSigningRequest'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'events.k8s.io/v1beta1': ['Event'],
  'extensions/v1beta1': ['DaemonSet', 'Deployment', 'Ingress', 'NetworkPolicy', 'ReplicaSet', 'Scale'],
  'flowcontrol.apiserver.k8s.io/v1beta1': flowControl,
  'flowcontrol.apiserver.k8s.io/v1beta2': flowControl,
  'flowcontrol.apiserver.k8s.io/v1beta3': flowControl,
  'networking.k8s.io/v1beta1': ['IPAddress', 'Ingress', 'IngressClass', 'ServiceCIDR'],
  'node.k8s.io/v1alpha1': ['RuntimeClass'],
  'node.k8s.io/v1beta1': ['RuntimeClass'],
  'policy/v1beta1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1alpha1': rbac,
  'rbac.authorization.k8s.io/v1beta1': rbac,
  'resource.k8s.io/v1beta1': devices,
  'resource.k8s.io/v1beta2': devices,
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
  'storage.k8s.io/v1alpha1': ['CSIStorageCapacity', 'VolumeAttachment', 'VolumeAttributesClass'],
  'storage.k8s.io/v1beta1': ['CSIDriver', 'CSINode', 'CSIStorageCapacity', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
}
