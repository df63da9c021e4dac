// The cost limit of the expressions of one configuration, for one request.
const limit = 2_500_000

export async function perRequestBudget() {
  const { Budget } = await import('./expressions.ts')
  return new Budget(limit)
}
