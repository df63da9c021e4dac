// Admission on the way in: what depends on more than the object itself.
import type { Kind } from '../../api/kind.ts'
import { namespaces } from '../../api/kinds.ts'
import type { KubernetesObject, Namespace } from '../../api/types.ts'
import { admitIntoNamespace, admitNamespaceDeletion } from '../admission/namespace-lifecycle.ts'
import type { NewObject } from './input.ts'
import { entryOf, keyOf, type Scope } from './scope.ts'

const namespaceKind = namespaces as unknown as Kind

export function readNamespace(scope: Scope, name: string): Namespace | undefined {
  const record = scope.store.get(keyOf(namespaceKind, '', name))
  return record && (entryOf(scope, namespaceKind, record).object as Namespace)
}

/** Changes the object in place, or throws a StatusError. */
export function admitCreate(scope: Scope, kind: Kind, object: NewObject): void {
  if (kind.namespaced) {
    const namespace = object.metadata.namespace ?? ''
    admitIntoNamespace(kind, object.metadata.name ?? '', namespace, readNamespace(scope, namespace))
  }
}

/** The same for an object that takes the place of another one. */
export function admitUpdate(
  _scope: Scope,
  _kind: Kind,
  _next: NewObject,
  _current: KubernetesObject,
  _subresource: string | undefined,
): void {}

/** Throws a StatusError when the object may not be deleted. */
export function admitDelete(kind: Kind, name: string): void {
  if (kind === namespaceKind) admitNamespaceDeletion(name)
}
