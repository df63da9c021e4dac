// Who an object belongs to.
import type { KubernetesObject, OwnerReference } from '../types.ts'

/** The reference to the controller of the object, if it has one. */
export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  const references = metadata?.ownerReferences
  if (references === undefined) return undefined
  for (const reference of references) if (reference.controller === true) return reference
  return undefined
}
