import type { Strategy } from '../../../machinery/kind.ts'
import type { ClusterRoleBinding } from '../../../types.ts'
import { defaultRoleBinding } from '../role-binding/defaults.ts'

export const clusterRoleBindingStrategy: Strategy<ClusterRoleBinding> = {
  names: 'path-segment',
  createOnUpdate: true,
  default: defaultRoleBinding,
}
