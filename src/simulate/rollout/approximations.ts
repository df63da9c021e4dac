// What a simulation does not compute exactly, in words. Pure.
import { formatLength } from './lengths.ts'
import type { Plan } from './plan.ts'
import { tickOf } from './timer-tick.ts'

export function approximationsOf(plan: Plan): string[] {
  const tickMs = tickOf(plan)
  return [
    ...(tickMs > 1 ? [`pods change on a grid of ${formatLength(tickMs)} (--exact: on none)`] : []),
    ...((plan.loads ?? []).some(({ autoscaler }) => autoscaler !== undefined) ? ['autoscalers see the metrics of the moment'] : []),
  ]
}
