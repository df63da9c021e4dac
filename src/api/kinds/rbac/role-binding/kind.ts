import type { Kind } from '../../../machinery/kind.ts'
import type { RoleBinding } from '../../../types.ts'
import { bindingColumns } from './columns.ts'
import { defaultRoleBinding } from './defaults.ts'
import { validateRoleBinding, validateRoleRefUpdate } from './validation.ts'

export const roleBindings: Kind<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
  type: 'rbac.RoleBinding',
  types: {
    'rbac.RoleBinding': {
      $typeMeta: 'object',
      subjects: '[]rbac.Subject list=atomic #2',
      roleRef: 'rbac.RoleRef always required #3',
    },
    'rbac.Subject': {
      $struct: 'atomic',
      kind: 'string always required #1',
      apiGroup: 'string goName=APIGroup #2',
      name: 'string always required #3',
      namespace: 'string #4',
    },
    'rbac.RoleRef': {
      $struct: 'atomic',
      apiGroup: 'string always goName=APIGroup #1',
      kind: 'string always required #2',
      name: 'string always required #3',
    },
  },
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
