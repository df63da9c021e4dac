// Taints and tolerations.
import type { Node, PodSpec } from '../../api/types.ts'

export type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number]
export type Tolerations = NonNullable<PodSpec['tolerations']>

export function isTolerated(tolerations: Tolerations, taint: Taint): boolean {
  for (const { effect, key, operator, value } of tolerations) {
    if (effect && effect !== taint.effect) continue
    if (key && key !== taint.key) continue
    if (operator === 'Exists') return true
    if ((operator === undefined || operator === '' || operator === 'Equal') && (value ?? '') === (taint.value ?? '')) return true
  }
  return false
}

export const isHard = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute'
export const isSoft = ({ effect }: Taint): boolean => effect === 'PreferNoSchedule'

/** The taint that stands for a cordoned node. */
export const cordonTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
