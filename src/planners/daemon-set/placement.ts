// On which nodes the pods of a DaemonSet belong.
import { isNodeWanted, readNodeRequirement } from '../../api/node-requirement.ts'
import type { DaemonSet, Node, PodSpec, Stored } from '../../api/types.ts'
import { isTolerated, tolerationsOf } from './tolerations.ts'

export interface Place {
  /** A pod is to be made there if there is none. */
  readonly shouldRun: boolean
  /** A pod that is there may stay. */
  readonly shouldStay: boolean
}

export type Placement = (node: Stored<Node>) => Place

const yes: Place = { shouldRun: true, shouldStay: true }
const no: Place = { shouldRun: false, shouldStay: false }
const stay: Place = { shouldRun: false, shouldStay: true }

/** Remembers its answers by node: of thousands, few change between two looks. */
export function placementOf({ spec }: DaemonSet): Placement {
  const podSpec = spec?.template?.spec as PodSpec | undefined
  if (podSpec === undefined) return () => no
  const tolerations = tolerationsOf(podSpec)
  const wanted = readNodeRequirement(podSpec)
  const known = new WeakMap<Stored<Node>, Place>()
  const place = (node: Stored<Node>): Place => {
    if (podSpec.nodeName && podSpec.nodeName !== node.metadata.name) return no
    if (wanted !== undefined && !isNodeWanted(wanted, node.metadata.name, node.metadata.labels ?? {})) return no
    let isRepelled = false
    for (const taint of node.spec?.taints ?? []) {
      if (taint.effect !== 'NoSchedule' && taint.effect !== 'NoExecute') continue
      if (isTolerated(tolerations, taint)) continue
      if (taint.effect === 'NoExecute') return no
      isRepelled = true
    }
    return isRepelled ? stay : yes
  }
  return (node) => {
    const remembered = known.get(node)
    if (remembered !== undefined) return remembered
    const found = place(node)
    known.set(node, found)
    return found
  }
}
