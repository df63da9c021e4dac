// Which object an owner reference means. Its uid alone does not decide: a reference is valid only in the namespace of its owner.
// Kubernetes: pkg/controller/garbagecollector.GarbageCollector.isDangling, ownerReferenceMatchesCoordinates
// Kubernetes: pkg/controller/garbagecollector.GraphBuilder.reportInvalidNamespaceOwnerRef
import type { OwnerReference } from '../../../api/types.ts'

interface GraphObject {
  readonly resource: { readonly group: string; readonly version: string; readonly kind: string; readonly namespaced: boolean }
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

type Located = Pick<GraphObject, 'metadata'>

/** An owner with a namespace can own objects of that namespace only; one without can own every object. */
export const isOfOtherNamespace = (owner: GraphObject, { metadata }: Located): boolean =>
  owner.resource.namespaced && owner.metadata.namespace !== metadata.namespace

/** Whether a reference in the item, which has the uid of this object, also has its version, kind, name and namespace. */
export function isNamedBy(owner: GraphObject, { apiVersion, kind, name }: OwnerReference, item: Located): boolean {
  const { group, version, kind: ownKind } = owner.resource
  const ownVersion = group === '' ? version : `${group}/${version}`
  return apiVersion === ownVersion && kind === ownKind && name === owner.metadata.name && !isOfOtherNamespace(owner, item)
}

export function invalidNamespaceMessage({ apiVersion, kind, name, uid }: OwnerReference, namespace = ''): string {
  return `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}] does not exist in namespace "${namespace}"`
}
