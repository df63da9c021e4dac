// A new node is no place for pods until it has said that it is ready: whoever watches over nodes takes the taint away.
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
