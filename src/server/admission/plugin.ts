// Admission: rules that depend on other objects. A plugin is one file in this folder and one line in ./plugins.ts.
// Kubernetes: k8s.io/apiserver/pkg/admission.MutationInterface, ValidationInterface, Attributes
import type { Kind } from '../../api/machinery/kind.ts'
import type { StatusCause } from '../../api/machinery/types.ts'
import type { KubernetesObject, Namespace, Writable } from '../../api/types.ts'
import type { Random } from '../../base/random.ts'

/** The objects that plugins can read. They are shared: a plugin must not change them. */
export interface AdmissionCluster {
  namespace(name: string): Namespace | undefined
  /** Undefined: there is no such object. */
  get<T extends KubernetesObject>(kind: Kind<T>, namespace: string, name: string): T | undefined
  /** All objects of a kind with few objects. Namespace '' is that of cluster-scoped kinds. */
  list<T extends KubernetesObject>(kind: Kind<T>, namespace: string): readonly T[]
  /** The first objects of a namespace, by name, and how many it has. */
  first<T extends KubernetesObject>(
    kind: Kind<T>,
    namespace: string,
    limit: number,
  ): { readonly objects: readonly T[]; readonly total: number }
}

/** A create (`current` is undefined) or an update. */
export interface AdmittedWrite {
  readonly kind: Kind
  /** '' for cluster-scoped kinds. */
  readonly namespace: string
  readonly subresource: string | undefined
  readonly current: KubernetesObject | undefined
  readonly next: Writable<KubernetesObject>
  readonly cluster: AdmissionCluster
  readonly random: Random
  readonly options: {
    readonly caller: { readonly name: string }
    /** Receives the warnings for the caller. */
    readonly warn?: (sentence: string) => void
  }
}

/** The reason why the write is forbidden, for some with causes; undefined when it is allowed. */
export type Refusal = string | DetailedRefusal | undefined

interface DetailedRefusal {
  readonly message: string
  readonly causes: readonly StatusCause[]
}

/** An object that a controller is about to create. */
export interface AwaitedObject {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
}

export interface AdmissionPlugin {
  /** The kinds whose writes it is asked about. Absent: all. */
  concerns?(kind: Kind): boolean
  /** The object without which the plugin refuses the write. If it is missing, the write waits for it for a moment. */
  awaits?(write: AdmittedWrite): AwaitedObject | undefined
  /** Runs before the kind prepares the object. May change `write.next` in place, except for its spec, which may be shared and must be replaced. */
  admit?(write: AdmittedWrite): Refusal
  /** Runs after validation. Must not change anything. */
  check?(write: AdmittedWrite): Refusal
  /** The reason why the object of that name may not be deleted. */
  admitDelete?(name: string): string | undefined
}

/** The name in a refusal. A generated name does not exist yet. */
export const admittedName = ({ metadata }: KubernetesObject): string => metadata?.name || metadata?.generateName || 'Unknown'

/** For plugins about a few kinds. */
export function among(...kinds: readonly Kind[]): (kind: Kind) => boolean {
  const types = new Set(kinds.map(({ type }) => type))
  return ({ type }) => types.has(type)
}

/** Whether the write creates the object. */
export const creates = ({ current }: AdmittedWrite): boolean => current === undefined
