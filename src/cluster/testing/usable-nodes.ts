// For tests without the node lifecycle controller: removes the not-ready taint of new nodes, so that pods can be scheduled.
import { nodes } from '../../api/kinds.ts'
import type { KubernetesObject, Node, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'

export function withUsableNodes(client: Client): Client {
  return {
    ...client,
    async create(resource, namespace, object, options) {
      const made = await client.create(resource, namespace, object, options)
      if (resource.plural !== nodes.plural) return made
      const kept = (made as Stored<Node>).spec?.taints?.filter(({ key }) => key !== 'node.kubernetes.io/not-ready') ?? []
      const spec = { taints: kept.length === 0 ? null : kept }
      const usable: Stored<KubernetesObject> = await client.patch(nodes, { name: made.metadata.name }, 'merge', { spec })
      return usable as typeof made
    },
  }
}
