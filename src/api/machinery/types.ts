// Types that all kinds share: the models of client-node, with times as strings, and deeply read-only.
import type * as k8s from '@kubernetes/client-node'

/** A client-node model as JSON: dates are RFC 3339 strings, and everything is read-only. */
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
export type WithSpec<T, More> = T extends { readonly spec?: infer S }
  ? Omit<T, 'spec'> & { readonly spec?: NonNullable<S> & Readonly<More> }
  : never

/** Fields that every stored object has. */
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

export type Kinded<T> = T extends { readonly metadata?: unknown } ? Omit<T, 'metadata'> & { readonly metadata?: ObjectMeta } : T

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
