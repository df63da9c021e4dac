import { formatRequirements, selectorRequirements } from '../../../../base/label-selector.ts'
import type { ScaleAccess } from '../../../machinery/kind.ts'
import type { ReplicationController } from '../../../types.ts'
import { setReplicas } from '../../autoscaling/scale/access.ts'

export const replicationControllerScale: ScaleAccess<ReplicationController> = {
  replicas: ({ spec }) => spec?.replicas ?? 0,
  statusReplicas: ({ status }) => status?.replicas ?? 0,
  selector: ({ spec }) => formatRequirements(selectorRequirements({ matchLabels: spec?.selector ?? {} }) ?? []),
  setReplicas,
}
