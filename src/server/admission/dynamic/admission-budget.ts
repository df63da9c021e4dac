// The cost limit of the expressions of one configuration, for one request.
// Kubernetes: k8s.io/apiserver/pkg/apis/cel.RuntimeCELCostBudget, PerCallLimit
const limit = 2_500_000

export async function perRequestBudget() {
  const { Budget } = await import('./expressions.ts')
  return new Budget(limit)
}
