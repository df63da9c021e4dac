// The rules of an aggregated ClusterRole: those of all roles that its selectors select. Pure.
// Kubernetes: pkg/controller/clusterroleaggregation.ClusterRoleAggregationController.syncClusterRole, ruleExists
import type { ClusterRole, PolicyRule } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { matchesLabels, selectorRequirements } from '../../../base/label-selector.ts'

/** The role with its rules; undefined when it has them already, or is not aggregated. `all` is sorted by name. */
export function planAggregation<T extends ClusterRole>(role: T, all: readonly ClusterRole[]): T | undefined {
  if (role.aggregationRule === undefined) return undefined
  const rules: PolicyRule[] = []
  const known = new Set<string>()
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const requirements = selectorRequirements(selector)
    for (const other of all) {
      if (requirements === undefined || other.metadata?.name === role.metadata?.name) continue
      if (!matchesLabels(requirements, other.metadata?.labels)) continue
      for (const rule of other.rules ?? []) {
        const text = JSON.stringify(rule)
        if (!known.has(text)) rules.push(rule)
        known.add(text)
      }
    }
  }
  return isEqualJson(rules, role.rules ?? []) ? undefined : { ...role, rules }
}
