// Adds the not-ready taint to new nodes, until they report that they are ready.
// Kubernetes: plugin/pkg/admission/nodetaint.Plugin.Admit
import { addNewNodeTaint } from '../../api/kinds/core/node/admission.ts'
import type { Node, Writable } from '../../api/types.ts'
import { type AdmissionPlugin, creates } from './plugin.ts'

export const newNodeTaint: AdmissionPlugin = {
  admit(write) {
    if (creates(write, 'core.Node')) addNewNodeTaint(write.next as Writable<Node>)
  },
}
