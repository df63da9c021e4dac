import type { Strategy } from '../../../machinery/kind.ts'
import type { ClusterRole } from '../../../types.ts'

export const clusterRoleStrategy: Strategy<ClusterRole> = {
  names: 'path-segment',
  createOnUpdate: true,
}
