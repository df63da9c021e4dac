import type { Kind } from '../../../machinery/kind.ts'
import type { Role } from '../../../types.ts'
import { roleTypes } from './schema.ts'
import { roleStrategy } from './strategy.ts'

export const roles: Kind<Role> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  singular: 'role',
  namespaced: true,
  type: 'rbac.Role',
  types: roleTypes,
  strategy: roleStrategy,
}
