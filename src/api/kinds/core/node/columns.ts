// Kubernetes: pkg/printers/internalversion.printNode
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Node } from '../../../types.ts'

const addressOf = ({ status }: Node, type: string) => status?.addresses?.find((address) => address.type === type)?.address ?? '<none>'

export const nodeColumns = columnsOf<Node>([
  nameColumn,
  text('Status', 'Whether the node is ready, and whether it takes pods.', nodeStatus),
  text('Roles', 'The roles of the node.', nodeRoles),
  ageColumn,
  text('Version', 'The version of its kubelet.', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
  text('Internal-IP', 'Its address inside of the cluster.', (node) => addressOf(node, 'InternalIP'), 1),
  text('External-IP', 'Its address outside of the cluster.', (node) => addressOf(node, 'ExternalIP'), 1),
  text('OS-Image', 'Its operating system.', ({ status }) => status?.nodeInfo?.osImage || '<unknown>', 1),
  text('Kernel-Version', 'Its kernel.', kernelCell, 1),
  text('Container-Runtime', 'What runs its containers.', ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>', 1),
])

function kernelCell({ status }: Node): string {
  const { kernelVersion, architecture } = status?.nodeInfo ?? {}
  const kernel = kernelVersion || '<unknown>'
  return architecture ? `${kernel} (${architecture})` : kernel
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
