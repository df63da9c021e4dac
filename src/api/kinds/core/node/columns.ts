import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Node } from '../../../types.ts'

export const nodeColumns: Columns<Node> = {
  definitions: [
    nameColumn,
    text('Status', 'Whether the node is ready, and whether it takes pods.'),
    text('Roles', 'The roles of the node.'),
    ageColumn,
    text('Version', 'The version of its kubelet.'),
    text('Internal-IP', 'Its address inside of the cluster.', 1),
    text('External-IP', 'Its address outside of the cluster.', 1),
    text('OS-Image', 'Its operating system.', 1),
    text('Kernel-Version', 'Its kernel.', 1),
    text('Container-Runtime', 'What runs its containers.', 1),
  ],
  cells(node, nowMs) {
    const info = node.status?.nodeInfo
    const address = (type: string) => node.status?.addresses?.find((one) => one.type === type)?.address ?? '<none>'
    const kernel = info?.kernelVersion || '<unknown>'
    return [
      nameOf(node),
      nodeStatus(node),
      nodeRoles(node),
      ageOf(node, nowMs),
      info?.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info?.osImage || '<unknown>',
      info?.architecture ? `${kernel} (${info.architecture})` : kernel,
      info?.containerRuntimeVersion || '<unknown>',
    ]
  },
}

function nodeStatus(node: Node): string {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return node.spec?.unschedulable ? `${status},SchedulingDisabled` : status
}

const rolePrefix = 'node-role.kubernetes.io/'

function nodeRoles(node: Node): string {
  const roles = new Set<string>()
  for (const [key, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length))
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value)
  }
  return [...roles].sort().join(',') || '<none>'
}
