// Kubernetes: pkg/registry/rbac/rolebinding.strategy.*
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { RoleBinding } from '../../../types.ts'
import { bindingColumns } from './columns.ts'
import { defaultRoleBinding } from './defaults.ts'
import { validateRoleBinding, validateRoleRefUpdate } from './validation.ts'

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
