import type { Types } from '../../../machinery/schema/schema.ts'

export const clusterRoleTypes: Types = {
  'rbac.ClusterRole': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    rules: '[]rbac.PolicyRule always list=atomic #2',
    aggregationRule: '*rbac.AggregationRule #3',
  },
  'rbac.AggregationRule': {
    clusterRoleSelectors: '[]meta.LabelSelector list=atomic #1',
  },
}
