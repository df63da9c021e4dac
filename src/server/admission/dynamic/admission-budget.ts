// What the expressions of one configuration may cost for one request.
const limit = 2_500_000

export async function perRequestBudget() {
  const { Budget } = await import('./expressions.ts')
  return new Budget(limit)
}
