// The type of a kind by each of its names. Written from the table of kinds by its test: vitest run src/api/kind-types.test.ts -u
import type * as kube from '../types.ts'

/** The type of a kind, and its names besides its key and its key in lower case. */
interface NamedKinds {
  readonly ComponentStatus: [kube.ComponentStatus, 'componentstatuses' | 'cs']
  readonly ConfigMap: [kube.ConfigMap, 'configmaps' | 'cm']
  readonly Endpoints: [kube.Endpoints, 'ep']
  readonly Event: [kube.CoreEvent, 'events' | 'ev']
  readonly LimitRange: [kube.LimitRange, 'limitranges' | 'limits']
  readonly Namespace: [kube.Namespace, 'namespaces' | 'ns']
  readonly Node: [kube.Node, 'nodes' | 'no']
  readonly PersistentVolumeClaim: [kube.PersistentVolumeClaim, 'persistentvolumeclaims' | 'pvc']
  readonly PersistentVolume: [kube.PersistentVolume, 'persistentvolumes' | 'pv']
  readonly Pod: [kube.Pod, 'pods' | 'po']
  readonly PodTemplate: [kube.PodTemplate, 'podtemplates']
  readonly ReplicationController: [kube.ReplicationController, 'replicationcontrollers' | 'rc']
  readonly ResourceQuota: [kube.ResourceQuota, 'resourcequotas' | 'quota']
  readonly Secret: [kube.Secret, 'secrets']
  readonly ServiceAccount: [kube.ServiceAccount, 'serviceaccounts' | 'sa']
  readonly Service: [kube.Service, 'services' | 'svc']
  readonly APIService: [kube.ApiService, 'apiservices' | 'apiservices.apiregistration.k8s.io']
  readonly ControllerRevision: [kube.ControllerRevision, 'controllerrevisions' | 'controllerrevisions.apps']
  readonly DaemonSet: [kube.DaemonSet, 'daemonsets' | 'ds' | 'daemonsets.apps']
  readonly Deployment: [kube.Deployment, 'deployments' | 'deploy' | 'deployments.apps']
  readonly ReplicaSet: [kube.ReplicaSet, 'replicasets' | 'rs' | 'replicasets.apps']
  readonly StatefulSet: [kube.StatefulSet, 'statefulsets' | 'sts' | 'statefulsets.apps']
  readonly 'events.events.k8s.io': [kube.Event, never]
  readonly HorizontalPodAutoscaler: [
    kube.HorizontalPodAutoscaler,
    'horizontalpodautoscalers' | 'hpa' | 'horizontalpodautoscalers.autoscaling',
  ]
  readonly CronJob: [kube.CronJob, 'cronjobs' | 'cj' | 'cronjobs.batch']
  readonly Job: [kube.Job, 'jobs' | 'jobs.batch']
  readonly CertificateSigningRequest: [
    kube.CertificateSigningRequest,
    'certificatesigningrequests' | 'csr' | 'certificatesigningrequests.certificates.k8s.io',
  ]
  readonly ClusterTrustBundle: [kube.ClusterTrustBundle, 'clustertrustbundles' | 'clustertrustbundles.certificates.k8s.io']
  readonly PodCertificateRequest: [kube.PodCertificateRequest, 'podcertificaterequests' | 'podcertificaterequests.certificates.k8s.io']
  readonly IngressClass: [kube.IngressClass, 'ingressclasses' | 'ingressclasses.networking.k8s.io']
  readonly Ingress: [kube.Ingress, 'ingresses' | 'ing' | 'ingresses.networking.k8s.io']
  readonly IPAddress: [kube.IpAddress, 'ipaddresses' | 'ip' | 'ipaddresses.networking.k8s.io']
  readonly NetworkPolicy: [kube.NetworkPolicy, 'networkpolicies' | 'netpol' | 'networkpolicies.networking.k8s.io']
  readonly ServiceCIDR: [kube.ServiceCidr, 'servicecidrs' | 'servicecidrs.networking.k8s.io']
  readonly PodDisruptionBudget: [kube.PodDisruptionBudget, 'poddisruptionbudgets' | 'pdb' | 'poddisruptionbudgets.policy']
  readonly ClusterRoleBinding: [kube.ClusterRoleBinding, 'clusterrolebindings' | 'clusterrolebindings.rbac.authorization.k8s.io']
  readonly ClusterRole: [kube.ClusterRole, 'clusterroles' | 'clusterroles.rbac.authorization.k8s.io']
  readonly RoleBinding: [kube.RoleBinding, 'rolebindings' | 'rolebindings.rbac.authorization.k8s.io']
  readonly Role: [kube.Role, 'roles' | 'roles.rbac.authorization.k8s.io']
  readonly CSIDriver: [kube.CsiDriver, 'csidrivers' | 'csidrivers.storage.k8s.io']
  readonly CSINode: [kube.CsiNode, 'csinodes' | 'csinodes.storage.k8s.io']
  readonly CSIStorageCapacity: [kube.CsiStorageCapacity, 'csistoragecapacities' | 'csistoragecapacities.storage.k8s.io']
  readonly StorageClass: [kube.StorageClass, 'storageclasses' | 'sc' | 'storageclasses.storage.k8s.io']
  readonly VolumeAttachment: [kube.VolumeAttachment, 'volumeattachments' | 'volumeattachments.storage.k8s.io']
  readonly VolumeAttributesClass: [kube.VolumeAttributesClass, 'volumeattributesclasses' | 'vac' | 'volumeattributesclasses.storage.k8s.io']
  readonly MutatingAdmissionPolicy: [
    kube.MutatingAdmissionPolicy,
    'mutatingadmissionpolicies' | 'mutatingadmissionpolicies.admissionregistration.k8s.io',
  ]
  readonly MutatingAdmissionPolicyBinding: [
    kube.MutatingAdmissionPolicyBinding,
    'mutatingadmissionpolicybindings' | 'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  ]
  readonly MutatingWebhookConfiguration: [
    kube.MutatingWebhookConfiguration,
    'mutatingwebhookconfigurations' | 'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  ]
  readonly ValidatingAdmissionPolicy: [
    kube.ValidatingAdmissionPolicy,
    'validatingadmissionpolicies' | 'validatingadmissionpolicies.admissionregistration.k8s.io',
  ]
  readonly ValidatingAdmissionPolicyBinding: [
    kube.ValidatingAdmissionPolicyBinding,
    'validatingadmissionpolicybindings' | 'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  ]
  readonly ValidatingWebhookConfiguration: [
    kube.ValidatingWebhookConfiguration,
    'validatingwebhookconfigurations' | 'validatingwebhookconfigurations.admissionregistration.k8s.io',
  ]
  readonly CustomResourceDefinition: [
    kube.CustomResourceDefinition,
    'customresourcedefinitions' | 'crd' | 'crds' | 'customresourcedefinitions.apiextensions.k8s.io',
  ]
  readonly PriorityClass: [kube.PriorityClass, 'priorityclasses' | 'pc' | 'priorityclasses.scheduling.k8s.io']
  readonly Lease: [kube.Lease, 'leases' | 'leases.coordination.k8s.io']
  readonly RuntimeClass: [kube.RuntimeClass, 'runtimeclasses' | 'runtimeclasses.node.k8s.io']
  readonly EndpointSlice: [kube.EndpointSlice, 'endpointslices' | 'endpointslices.discovery.k8s.io']
  readonly DeviceClass: [kube.DeviceClass, 'deviceclasses' | 'deviceclasses.resource.k8s.io']
  readonly DeviceTaintRule: [kube.DeviceTaintRule, 'devicetaintrules' | 'devicetaintrules.resource.k8s.io']
  readonly ResourceClaim: [kube.ResourceClaim, 'resourceclaims' | 'resourceclaims.resource.k8s.io']
  readonly ResourceClaimTemplate: [kube.ResourceClaimTemplate, 'resourceclaimtemplates' | 'resourceclaimtemplates.resource.k8s.io']
  readonly ResourceSlice: [kube.ResourceSlice, 'resourceslices' | 'resourceslices.resource.k8s.io']
  readonly FlowSchema: [kube.FlowSchema, 'flowschemas' | 'flowschemas.flowcontrol.apiserver.k8s.io']
  readonly PriorityLevelConfiguration: [
    kube.PriorityLevelConfiguration,
    'prioritylevelconfigurations' | 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  ]
  readonly StorageVersionMigration: [
    kube.StorageVersionMigration,
    'storageversionmigrations' | 'storageversionmigrations.storagemigration.k8s.io',
  ]
  readonly 'nodes.metrics.k8s.io': [kube.OtherObject, 'NodeMetrics']
  readonly 'pods.metrics.k8s.io': [kube.OtherObject, 'PodMetrics']
}

export type KindTypes = {
  readonly [Name in keyof NamedKinds as Name | Lowercase<Name> | NamedKinds[Name][1]]: NamedKinds[Name][0]
}
