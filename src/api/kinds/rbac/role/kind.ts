// Kubernetes: pkg/registry/rbac/role.strategy.*
import { declared, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PolicyRule, Role } from '../../../types.ts'

export const roles: Kind<Role> = {
  ...resource('rbac.Role'),
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    validate: validateRole,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateRole,
  },
}

// Kubernetes: pkg/apis/rbac/validation.ValidateRole, ValidateRoleUpdate, ValidatePolicyRule
function validateRole({ rules }: Role): FieldError[] {
  return (rules ?? []).flatMap((rule, i) => validatePolicyRule(rule, `rules[${i}]`, true))
}

export function validatePolicyRule(rule: PolicyRule, path: string, isNamespaced: boolean): FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const errors: FieldError[] = []
  // Decoding writes null for verbs that are absent.
  if (!rule.verbs?.length) errors.push(declared(required(`${path}.verbs`, '')))
  if (nonResourceURLs.length > 0) {
    const refuse = (why: string) => errors.push(invalid(`${path}.nonResourceURLs`, nonResourceURLs, why))
    if (isNamespaced) refuse('namespaced rules cannot apply to non-resource URLs')
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0)
      refuse('rules cannot apply to both regular resources and non-resource URLs')
    return errors
  }
  if (apiGroups.length === 0) errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'))
  if (resources.length === 0) errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'))
  return errors
}
