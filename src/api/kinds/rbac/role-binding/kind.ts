import type { Kind } from '../../../machinery/kind.ts'
import type { RoleBinding } from '../../../types.ts'
import { roleBindingColumns } from './columns.ts'
import { roleBindingTypes } from './schema.ts'
import { roleBindingStrategy } from './strategy.ts'

export const roleBindings: Kind<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  singular: 'rolebinding',
  namespaced: true,
  type: 'rbac.RoleBinding',
  types: roleBindingTypes,
  strategy: roleBindingStrategy,
  columns: roleBindingColumns,
}
