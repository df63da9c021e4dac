import type { Types } from '../../../machinery/schema/schema.ts'

export const clusterRoleBindingTypes: Types = {
  'rbac.ClusterRoleBinding': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    subjects: '[]rbac.Subject list=atomic #2',
    roleRef: 'rbac.RoleRef always required #3',
  },
}
