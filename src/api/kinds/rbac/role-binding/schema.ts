import type { Types } from '../../../machinery/schema/schema.ts'

export const roleBindingTypes: Types = {
  'rbac.RoleBinding': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    subjects: '[]rbac.Subject list=atomic #2',
    roleRef: 'rbac.RoleRef always required #3',
  },
  'rbac.Subject': {
    $struct: 'atomic',
    kind: 'string always required #1',
    apiGroup: 'string goName=APIGroup #2',
    name: 'string always required #3',
    namespace: 'string #4',
  },
  'rbac.RoleRef': {
    $struct: 'atomic',
    apiGroup: 'string always goName=APIGroup #1',
    kind: 'string always required #2',
    name: 'string always required #3',
  },
}
