// Taints of nodes, and whether the tolerations of a pod match them.
// Kubernetes: k8s.io/api/core/v1.Toleration.ToleratesTaint
// Kubernetes: k8s.io/component-helpers/scheduling/corev1.TolerationsTolerateTaint, FindMatchingUntoleratedTaint
import type { Node, PodSpec } from '../../../types.ts'

export type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number]
export type Toleration = NonNullable<PodSpec['tolerations']>[number]

export function tolerates({ effect, key, operator, value }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false
  if (key && key !== taint.key) return false
  if (operator === 'Exists') return true
  return (operator === undefined || operator === '' || operator === 'Equal') && (value ?? '') === (taint.value ?? '')
}

export const isTolerated = (tolerations: readonly Toleration[], taint: Taint): boolean =>
  tolerations.some((toleration) => tolerates(toleration, taint))

export const isHard = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute'
export const isSoft = ({ effect }: Taint): boolean => effect === 'PreferNoSchedule'

/** The taint of a cordoned node. */
export const cordonTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
