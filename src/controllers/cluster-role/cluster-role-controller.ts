// Keeps the rules of aggregated ClusterRoles up to date.
// Kubernetes: pkg/controller/clusterroleaggregation.ClusterRoleAggregationController.*
import { clusterRoles } from '../../api/kinds.ts'
import { compareNames } from '../../api/machinery/compare-names.ts'
import type { ClusterRole, Stored } from '../../api/types.ts'
import { buildController, watched } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { planAggregation } from './plan/aggregate.ts'

export const clusterRoleController: ControllerDefinition = {
  name: 'clusterrole-aggregation-controller',
  isWanted: ({ servesPolicies = false }) => servesPolicies,
  start: startClusterRoleController,
}

function startClusterRoleController(parts: CommonParts): RunningController {
  const roles = parts.informers.get(clusterRoles)
  const isAggregated = ({ aggregationRule }: ClusterRole) => aggregationRule !== undefined
  return buildController(parts, {
    name: 'ClusterRoleAggregator',
    for: clusterRoles,
    delayOf: (role) => (isAggregated(role) ? 0 : undefined),
    // A change of any role may concern every aggregated one. There are few of them.
    watches: [watched<ClusterRole>(clusterRoles, () => [...roles.values()].filter(isAggregated).map(({ metadata }) => metadata.name))],
    workers: 1,
    async reconcile(role: Stored<ClusterRole>, { client }) {
      const next = planAggregation(role, [...roles.values()].sort(compareNames))
      if (next !== undefined) await client.update(clusterRoles, next)
    },
  })
}
