// On which nodes the pods of a DaemonSet run.
// Kubernetes: pkg/controller/daemon.NodeShouldRunDaemonPod, predicates

import { isNodeWanted, readNodeRequirement } from '../../../api/kinds/core/node/node-requirement.ts'
import { isHard, isTolerated } from '../../../api/kinds/core/node/taints.ts'
import type { DaemonSet, Node, PodSpec, Stored } from '../../../api/types.ts'
import { getOrAdd } from '../../../base/maps.ts'
import { tolerationsOf } from './tolerations.ts'

export interface Place {
  /** A pod is created if there is none. */
  readonly shouldRun: boolean
  /** An existing pod may stay. */
  readonly shouldStay: boolean
  /** A pod would be created if the node were not lost (not ready or unreachable). */
  readonly isLost: boolean
}

export type Placement = (node: Stored<Node>) => Place

const yes: Place = { shouldRun: true, shouldStay: true, isLost: false }
const no: Place = { shouldRun: false, shouldStay: false, isLost: false }
/** For a node that does not exist. */
export const nowhere = no
const stay: Place = { shouldRun: false, shouldStay: true, isLost: false }
const lost: Place = { shouldRun: false, shouldStay: true, isLost: true }

const taintsOfLostNodes = new Set(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'])

/** The results are cached by node: of thousands of nodes, few change between two syncs. */
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
    let isLost = true
    for (const taint of node.spec?.taints ?? []) {
      if (!isHard(taint) || isTolerated(tolerations, taint)) continue
      if (taint.effect === 'NoExecute') return no
      isRepelled = true
      isLost &&= taintsOfLostNodes.has(taint.key)
    }
    return !isRepelled ? yes : isLost ? lost : stay
  }
  return (node) => getOrAdd(known, node, () => place(node))
}
