// The tolerations of DaemonSet pods: they stay on a node with problems.
import type { Node, PodSpec } from '../../../api/types.ts'

export type Toleration = NonNullable<PodSpec['tolerations']>[number]
type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number]

const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
]

const hostNetworkToleration: Toleration = { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' }

/** The tolerations of the template and of all daemons. One of the template for the same taint with a time limit is replaced. */
export function tolerationsOf({ tolerations = [], hostNetwork }: Pick<PodSpec, 'tolerations' | 'hostNetwork'>): readonly Toleration[] {
  const all = [...tolerations]
  for (const added of hostNetwork ? [...daemonTolerations, hostNetworkToleration] : daemonTolerations) {
    const at = all.findIndex((one) => isForSameTaint(one, added))
    if (at < 0) all.push(added)
    else if (all[at]!.tolerationSeconds !== undefined) all[at] = added
  }
  return all
}

const isForSameTaint = (a: Toleration, b: Toleration) =>
  a.key === b.key && a.effect === b.effect && a.operator === b.operator && (a.value ?? '') === (b.value ?? '')

export function isTolerated(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(({ effect, key, operator, value }) => {
    if (effect && effect !== taint.effect) return false
    if (key && key !== taint.key) return false
    if (operator === 'Exists') return true
    return (operator === undefined || operator === '' || operator === 'Equal') && (value ?? '') === (taint.value ?? '')
  })
}
