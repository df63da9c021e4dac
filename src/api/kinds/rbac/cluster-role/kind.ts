// Kubernetes: pkg/registry/rbac/clusterrole.strategy.*
import type { Kind } from '../../../machinery/kind.ts'
import type { ClusterRole } from '../../../types.ts'
import { storeEmptyRules } from '../role/empty-rules.ts'
import { validateClusterRole } from './validation.ts'

export const clusterRoles: Kind<ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  type: 'rbac.ClusterRole',
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    prepareForCreate: storeEmptyRules,
    prepareForUpdate: storeEmptyRules,
    validate: validateClusterRole,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateClusterRole,
  },
}
