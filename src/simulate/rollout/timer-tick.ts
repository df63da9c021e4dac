// The tick of the timers of simulated pods. If ten thousand pods become ready within ten seconds, controllers sync ten thousand times;
// with ticks of one second, they sync ten times.

import { maxPods, type Plan } from './plan.ts'

const exactPods = 100

/** The tick of a plan's runs. It depends on nothing else than the pods: the same seed gives the same run, however many runs there are. */
export function tickOf(plan: Plan): number {
  const pods = maxPods(plan)
  return plan.isExact || pods <= exactPods ? 1 : pods <= 200 ? 250 : pods <= 2000 ? 500 : 1000
}
