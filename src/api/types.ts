// The kinds as they travel: what client-node's models say, with times as strings, read-only all the way down, and with
// the fields of the proposals. Types only: nothing of client-node is loaded for them.
import type * as k8s from '@kubernetes/client-node'

/** A client-node model as JSON: dates are RFC 3339 strings, and nothing may be changed. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer U)[]
    ? readonly Wire<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T

/** The same object while it is being made: everything may be changed. */
export type Writable<T> = T extends readonly (infer U)[]
  ? Writable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T

/** `T` with more fields in its `spec`. */
type WithSpec<T, More> = T extends { readonly spec?: infer S }
  ? Omit<T, 'spec'> & { readonly spec?: NonNullable<S> & Readonly<More> }
  : never

/** What the server puts in every object that it stores. */
export interface ObjectMeta extends Omit<Wire<k8s.V1ObjectMeta>, 'managedFields'> {
  readonly managedFields?: readonly ManagedFieldsEntry[]
}
export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: string
  readonly fieldsV1?: unknown
  readonly subresource?: string
}
export type OwnerReference = Wire<k8s.V1OwnerReference>
export type LabelSelector = Wire<k8s.V1LabelSelector>
export type IntOrString = number | string

/** Any object of any kind. */
export interface KubernetesObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: ObjectMeta
}

/** An object that the server has stored: it has a name, a uid and a resourceVersion. */
export type Stored<T extends KubernetesObject> = T & {
  readonly metadata: ObjectMeta & { readonly name: string; readonly uid: string; readonly resourceVersion: string }
}

type Kinded<T> = T extends { readonly metadata?: unknown } ? Omit<T, 'metadata'> & { readonly metadata?: ObjectMeta } : T

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

/** KEP-5882. */
export type DeploymentPodReplacementPolicy = 'TerminationStarted' | 'TerminationComplete'

/** KEP-2804: how many replicas, or what share of them, may be missing while the workload still counts as operational. */
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

/** meta/v1 Status: the answer to a request that has no object to show. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string }
  readonly status?: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}
export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}
