// The nodes of `rollcall up` and `rollcall nodes`, and how pods behave on them, from flags and from the files that they name.
import { type LocalClusterOptions, type NodeGroup, type NodeSpec, planFirstNodes } from '../cluster/local-cluster.ts'
import { usageError } from './error-line.ts'
import type { UpOptions } from './up.ts'

const defaultNodeCount = 5

type NodeFlags = Pick<
  UpOptions,
  'nodes' | 'nodeFile' | 'stages' | 'missingImage' | 'autoscale' | 'autoscaleNode' | 'autoscaleDelay' | 'autoscaleIdle'
>

export type ClusterParts = Pick<LocalClusterOptions, 'nodes' | 'autoscale' | 'podLife'>

/** Throws an error with exit code 2 for an invalid file or flag. */
export async function readParts(options: NodeFlags): Promise<ClusterParts> {
  const { nodeFile, stages, missingImage, autoscale } = options
  // Loaded only where there is a file to read.
  const files = nodeFile === undefined && stages === undefined ? undefined : await import('../cluster/cluster-files.ts')
  const file = nodeFile === undefined ? undefined : files!.readNodes(nodeFile)
  const groups = planGroups(options)
  const autoscaled = [...(file?.autoscaled ?? [])]
  if (autoscale !== undefined) {
    const node = options.autoscaleNode === undefined ? (file?.groups[0] ?? {}) : { name: 'auto', ...options.autoscaleNode }
    autoscaled.push({ node, ...autoscale })
  }
  const unused = autoscaled.length > 0 ? undefined : autoscaleFlags.find(([key]) => options[key] !== undefined)
  if (unused !== undefined)
    throw usageError(
      `${unused[1]} needs an autoscaler. Add --autoscale, such as --autoscale 3..10, or a group with autoscale in --node-file.`,
    )
  return {
    nodes: [
      ...(file?.nodes ?? []),
      ...planFirstNodes(groups, autoscale === undefined ? [] : autoscaled.slice(-1)).filter(isNewIn(file?.nodes ?? [])),
    ],
    ...(autoscaled.length > 0 && {
      autoscale: { groups: autoscaled, delayMs: options.autoscaleDelay, idleAfterMs: options.autoscaleIdle },
    }),
    podLife: {
      ...(stages && { stages: files!.readStages(stages) }),
      ...(missingImage && { images: { missing: missingImage } }),
    },
  }
}

const autoscaleFlags = [
  ['autoscaleNode', '--autoscale-node'],
  ['autoscaleDelay', '--autoscale-delay'],
  ['autoscaleIdle', '--autoscale-idle'],
] as const

/** The groups from --nodes. A node file or an autoscaler replaces the default. */
function planGroups({ nodes, nodeFile, autoscale, autoscaleNode }: NodeFlags): NodeGroup[] {
  if (nodes !== undefined) return [{ count: nodes }]
  if (nodeFile !== undefined) return []
  if (autoscale === undefined) return [{ count: defaultNodeCount }]
  return autoscaleNode === undefined ? [{ count: autoscale.min }] : []
}

const isNewIn = (nodes: readonly NodeSpec[]) => {
  const names = new Set(nodes.map(({ name }) => name))
  return ({ name }: NodeSpec) => !names.has(name)
}

const stagedKinds = ['Pod', 'Node']

/** Undefined where there are no Stages. */
export function describeStages({ podLife }: ClusterParts): string | undefined {
  const counts = new Map<string, number>()
  for (const { spec } of podLife?.stages ?? []) counts.set(spec.resourceRef.kind, (counts.get(spec.resourceRef.kind) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const parts = [...counts].map(
    ([kind, count]) => `${count} for ${kind}s${stagedKinds.includes(kind) ? '' : ' (ignored: Stages apply to Pods and Nodes only)'}`,
  )
  return parts.join(', ')
}

/** `count`: of the nodes at the start. */
export function describeNodes({ nodes, autoscale }: ClusterParts, count = nodes.length): string {
  const groups = autoscale?.groups.map(({ node: { name = 'node' }, min, max }) => `${name} from ${min} to ${max}`) ?? []
  if (count === 0 && groups.length === 0) return 'none; a client plays the kubelet through the API'
  return [`${count}, simulated`, ...groups].join('; ')
}
