// Kubernetes: pkg/registry/rbac/clusterrole.strategy.*
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ClusterRole } from '../../../types.ts'
import { storeEmptyRules } from '../role/empty-rules.ts'
import { validateClusterRole } from './validation.ts'

export const clusterRoles: Kind<ClusterRole> = {
  ...resource('rbac.ClusterRole'),
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
