// Which nodes `--drain` means: by name, or by labels.
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import { type Fail, stepOf } from './arguments.ts'
import { nodeNames } from './nodes.ts'
import type { PlannedStep } from './plan.ts'

/** `node-1`, `node-1,node-2`, or `pool=a` for all nodes with these labels. */
export function readDrain(text: string, groups: readonly NodeGroup[], isOneByOne: boolean, fail: Fail): PlannedStep {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (words.length === 0) fail('there is no node. Write node-1, or the labels of nodes, such as pool=a')
  const labels = words.filter((word) => word.includes('='))
  if (labels.length > 0 && labels.length < words.length) fail(`cannot read "${text}". Write names of nodes, or labels, not both`)
  const nodes = labels.length === 0 ? words : labelled(groups, labels)
  if (nodes.length === 0) fail(`no node has the labels ${labels.join(',')}. Give nodes labels in --nodes, such as '3x4cpu16Gi[pool=a]'`)
  const known = nodeNames(groups)
  const unknown = nodes.find((name) => !known.includes(name))
  if (unknown !== undefined) fail(`there is no node "${unknown}". The nodes are ${known[0]} to ${known.at(-1)}`)
  return stepOf(0, { type: 'drain-nodes', nodes, isOneByOne })
}

function labelled(groups: readonly NodeGroup[], wanted: readonly string[]): readonly string[] {
  const hasAll = ({ labels = {} }: NodeGroup) =>
    wanted.every((text) => {
      const [key = '', value = ''] = text.split('=')
      return Object.hasOwn(labels, key) && labels[key] === value
    })
  // Nodes are numbered over all groups of a name.
  const all = nodeNames(groups)
  let from = 0
  return groups.flatMap((group) => {
    const own = all.slice(from, from + (group.nodeName === undefined ? (group.count ?? 1) : 1))
    from += own.length
    return hasAll(group) ? own : []
  })
}
