// A new node takes no pods until it is ready: the node lifecycle controller removes the taint.
// Kubernetes: plugin/pkg/admission/nodetaint.Plugin.Admit
import { replaceFields } from '../../../machinery/fields.ts'
import type { Node, Writable } from '../../../types.ts'

const key = 'node.kubernetes.io/not-ready'
const effect = 'NoSchedule'

/** At creation. */
export function addNewNodeTaint(node: Writable<Node>): void {
  const taints = node.spec?.taints ?? []
  if (taints.some((taint) => taint.key === key && taint.effect === effect)) return
  node.spec = replaceFields('core.NodeSpec', node.spec ?? {}, { taints: [...taints, { key, effect }] })
}
