import type { Kind } from '../../../machinery/kind.ts'
import type { ClusterRole } from '../../../types.ts'
import { clusterRoleTypes } from './schema.ts'
import { clusterRoleStrategy } from './strategy.ts'

export const clusterRoles: Kind<ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  singular: 'clusterrole',
  namespaced: false,
  type: 'rbac.ClusterRole',
  types: clusterRoleTypes,
  strategy: clusterRoleStrategy,
}
