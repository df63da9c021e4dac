// Kubernetes: k8s.io/api/rbac/v1.Role, ClusterRole
/** Protobuf does not distinguish an empty list from none: Kubernetes returns a role without rules with null. */
export function storeEmptyRules(role: { rules?: unknown[] | null }): void {
  if (role.rules?.length === 0) role.rules = null
}
