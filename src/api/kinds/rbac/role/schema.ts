import type { Types } from '../../../machinery/schema/schema.ts'

export const roleTypes: Types = {
  'rbac.Role': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    rules: '[]rbac.PolicyRule always list=atomic #2',
  },
  'rbac.PolicyRule': {
    verbs: '[]string always list=atomic required #1',
    apiGroups: '[]string list=atomic goName=APIGroups #2',
    resources: '[]string list=atomic #3',
    resourceNames: '[]string list=atomic #4',
    nonResourceURLs: '[]string list=atomic #5',
  },
}
