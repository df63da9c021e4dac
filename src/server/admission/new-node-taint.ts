// A new node takes no pods until it is ready: this plugin adds the taint, and the node lifecycle controller removes it.
// Kubernetes: plugin/pkg/admission/nodetaint.Plugin.Admit
import { nodes } from '../../api/kinds.ts'
import { replaceFields } from '../../api/machinery/fields.ts'
import type { Node, Writable } from '../../api/types.ts'
import { type AdmissionPlugin, among, creates } from './plugin.ts'

export const newNodeTaint: AdmissionPlugin = {
  concerns: among(nodes),
  admit(write) {
    if (creates(write)) addNewNodeTaint(write.next as Writable<Node>)
  },
}

const key = 'node.kubernetes.io/not-ready'
const effect = 'NoSchedule'

/** At creation. */
export function addNewNodeTaint(node: Writable<Node>): void {
  const taints = node.spec?.taints ?? []
  if (taints.some((taint) => taint.key === key && taint.effect === effect)) return
  node.spec = replaceFields('core.NodeSpec', node.spec ?? {}, { taints: [...taints, { key, effect }] })
}
