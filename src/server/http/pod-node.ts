// The node that a connection to a pod leads to.
import { nodes, pods } from '../../api/kinds.ts'
import { failure, isStatusError, notFoundError } from '../../api/machinery/status-error.ts'
import type { Node, Pod } from '../../api/types.ts'
import type { Rest } from '../rest/rest.ts'

/** Throws where the node does not exist, with Kubernetes' message, or has no address. */
export function requireNode(rest: Rest, { spec }: Pod): void {
  const name = spec?.nodeName ?? ''
  let node: Node
  try {
    node = rest.get(nodes, '', name).object as Node
  } catch (error) {
    // The message names the pods of a node: Kubernetes reports the error of the node as one of the resource that was asked for.
    throw isStatusError(error, 'NotFound') ? notFoundError(pods, name) : error
  }
  if ((node.status?.addresses ?? []).length === 0) throw failure(500, '', 'no preferred addresses found; known addresses: []')
}
