// The registry of kinds, as Kubernetes' runtime.Scheme: which kinds a body may name.
// Kubernetes: k8s.io/apimachinery/pkg/runtime.Scheme.New, NewNotRegisteredErrForKind
import type { CustomType } from './custom-types.ts'

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** A kind of object that requests carry: one of the kinds that are served, or that of a subresource. */
export interface BodyKind extends GroupVersionKind {
  /** Its struct: `apps.Deployment`. */
  readonly type: string
  /** Versions besides its own that a body may name, with the same fields. */
  readonly otherVersions?: readonly Pick<GroupVersionKind, 'group' | 'version'>[]
  /** Of a custom resource. */
  readonly customType?: CustomType
}

const registered = new Map<string, BodyKind>()
const keyOf = ({ group, version, kind }: GroupVersionKind) => `${group}/${version}/${kind}`

/** Called once, by src/api/kinds.ts. */
export function registerKinds(kinds: readonly BodyKind[]): void {
  for (const kind of kinds) registered.set(keyOf(kind), kind)
}

export const findRegistered = (kind: GroupVersionKind): BodyKind | undefined => registered.get(keyOf(kind))
