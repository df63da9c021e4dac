import type { Deployment, KubernetesObject } from '../../../api/types.ts'
import { matchesLabels } from '../../../base/label-selector.ts'
import { requirementsOf } from '../../shared/plan/selectors.ts'

/** Whether the Deployment selects the ReplicaSet or pod. An empty selector selects nothing. */
export function isSelected({ spec }: Deployment, { metadata }: KubernetesObject): boolean {
  const requirements = requirementsOf(spec?.selector)
  return requirements !== undefined && requirements.length > 0 && matchesLabels(requirements, metadata?.labels)
}
