import type { Kind } from '../../../machinery/kind.ts'
import type { Role } from '../../../types.ts'
import { storeEmptyRules } from './empty-rules.ts'
import { validateRole } from './validation.ts'

export const roles: Kind<Role> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  type: 'rbac.Role',
  types: {
    'rbac.Role': {
      $typeMeta: 'object',
      rules: '[]rbac.PolicyRule always list=atomic #2',
    },
    'rbac.PolicyRule': {
      verbs: '[]string always list=atomic required #1',
      apiGroups: '[]string list=atomic goName=APIGroups #2',
      resources: '[]string list=atomic #3',
      resourceNames: '[]string list=atomic #4',
      nonResourceURLs: '[]string list=atomic #5',
    },
  },
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
