// Types that all kinds share, deeply read-only.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta, TypeMeta
import type { meta } from './generated/models.ts'

/** The same object while it is being made: everything may be changed. */
export type Writable<T> = T extends readonly (infer U)[]
  ? Writable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Writable<T[K]> }
    : T

/** Fields that every stored object has. */
export type ObjectMeta = meta.ObjectMeta
export type ManagedFieldsEntry = meta.ManagedFieldsEntry
export type OwnerReference = meta.OwnerReference
export type LabelSelector = meta.LabelSelector
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
