// The types of the kinds in their JSON form, deeply read-only, under the names that the code uses.
import type {
  admissionregistration,
  apiextensions,
  apiregistration,
  apps,
  autoscaling,
  autoscalingV2,
  batch,
  certificates,
  coordination,
  core,
  discovery,
  events,
  flowcontrol,
  networking,
  node,
  policy,
  rbac,
  resource,
  scheduling,
  storage,
  storagemigration,
} from './machinery/generated/models.ts'
import type { KubernetesObject } from './machinery/types.ts'

export type * from './machinery/types.ts'

export type Pod = core.Pod
export type PodSpec = core.PodSpec
export type PodStatus = core.PodStatus
export type PodCondition = core.PodCondition
export type PodTemplateSpec = core.PodTemplateSpec
export type Container = core.Container
export type ContainerStatus = core.ContainerStatus
export type Volume = core.Volume
export type Probe = core.Probe
export type ResourceRequirements = core.ResourceRequirements
export type Node = core.Node
export type Namespace = core.Namespace
export type ConfigMap = core.ConfigMap
export type Secret = core.Secret
export type Service = core.Service
export type Endpoints = core.Endpoints
export type ServiceAccount = core.ServiceAccount
export type PersistentVolumeClaim = core.PersistentVolumeClaim
export type PersistentVolume = core.PersistentVolume
export type ResourceQuota = core.ResourceQuota
export type LimitRange = core.LimitRange
export type CoreEvent = core.Event
export type Binding = core.Binding
export type PodTemplate = core.PodTemplate
export type ControllerRevision = apps.ControllerRevision
export type CronJob = batch.CronJob
export type PodDisruptionBudget = policy.PodDisruptionBudget
export type Eviction = policy.Eviction
export type Scale = autoscaling.Scale
export type Lease = coordination.Lease
export type Event = events.Event
export type PriorityClass = scheduling.PriorityClass
export type EndpointSlice = discovery.EndpointSlice
export type StorageClass = storage.StorageClass
export type NetworkPolicy = networking.NetworkPolicy
export type Ingress = networking.Ingress
export type IngressClass = networking.IngressClass
export type IpAddress = networking.IPAddress
export type ServiceCidr = networking.ServiceCIDR
export type PolicyRule = rbac.PolicyRule
export type RoleSubject = rbac.Subject
export type Role = rbac.Role
export type RoleBinding = rbac.RoleBinding
export type ClusterRole = rbac.ClusterRole
export type ClusterRoleBinding = rbac.ClusterRoleBinding
export type HorizontalPodAutoscaler = autoscalingV2.HorizontalPodAutoscaler
export type HorizontalPodAutoscalerV1 = autoscaling.HorizontalPodAutoscaler
export type ValidatingWebhookConfiguration = admissionregistration.ValidatingWebhookConfiguration
export type MutatingWebhookConfiguration = admissionregistration.MutatingWebhookConfiguration
export type ValidatingAdmissionPolicy = admissionregistration.ValidatingAdmissionPolicy
export type ValidatingAdmissionPolicyBinding = admissionregistration.ValidatingAdmissionPolicyBinding
export type MutatingAdmissionPolicy = admissionregistration.MutatingAdmissionPolicy
export type MutatingAdmissionPolicyBinding = admissionregistration.MutatingAdmissionPolicyBinding
export type ApiService = apiregistration.APIService
export type CertificateSigningRequest = certificates.CertificateSigningRequest
export type ClusterTrustBundle = certificates.ClusterTrustBundle
export type PodCertificateRequest = certificates.PodCertificateRequest
export type FlowSchema = flowcontrol.FlowSchema
export type PriorityLevelConfiguration = flowcontrol.PriorityLevelConfiguration
export type RuntimeClass = node.RuntimeClass
export type { resource }
export type DeviceClass = resource.DeviceClass
export type DeviceTaintRule = resource.DeviceTaintRule
export type ResourceClaim = resource.ResourceClaim
export type ResourceClaimTemplate = resource.ResourceClaimTemplate
export type ResourceSlice = resource.ResourceSlice
export type CsiDriver = storage.CSIDriver
export type CsiNode = storage.CSINode
export type CsiStorageCapacity = storage.CSIStorageCapacity
export type VolumeAttachment = storage.VolumeAttachment
export type VolumeAttributesClass = storage.VolumeAttributesClass
export type StorageVersionMigration = storagemigration.StorageVersionMigration
export type CustomResourceDefinition = apiextensions.CustomResourceDefinition
export type ComponentStatus = core.ComponentStatus

/** An object of a kind that has no type of its own here. */
export interface OtherObject extends KubernetesObject {
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

/** KEP-5882. */
export type DeploymentPodReplacementPolicy = NonNullable<apps.DeploymentSpec['podReplacementPolicy']>

export type Deployment = apps.Deployment
export type ReplicaSet = apps.ReplicaSet
export type ReplicationController = core.ReplicationController
export type StatefulSet = apps.StatefulSet
export type DaemonSet = apps.DaemonSet
export type Job = batch.Job
