// Kubernetes: pkg/registry/rbac/clusterrolebinding.strategy.*
// Kubernetes: pkg/printers/internalversion.printClusterRoleBinding
// Kubernetes: pkg/apis/rbac/v1.SetDefaults_ClusterRoleBinding
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ClusterRoleBinding } from '../../../types.ts'
import { bindingColumns, defaultRoleBinding, validateBinding, validateRoleRefUpdate } from '../role-binding/kind.ts'

const validate = (binding: ClusterRoleBinding) => validateBinding(binding, ['ClusterRole'], false)

export const clusterRoleBindings: Kind<ClusterRoleBinding> = {
  ...resource('rbac.ClusterRoleBinding'),
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    default: defaultRoleBinding,
    validate,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: (next, current) => [...validate(next), ...validateRoleRefUpdate(next, current)],
  },
  columns: bindingColumns,
}
