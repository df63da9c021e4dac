// Kubernetes: pkg/registry/rbac/rolebinding.strategy.*
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { declared, type FieldError, invalid, notSupported, required } from '../../../machinery/field-error.ts'
import { replaceFields } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain, isPathSegmentName } from '../../../machinery/validation/names.ts'
import type { ClusterRoleBinding, RoleBinding, RoleSubject, Writable } from '../../../types.ts'

// The columns of RoleBindings and ClusterRoleBindings.
// Kubernetes: pkg/printers/internalversion.printRoleBinding, printClusterRoleBinding
export const bindingColumns = columnsOf<RoleBinding | ClusterRoleBinding>([
  nameColumn,
  text('Role', 'The role that the subjects get.', ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`),
  ageColumn,
  text('Users', 'The users among the subjects.', ({ subjects }) => subjectsCell(subjects, 'User', ({ name }) => name), 1),
  text('Groups', 'The groups among the subjects.', ({ subjects }) => subjectsCell(subjects, 'Group', ({ name }) => name), 1),
  text(
    'ServiceAccounts',
    'The service accounts among the subjects.',
    ({ subjects }) => subjectsCell(subjects, 'ServiceAccount', ({ namespace, name }) => `${namespace ?? ''}/${name}`),
    1,
  ),
])

const subjectsCell = (subjects: readonly RoleSubject[] | undefined, kind: string, show: (subject: RoleSubject) => string) =>
  (subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(show)
    .join(', ')

export const roleBindings: Kind<RoleBinding> = {
  ...resource('rbac.RoleBinding'),
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    default: defaultRoleBinding,
    validate: validateRoleBinding,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: (next, current) => [...validateRoleBinding(next), ...validateRoleRefUpdate(next, current)],
  },
  columns: bindingColumns,
}

// Kubernetes: pkg/apis/rbac/v1.SetDefaults_RoleBinding, SetDefaults_ClusterRoleBinding, SetDefaults_Subject
/** The defaults of RoleBindings and ClusterRoleBindings. */
export function defaultRoleBinding(binding: Writable<RoleBinding | ClusterRoleBinding>): void {
  if (binding.roleRef && !binding.roleRef.apiGroup)
    binding.roleRef = replaceFields('rbac.RoleRef', binding.roleRef, { apiGroup: rbacGroup })
  if (binding.subjects)
    binding.subjects = binding.subjects.map((subject) =>
      !subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')
        ? replaceFields('rbac.Subject', subject, { apiGroup: rbacGroup })
        : subject,
    )
}

// Kubernetes: pkg/apis/rbac/validation.ValidateRoleBinding, ValidateClusterRoleBinding, ValidateRoleBindingUpdate
// Kubernetes: pkg/apis/rbac/validation.ValidateClusterRoleBindingUpdate, ValidateRoleBindingSubject
const rbacGroup = 'rbac.authorization.k8s.io'

function validateRoleBinding(binding: RoleBinding): FieldError[] {
  return validateBinding(binding, ['Role', 'ClusterRole'], true)
}

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
