// The tolerations of DaemonSet pods: they stay on a node with problems.
// Kubernetes: pkg/controller/daemon/util.AddOrUpdateDaemonPodTolerations
import type { Toleration } from '../../../api/kinds/core/node/taints.ts'
import type { PodSpec } from '../../../api/types.ts'

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
