// What a simulation does not compute exactly, in words. Pure.
import { mayShareBeginning } from './beginning.ts'
import { formatLength } from './lengths.ts'
import { maxPods, type Plan } from './plan.ts'
import { tickFor } from './timer-tick.ts'

/** `reportsEssentialsOnly`: nodes leave out pod states that no other component acts on. */
export function approximationsOf(plan: Plan, reportsEssentialsOnly: boolean): string[] {
  const tickMs = tickFor(maxPods(plan))
  return [
    ...(tickMs > 1 ? [`pods change on a grid of ${formatLength(tickMs)}`] : []),
    // Of few pods, no measure depends on it.
    ...(reportsEssentialsOnly && tickMs > 1 ? ['nodes report only the pod states that other components act on'] : []),
    ...(plan.runs > 1 && mayShareBeginning(plan) ? ['all runs start with the same pods on the same nodes'] : []),
    ...((plan.loads ?? []).some(({ autoscaler }) => autoscaler !== undefined) ? ['autoscalers see the metrics of the moment'] : []),
  ]
}
