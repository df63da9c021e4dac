// A value that contains another value many times is small in memory but large in its serialized form.
// Ours: Stages belong to KWOK, another program.
import type { WorkBudget } from '../work-budget.ts'

const maxDepth = 100

/** Charges the work of serializing the value. Throws WorkLimitError. */
export function spendValue(value: unknown, work: WorkBudget, depth = 0): void {
  work.spend(0.2)
  if (depth > maxDepth) throw new Error('a value is nested too deeply')
  if (typeof value === 'string') work.spend(value.length / 64)
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) spendValue(one, work, depth + 1)
}
