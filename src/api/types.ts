// The types of the kinds in their JSON form: the models of client-node with times as strings, deeply read-only, and with the fields of
// the proposals. Client-node is not loaded at run time.
import type * as k8s from '@kubernetes/client-node'
import type { IntOrString, Kinded, KubernetesObject, Wire, WithSpec } from './machinery/types.ts'

export type * from './machinery/types.ts'

export type Pod = Kinded<Wire<k8s.V1Pod>>
export type PodSpec = Wire<k8s.V1PodSpec>
export type PodStatus = Wire<k8s.V1PodStatus>
export type PodCondition = Wire<k8s.V1PodCondition>
export type PodTemplateSpec = Kinded<Wire<k8s.V1PodTemplateSpec>>
export type Container = Wire<k8s.V1Container>
export type ContainerStatus = Wire<k8s.V1ContainerStatus>
export type Volume = Wire<k8s.V1Volume>
export type Probe = Wire<k8s.V1Probe>
export type ResourceRequirements = Wire<k8s.V1ResourceRequirements>
export type Node = Kinded<Wire<k8s.V1Node>>
export type Namespace = Kinded<Wire<k8s.V1Namespace>>
export type ConfigMap = Kinded<Wire<k8s.V1ConfigMap>>
export type Secret = Kinded<Wire<k8s.V1Secret>>
export type Service = Kinded<Wire<k8s.V1Service>>
export type Endpoints = Kinded<Wire<k8s.V1Endpoints>>
export type ServiceAccount = Kinded<Wire<k8s.V1ServiceAccount>>
export type PersistentVolumeClaim = Kinded<Wire<k8s.V1PersistentVolumeClaim>>
export type PersistentVolume = Kinded<Wire<k8s.V1PersistentVolume>>
export type ResourceQuota = Kinded<Wire<k8s.V1ResourceQuota>>
export type LimitRange = Kinded<Wire<k8s.V1LimitRange>>
export type CoreEvent = Kinded<Wire<k8s.CoreV1Event>>
export type Binding = Kinded<Wire<k8s.V1Binding>>
export type PodTemplate = Kinded<Wire<k8s.V1PodTemplate>>
export type ControllerRevision = Kinded<Wire<k8s.V1ControllerRevision>>
export type CronJob = Kinded<Wire<k8s.V1CronJob>>
export type PodDisruptionBudget = Kinded<Wire<k8s.V1PodDisruptionBudget>>
export type Eviction = Kinded<Wire<k8s.V1Eviction>>
export type Scale = Kinded<Wire<k8s.V1Scale>>
export type Lease = Kinded<Wire<k8s.V1Lease>>
export type Event = Kinded<Wire<k8s.EventsV1Event>>
export type PriorityClass = Kinded<Wire<k8s.V1PriorityClass>>
export type EndpointSlice = Kinded<Wire<k8s.V1EndpointSlice>>
export type StorageClass = Kinded<Wire<k8s.V1StorageClass>>
export type NetworkPolicy = Kinded<Wire<k8s.V1NetworkPolicy>>
export type Ingress = Kinded<Wire<k8s.V1Ingress>>
export type IngressClass = Kinded<Wire<k8s.V1IngressClass>>
export type IpAddress = Kinded<Wire<k8s.V1IPAddress>>
export type ServiceCidr = Kinded<Wire<k8s.V1ServiceCIDR>>
export type PolicyRule = Wire<k8s.V1PolicyRule>
export type RoleSubject = Wire<k8s.RbacV1Subject>
export type Role = Kinded<Wire<k8s.V1Role>>
export type RoleBinding = Kinded<Wire<k8s.V1RoleBinding>>
export type ClusterRole = Kinded<Wire<k8s.V1ClusterRole>>
export type ClusterRoleBinding = Kinded<Wire<k8s.V1ClusterRoleBinding>>
export type HorizontalPodAutoscaler = Kinded<Wire<k8s.V2HorizontalPodAutoscaler>>
export type HorizontalPodAutoscalerV1 = Kinded<Wire<k8s.V1HorizontalPodAutoscaler>>
export type ValidatingWebhookConfiguration = Kinded<Wire<k8s.V1ValidatingWebhookConfiguration>>
export type MutatingWebhookConfiguration = Kinded<Wire<k8s.V1MutatingWebhookConfiguration>>
export type ValidatingAdmissionPolicy = Kinded<Wire<k8s.V1ValidatingAdmissionPolicy>>
export type ValidatingAdmissionPolicyBinding = Kinded<Wire<k8s.V1ValidatingAdmissionPolicyBinding>>
/** The library has these as v1beta1, with the fields of v1. */
export type MutatingAdmissionPolicy = Kinded<Wire<k8s.V1beta1MutatingAdmissionPolicy>>
export type MutatingAdmissionPolicyBinding = Kinded<Wire<k8s.V1beta1MutatingAdmissionPolicyBinding>>
export type ApiService = Kinded<Wire<k8s.V1APIService>>
export type CertificateSigningRequest = Kinded<Wire<k8s.V1CertificateSigningRequest>>
export type FlowSchema = Kinded<Wire<k8s.V1FlowSchema>>
export type PriorityLevelConfiguration = Kinded<Wire<k8s.V1PriorityLevelConfiguration>>
export type RuntimeClass = Kinded<Wire<k8s.V1RuntimeClass>>
export type DeviceClass = Kinded<Wire<k8s.V1DeviceClass>>
export type ResourceClaim = Kinded<Wire<k8s.ResourceV1ResourceClaim>>
export type ResourceClaimTemplate = Kinded<Wire<k8s.V1ResourceClaimTemplate>>
export type ResourceSlice = Kinded<Wire<k8s.V1ResourceSlice>>
export type CsiDriver = Kinded<Wire<k8s.V1CSIDriver>>
export type CsiNode = Kinded<Wire<k8s.V1CSINode>>
export type CsiStorageCapacity = Kinded<Wire<k8s.V1CSIStorageCapacity>>
export type VolumeAttachment = Kinded<Wire<k8s.V1VolumeAttachment>>
export type VolumeAttributesClass = Kinded<Wire<k8s.V1VolumeAttributesClass>>
export type CustomResourceDefinition = Kinded<Wire<k8s.V1CustomResourceDefinition>>
export type ComponentStatus = Kinded<Wire<k8s.V1ComponentStatus>>

/** An object of a kind that has no type of its own here. */
export interface OtherObject extends KubernetesObject {
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

/** KEP-5882. */
export type DeploymentPodReplacementPolicy = 'TerminationStarted' | 'TerminationComplete'

/** KEP-2804: how many replicas, or what percentage of them, must be available for the workload to be operational. */
interface Threshold {
  operationalThreshold?: IntOrString
}

export type Deployment = WithSpec<
  Kinded<Wire<k8s.V1Deployment>>,
  Threshold & { podReplacementPolicy?: DeploymentPodReplacementPolicy; terminatingAsActive?: boolean }
>
export type ReplicaSet = WithSpec<Kinded<Wire<k8s.V1ReplicaSet>>, Threshold & { terminatingAsActive?: boolean }>
export type ReplicationController = WithSpec<Kinded<Wire<k8s.V1ReplicationController>>, Threshold>
export type StatefulSet = WithSpec<Kinded<Wire<k8s.V1StatefulSet>>, Threshold & { progressDeadlineSeconds?: number }>
export type DaemonSet = WithSpec<Kinded<Wire<k8s.V1DaemonSet>>, Threshold & { progressDeadlineSeconds?: number }>
export type Job = WithSpec<Kinded<Wire<k8s.V1Job>>, { terminatingAsActive?: boolean }>
