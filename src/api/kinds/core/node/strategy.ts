// Kubernetes: pkg/registry/core/node.nodeStrategy.*, nodeStatusStrategy.*, nodeWarnings
import { fill, replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import type { Node, Writable } from '../../../types.ts'
import { validateNode, validateNodeStatusUpdate, validateNodeUpdate } from './validation.ts'

/** The status is kept at creation: a kubelet registers its node with it. */
export const nodeStrategy: Strategy<Node> = {
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
