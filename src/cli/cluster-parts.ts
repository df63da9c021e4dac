// Which nodes `rollcall up` brings, and how pods live on them: from its flags, and from the files that they name.
import { type LocalClusterOptions, type NodeGroup, type NodeSpec, planFirstNodes } from '../cluster/local-cluster.ts'
import type { UpOptions } from './up.ts'

const usualNodes = 5

/** The flags that say which nodes there are. */
export type NodeFlags = Pick<
  UpOptions,
  'nodes' | 'nodeFile' | 'stages' | 'missingImage' | 'autoscale' | 'autoscaleNode' | 'autoscaleDelay' | 'autoscaleIdle'
>

export type ClusterParts = Pick<LocalClusterOptions, 'nodes' | 'autoscale' | 'podLife'>

/** Throws an error with exit code 2 where a file is not as it must be. */
export async function readParts(options: NodeFlags): Promise<ClusterParts> {
  const { nodeFile, stages, missingImage, autoscale } = options
  // Loaded when there is a file to read.
  const files = nodeFile === undefined && stages === undefined ? undefined : await import('../cluster/cluster-files.ts')
  const file = nodeFile === undefined ? undefined : files!.readNodes(nodeFile)
  const groups = planGroups(options)
  const autoscaled = [...(file?.autoscaled ?? [])]
  if (autoscale !== undefined) {
    const node = options.autoscaleNode === undefined ? (file?.groups[0] ?? {}) : { name: 'auto', ...options.autoscaleNode }
    autoscaled.push({ node, ...autoscale })
  }
  const idle = autoscaled.length > 0 ? undefined : autoscaleFlags.find(([key]) => options[key] !== undefined)
  if (idle !== undefined)
    throw Object.assign(new Error(`${idle[1]} needs --autoscale, as in --autoscale 3..10, or a group with autoscale in --node-file`), {
      exitCode: 2,
    })
  return {
    nodes: [
      ...(file?.nodes ?? []),
      ...planFirstNodes(groups, autoscale === undefined ? [] : autoscaled.slice(-1)).filter(isNewIn(file?.nodes ?? [])),
    ],
    ...(autoscaled.length > 0 && {
      autoscale: {
        groups: autoscaled,
        ...(options.autoscaleDelay !== undefined && { delayMs: options.autoscaleDelay }),
        ...(options.autoscaleIdle !== undefined && { idleAfterMs: options.autoscaleIdle }),
      },
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

/** Of --nodes. A file or an autoscaler brings its own. */
function planGroups({ nodes, nodeFile, autoscale, autoscaleNode }: NodeFlags): NodeGroup[] {
  if (nodes !== undefined) return [{ count: nodes }]
  if (nodeFile !== undefined) return []
  if (autoscale === undefined) return [{ count: usualNodes }]
  return autoscaleNode === undefined ? [{ count: autoscale.min }] : []
}

const isNewIn = (nodes: readonly NodeSpec[]) => {
  const names = new Set(nodes.map(({ name }) => name))
  return ({ name }: NodeSpec) => !names.has(name)
}

const playedKinds = ['Pod', 'Node']

/** Undefined where there are none. */
export function describeStages({ podLife }: ClusterParts): string | undefined {
  const counts = new Map<string, number>()
  for (const { spec } of podLife?.stages ?? []) counts.set(spec.resourceRef.kind, (counts.get(spec.resourceRef.kind) ?? 0) + 1)
  if (counts.size === 0) return undefined
  const parts = [...counts].map(
    ([kind, count]) => `${count} for ${kind}s${playedKinds.includes(kind) ? '' : ' (not played: only Pods and Nodes live by stages)'}`,
  )
  return parts.join(', ')
}

export function describeNodes({ nodes, autoscale }: ClusterParts): string {
  const groups = autoscale?.groups.map(({ node: { name = 'node' }, min, max }) => `${name} from ${min} to ${max}`) ?? []
  if (nodes.length === 0 && groups.length === 0) return 'none: play the kubelet through the API'
  return [`${nodes.length}, simulated`, ...groups].join('; ')
}
