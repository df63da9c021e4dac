// References from an object to its controller, the one owner that manages it.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1.GetControllerOf, NewControllerRef
import type { KubernetesObject, OwnerReference } from './types.ts'

/** The reference to the controller of the object, if it has one. */
export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  const references = metadata?.ownerReferences
  if (references === undefined) return undefined
  for (const reference of references) if (reference.controller === true) return reference
  return undefined
}

/** A reference that makes `owner` the controller of an object, and foreground deletion of the owner wait for the object. */
export function controllerReference(
  apiVersion: string,
  kind: string,
  { metadata: owner }: { readonly metadata: { readonly name: string; readonly uid: string } },
): OwnerReference {
  return { apiVersion, kind, name: owner.name, uid: owner.uid, controller: true, blockOwnerDeletion: true }
}
