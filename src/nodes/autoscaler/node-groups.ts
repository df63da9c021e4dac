// Autoscaled node groups, and the nodes to add to them.
// Ours: cluster-autoscaler is another program.
import type { Node, Stored } from '../../api/types.ts'
import { defaultGroupName, type NodeGroup, type NodeSpec, ownNodeAnnotation, planNode, planNodes, zonesOf } from '../node-object.ts'

/** Between `min` and `max` nodes with the same settings. */
export interface AutoscaledGroup {
  /** Its `count` is ignored. */
  readonly node: NodeGroup
  readonly min: number
  readonly max: number
}

/** The autoscaler options of a cluster. */
export interface Autoscale {
  readonly groups: readonly AutoscaledGroup[]
  /** From the request for a node until it joins. */
  readonly delayMs?: number | undefined
  /** How long a node must be unneeded before it is removed. */
  readonly idleAfterMs?: number | undefined
}

export const groupName = ({ node }: AutoscaledGroup): string => node.name ?? defaultGroupName

/** The number at the end of the name of a node of this group. Undefined: the node is not in the group. */
export function memberNumber(group: AutoscaledGroup, { metadata }: Node): number | undefined {
  const { name = '', annotations = {} } = metadata ?? {}
  const prefix = `${groupName(group)}-`
  if (annotations[ownNodeAnnotation] !== 'simulated' || !name.startsWith(prefix)) return undefined
  const number = name.slice(prefix.length)
  return /^[1-9][0-9]*$/.test(number) ? Number(number) : undefined
}

/** The nodes of a new cluster: the requested ones, and as many as autoscaled groups need for their minimum. */
export function planFirstNodes(groups: readonly NodeGroup[], autoscaled: readonly AutoscaledGroup[] = []): NodeSpec[] {
  const missing = new Map(autoscaled.map((group) => [groupName(group), group]))
  for (const { name = defaultGroupName, count = 1 } of groups) {
    const group = missing.get(name)
    if (group !== undefined) missing.set(name, { ...group, min: group.min - count })
  }
  return planNodes([...groups, ...[...missing.values()].filter(({ min }) => min > 0).map(({ node, min }) => ({ ...node, count: min }))])
}

/** The next node of the group in each of its zones, the zone with the fewest nodes first. */
export function nextNodes(group: AutoscaledGroup, number: number, inZone: ReadonlyMap<string, number>): NodeSpec[] {
  const { count: _, zones: __, nodeName: ___, ...spec } = group.node
  const name = `${groupName(group)}-${number}`
  const zones = zonesOf(group.node)
  if (zones.length === 0) return [{ ...spec, name }]
  return zones
    .map((zone) => ({ zone, nodes: inZone.get(zone) ?? 0 }))
    .sort((a, b) => a.nodes - b.nodes)
    .map(({ zone }) => ({ ...spec, name, zone }))
}

/** The node as it will be after it has joined. */
export function templateNode(spec: NodeSpec): Stored<Node> {
  const node = planNode(spec, '', '', 0)
  return { ...node, metadata: { ...node.metadata, name: spec.name, uid: `imagined-${spec.name}`, resourceVersion: '0' } }
}
