// Admission: what depends on more than the object itself. A plugin is one file in this folder and one line in ./plugins.ts.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Namespace, Writable } from '../../api/types.ts'

/** The objects that plugins decide by. They are shared: a plugin must not change them. */
export interface AdmissionCluster {
  namespace(name: string): Namespace | undefined
  /** All objects of a kind that has few of them. Namespace '' is that of kinds without namespaces. */
  list<T extends KubernetesObject>(kind: Kind<T>, namespace: string): readonly T[]
}

/** A create (`current` is undefined) or an update on its way to the store. */
export interface AdmittedWrite {
  readonly kind: Kind
  /** Of the object; '' for kinds without namespaces. */
  readonly namespace: string
  readonly subresource: string | undefined
  readonly current: KubernetesObject | undefined
  readonly next: Writable<KubernetesObject>
  readonly cluster: AdmissionCluster
}

/** Why the write is forbidden. Undefined: it is not. */
export type Refusal = string | undefined

export interface AdmissionPlugin {
  /** Before the kind prepares the object. May change `write.next` in place, but for its spec, which may be shared: a new one takes its place. */
  admit?(write: AdmittedWrite): Refusal
  /** After validation. Changes nothing. */
  check?(write: AdmittedWrite): Refusal
  admitDelete?(kind: Kind, name: string): Refusal
}

/** The name in a refusal, which comes before a generated name is made. */
export const admittedName = ({ metadata }: KubernetesObject): string => metadata?.name || metadata?.generateName || 'Unknown'

/** Whether the object is new, and of that kind. */
export const creates = (write: AdmittedWrite, type: string): boolean => write.current === undefined && write.kind.type === type
