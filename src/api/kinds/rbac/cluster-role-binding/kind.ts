import type { Kind } from '../../../machinery/kind.ts'
import type { ClusterRoleBinding } from '../../../types.ts'
import { bindingColumns } from '../role-binding/columns.ts'
import { clusterRoleBindingTypes } from './schema.ts'
import { clusterRoleBindingStrategy } from './strategy.ts'

export const clusterRoleBindings: Kind<ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  type: 'rbac.ClusterRoleBinding',
  types: clusterRoleBindingTypes,
  strategy: clusterRoleBindingStrategy,
  columns: bindingColumns,
}
