import { fill, replaceFields } from '../../../machinery/fields.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import type { Node, Writable } from '../../../types.ts'

export function defaultNode(node: Writable<Node>): void {
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
