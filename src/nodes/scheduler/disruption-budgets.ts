// Which victims of a preemption are protected by a PodDisruptionBudget that allows no further disruption.
// Kubernetes: pkg/scheduler/framework/preemption.FilterVictimsWithPDBViolation
import type { PodDisruptionBudget, Stored } from '../../api/types.ts'
import { selectorRequirements } from '../../base/label-selector.ts'
import { selects } from './pod-counts.ts'
import type { PodNeeds } from './pod-needs.ts'

interface SplitVictims {
  readonly violating: readonly PodNeeds[]
  readonly allowed: readonly PodNeeds[]
}

/** In order: earlier pods use up the disruptions that a budget allows. */
export function splitByBudgets(pods: readonly PodNeeds[], budgets: Iterable<Stored<PodDisruptionBudget>>): SplitVictims {
  const left = [...budgets].map((budget) => ({
    budget,
    selector: selectorRequirements(budget.spec?.selector),
    allowed: budget.status?.disruptionsAllowed ?? 0,
  }))
  if (left.length === 0) return { violating: [], allowed: pods }
  const violating: PodNeeds[] = []
  const allowed: PodNeeds[] = []
  for (const needs of pods) {
    let isViolating = false
    for (const entry of left) {
      const { metadata, status } = entry.budget
      if (metadata.namespace !== needs.namespace || !entry.selector?.length || Object.keys(needs.traits.labels).length === 0) continue
      if (!selects(entry.selector, needs.traits.labels)) continue
      // This disruption is already counted.
      if (Object.hasOwn(status?.disruptedPods ?? {}, needs.pod.metadata.name)) continue
      entry.allowed--
      if (entry.allowed < 0) isViolating = true
    }
    if (isViolating) violating.push(needs)
    else allowed.push(needs)
  }
  return { violating, allowed }
}
