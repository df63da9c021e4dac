// Kubernetes: pkg/registry/rbac/rolebinding.strategy.*
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
