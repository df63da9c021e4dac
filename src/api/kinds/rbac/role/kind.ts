// Kubernetes: pkg/registry/rbac/role.strategy.*
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { Role } from '../../../types.ts'
import { storeEmptyRules } from './empty-rules.ts'
import { validateRole } from './validation.ts'

export const roles: Kind<Role> = {
  ...resource('rbac.Role'),
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    prepareForCreate: storeEmptyRules,
    prepareForUpdate: storeEmptyRules,
    validate: validateRole,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateRole,
  },
}
