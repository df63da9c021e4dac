// Kubernetes: pkg/registry/core/node.NodeToSelectableFields
// Kubernetes: pkg/apis/core/v1.addConversionFuncs
// Kubernetes: pkg/registry/core/node.nodeStrategy.*, nodeStatusStrategy.*, nodeWarnings
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { fill, replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Node, Writable } from '../../../types.ts'
import { validateNode, validateNodeStatusUpdate, validateNodeUpdate } from './validation.ts'

export const nodes: Kind<Node> = {
  ...resource('core.Node'),
  /** The status is kept at creation: a kubelet registers its node with it. */
  strategy: {
    default: defaultNode,
    prepareForCreate(node) {
      if (node.spec) delete node.spec.configSource
      if (node.status) delete node.status.config
    },
    prepareForUpdate(next, current) {
      keepStatus(next, current)
      if (next.spec && !current.spec?.configSource) delete next.spec.configSource
    },
    prepareForStatusUpdate(next, current) {
      keepSpec(next, current)
      if (next.status && !current.status?.config) delete next.status.config
    },
    validate: validateNode,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateNodeUpdate,
    validateStatusUpdate: validateNodeStatusUpdate,
    warnings: ({ spec }) => [
      ...(spec?.configSource ? ['spec.configSource: the feature is removed'] : []),
      ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ],
  },
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable === true) },
  columns: columnsOf<Node>([
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
  ]),
  unknownFieldMessage: unsupportedField,
  hasFewEqualParts: true,
}

function defaultNode(node: Writable<Node>): void {
  if (node.spec) {
    // podCIDR is the first of podCIDRs. Where they differ, podCIDR wins.
    const { podCIDR, podCIDRs } = node.spec
    const first = podCIDRs?.[0] || undefined
    if (podCIDR !== first) node.spec = replaceFields('core.NodeSpec', node.spec, podCIDR ? { podCIDRs: [podCIDR] } : { podCIDR: first })
  }
  const status = node.status
  if (!status) return
  roundResources(status.capacity)
  roundResources(status.allocatable)
  if (status.capacity && !status.allocatable) node.status = fill('core.NodeStatus', status, { allocatable: { ...status.capacity } })
}

// Kubernetes: pkg/printers/internalversion.printNode
const addressOf = ({ status }: Node, type: string) => status?.addresses?.find((address) => address.type === type)?.address ?? '<none>'

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
