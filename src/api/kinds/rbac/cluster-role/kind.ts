// Kubernetes: pkg/registry/rbac/clusterrole.strategy.*
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import type { ClusterRole } from '../../../types.ts'
import { validatePolicyRule } from '../role/kind.ts'

export const clusterRoles: Kind<ClusterRole> = {
  ...resource('rbac.ClusterRole'),
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    validate: validateClusterRole,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateClusterRole,
  },
}

// Kubernetes: pkg/apis/rbac/validation.ValidateClusterRole, ValidateClusterRoleUpdate
function validateClusterRole({ rules, aggregationRule }: ClusterRole): FieldError[] {
  const errors = (rules ?? []).flatMap((rule, i) => validatePolicyRule(rule, `rules[${i}]`, false))
  if (aggregationRule === undefined) return errors
  const selectors = aggregationRule.clusterRoleSelectors ?? []
  const path = 'aggregationRule.clusterRoleSelectors'
  if (selectors.length === 0) errors.push(required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'))
  for (const [i, selector] of selectors.entries()) {
    const problems = validateLabelSelector(selector, `${path}[${i}]`)
    errors.push(...problems)
    if (problems.length > 0) errors.push(invalid(`${path}[${i}]`, undefined, 'invalid label selector.'))
  }
  return errors
}
