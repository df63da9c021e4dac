// Adds the not-ready taint to new nodes, until they report that they are ready.
// Kubernetes: plugin/pkg/admission/nodetaint.Plugin.Admit
import { addNewNodeTaint } from '../../api/kinds/core/node/admission.ts'
import { nodes } from '../../api/kinds.ts'
import type { Node, Writable } from '../../api/types.ts'
import { type AdmissionPlugin, among, creates } from './plugin.ts'

export const newNodeTaint: AdmissionPlugin = {
  concerns: among(nodes),
  admit(write) {
    if (creates(write)) addNewNodeTaint(write.next as Writable<Node>)
  },
}
