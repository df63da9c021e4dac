// Kubernetes: pkg/apis/rbac/validation.ValidateRoleBinding, ValidateClusterRoleBinding, ValidateRoleBindingUpdate
// Kubernetes: pkg/apis/rbac/validation.ValidateClusterRoleBindingUpdate, ValidateRoleBindingSubject
import { isEqualJson } from '../../../../base/json.ts'
import { declared, type FieldError, invalid, notSupported, required } from '../../../machinery/field-error.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain, isPathSegmentName } from '../../../machinery/validation/names.ts'
import type { RoleBinding, RoleSubject } from '../../../types.ts'

const rbacGroup = 'rbac.authorization.k8s.io'

export const validateRoleBinding = (binding: RoleBinding): FieldError[] => validateBinding(binding, ['Role', 'ClusterRole'], true)

/** `roleKinds` are the kinds of role that the binding may name. */
export function validateBinding({ roleRef, subjects }: RoleBinding, roleKinds: readonly string[], isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = []
  const { apiGroup, kind, name } = roleRef
  if (apiGroup !== rbacGroup) errors.push(notSupported('roleRef.apiGroup', apiGroup, [rbacGroup]))
  if (!roleKinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, roleKinds))
  if (!name) errors.push(declared(required('roleRef.name', '')))
  else for (const message of isPathSegmentName(name)) errors.push(invalid('roleRef.name', name, message))
  return [...errors, ...(subjects ?? []).flatMap((subject, i) => validateSubject(subject, `subjects[${i}]`, isNamespaced))]
}

function validateSubject({ kind, name, apiGroup = '', namespace = '' }: RoleSubject, path: string, isNamespaced: boolean): FieldError[] {
  const errors: FieldError[] = []
  if (!name) errors.push(declared(required(`${path}.name`, '')))
  switch (kind) {
    case 'ServiceAccount':
      if (name) for (const message of isDns1123Subdomain(name)) errors.push(invalid(`${path}.name`, name, message))
      if (apiGroup !== '') errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']))
      if (!isNamespaced && namespace === '') errors.push(required(`${path}.namespace`, ''))
      return errors
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) errors.push(notSupported(`${path}.apiGroup`, apiGroup, [rbacGroup]))
      return errors
    default:
      return [...errors, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
  }
}

/** The role of a binding is immutable, so that a binding never grants another role. */
export function validateRoleRefUpdate({ roleRef: next }: RoleBinding, { roleRef: current }: RoleBinding): FieldError[] {
  if (isEqualJson(next, current)) return []
  return [invalid('roleRef', { APIGroup: next.apiGroup, Kind: next.kind, Name: next.name }, immutableMessage)]
}
