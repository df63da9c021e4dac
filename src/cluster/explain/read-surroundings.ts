// Reads what an explanation needs. It changes nothing in the cluster.
import { controllerRevisions, coreEvents, nodes, persistentVolumeClaims, podDisruptionBudgets, pods, replicaSets } from '../../api/kinds.ts'
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { listAll } from '../remote/list-all.ts'
import type { Surroundings } from './explanation.ts'

/** The objects of a kind: of the namespace, or, of nodes, all. */
export type ListObjects = <T extends KubernetesObject>(kind: Kind<T>) => Promise<readonly Stored<T>[]>

export async function readSurroundings(list: ListObjects, { gates, nowMs }: { gates: FeatureGates; nowMs: number }): Promise<Surroundings> {
  const [ownPods, sets, revisions, claims, budgets, allNodes, events] = await Promise.all([
    list(pods),
    list(replicaSets),
    list(controllerRevisions),
    list(persistentVolumeClaims),
    list(podDisruptionBudgets),
    list(nodes),
    list(coreEvents),
  ])
  const warnings = events.filter(({ type }) => type === 'Warning')
  return { pods: ownPods, replicaSets: sets, revisions, claims, budgets, nodes: allNodes, warnings, gates, nowMs }
}

/** What the user may not read is left out, except pods and ReplicaSets, without which an explanation would be wrong. */
export const listWith =
  (client: Client, namespace: string): ListObjects =>
  (kind) => {
    const scope = { ...(kind.namespaced && { namespace }), ...((kind as unknown) === coreEvents && { fieldSelector: 'type=Warning' }) }
    return listAll(client, kind, scope).catch((error: unknown) => {
      if (isStatusError(error, 'Forbidden') && ![pods, replicaSets].includes(kind as never)) return []
      throw error
    })
  }
