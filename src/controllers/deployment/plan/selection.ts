// Which objects the selectors of a Deployment and its ReplicaSets match.
// Kubernetes: pkg/controller/deployment.DeploymentController.getPodMapForDeployment, DeploymentController.getDeploymentsForReplicaSet
import type { Deployment, KubernetesObject, Pod, ReplicaSet } from '../../../api/types.ts'
import { matchesLabels } from '../../../base/label-selector.ts'
import { requirementsOf, validRequirementsOf } from '../../shared/plan/selectors.ts'

/** Whether the Deployment selects the ReplicaSet or pod. An empty selector selects nothing. */
export function isSelected({ spec }: Deployment, { metadata }: KubernetesObject): boolean {
  const requirements = requirementsOf(spec?.selector)
  return requirements !== undefined && requirements.length > 0 && matchesLabels(requirements, metadata?.labels)
}

const none: readonly Pod[] = []

/** Those of the pods that the ReplicaSet selects. It adopts no others, and does not count others that it owns. */
export function selectedBySet({ spec }: ReplicaSet, pods: readonly Pod[]): readonly Pod[] {
  const requirements = pods.length === 0 ? undefined : validRequirementsOf(spec?.selector)
  return requirements === undefined ? none : pods.filter(({ metadata }) => matchesLabels(requirements, metadata?.labels))
}
