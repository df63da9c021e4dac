// The graph of owners and dependents of all kinds, by uid. It holds only the metadata that the garbage collector needs.
// Kubernetes: pkg/controller/garbagecollector.GraphBuilder.processGraphChanges, GraphBuilder.insertNode, GraphBuilder.removeNode, node.*

import type { Resource } from '../../api/machinery/kind.ts'
import type { KubernetesObject, OwnerReference, Stored } from '../../api/types.ts'
import { SetMap } from '../../base/maps.ts'
import { foregroundFinalizer } from './plan/collect.ts'

export interface GraphNode {
  readonly resource: Resource
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly ownerReferences: readonly OwnerReference[]
    readonly finalizers: readonly string[]
    readonly isBeingDeleted: boolean
  }
}

const none: readonly never[] = []

export function nodeOf(resource: Resource, { metadata }: Stored<KubernetesObject>): GraphNode {
  return {
    resource,
    metadata: {
      name: metadata.name,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      ownerReferences: metadata.ownerReferences ?? none,
      finalizers: metadata.finalizers ?? none,
      isBeingDeleted: metadata.deletionTimestamp !== undefined,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    },
  }
}

export const isDeletingDependents = ({ metadata }: GraphNode) =>
  metadata.isBeingDeleted && metadata.finalizers.includes(foregroundFinalizer)

export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>()
  /** By the uid of the owner, which need not be in the graph. */
  readonly #dependents = new SetMap<string, string>()

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid)
  }

  dependents(uid: string): GraphNode[] {
    const found: GraphNode[] = []
    for (const dependent of this.#dependents.get(uid) ?? none) {
      const node = this.#nodes.get(dependent)
      if (node !== undefined) found.push(node)
    }
    return found
  }

  put(node: GraphNode): void {
    const { uid, ownerReferences } = node.metadata
    const before = this.#nodes.get(uid)
    this.#nodes.set(uid, node)
    if (before?.metadata.ownerReferences === ownerReferences) return
    if (before !== undefined) this.#unlink(before)
    for (const { uid: owner } of ownerReferences) this.#dependents.add(owner, uid)
  }

  remove(uid: string): void {
    const node = this.#nodes.get(uid)
    if (node === undefined) return
    this.#nodes.delete(uid)
    this.#unlink(node)
  }

  #unlink({ metadata }: GraphNode): void {
    for (const { uid: owner } of metadata.ownerReferences) this.#dependents.remove(owner, metadata.uid)
  }
}
