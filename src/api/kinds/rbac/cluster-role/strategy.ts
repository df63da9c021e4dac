import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { ClusterRole } from '../../../types.ts'
import { validateClusterRole } from './validation.ts'

export const clusterRoleStrategy: Strategy<ClusterRole> = {
  names: 'path-segment',
  createOnUpdate: true,
  validate: validateClusterRole,
  validateUpdate: andAsNew('cluster', 'path-segment', validateClusterRole),
}
