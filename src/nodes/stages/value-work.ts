// A value that holds another one many times is small in memory, and as large as all of them when it is printed.
import type { WorkBudget } from '../work-budget.ts'

const maxDepth = 100

/** Counts what printing the value would be. Throws WorkLimitError when that is too much. */
export function spendValue(value: unknown, work: WorkBudget, depth = 0): void {
  work.spend(0.2)
  if (depth > maxDepth) throw new Error('a value is nested too deeply')
  if (typeof value === 'string') work.spend(value.length / 64)
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) spendValue(one, work, depth + 1)
}
