// Reads what the explanation of a Deployment needs. It changes nothing in the cluster.
import { deployments, nodes, podDisruptionBudgets, pods, replicaSets } from '../../api/kinds.ts'
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { listAll } from '../remote/list-all.ts'
import type { ExplainSource } from './explain-deployment.ts'

interface ExplainRequest {
  readonly namespace: string
  readonly name: string
  readonly gates: FeatureGates
  readonly nowMs: number
}

/** Nodes and budgets that the user may not read are left out. */
export async function readExplained(client: Client, { namespace, name, gates, nowMs }: ExplainRequest): Promise<ExplainSource> {
  const deployment = await client.get(deployments, { namespace, name })
  const readable = <T extends KubernetesObject>(objects: Promise<Stored<T>[]>): Promise<Stored<T>[]> =>
    objects.catch((error: unknown) => {
      if (isStatusError(error, 'Forbidden')) return []
      throw error
    })
  const [ownSets, ownPods, budgets, allNodes] = await Promise.all([
    listAll(client, replicaSets, { namespace }),
    listAll(client, pods, { namespace }),
    readable(listAll(client, podDisruptionBudgets, { namespace })),
    readable(listAll(client, nodes, {})),
  ])
  return { deployment, replicaSets: ownSets, pods: ownPods, budgets, nodes: allNodes, gates, nowMs }
}
