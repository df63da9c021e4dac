// Reads and checks the options of a test cluster: tests in plain JavaScript have no types.
import { type FeatureGates, parseFeatureGates } from '../../api/machinery/feature-gates.ts'
import { parseTime } from '../../base/clock.ts'
import { defaultStartMs } from '../../base/virtual-clock.ts'
import { simulatedNodes } from '../../cluster/local-store.ts'
import { type RestoredContent, readRestoredContent } from '../../cluster/snapshot/restored-content.ts'
import { maxNodes, type NodeGroup, readNodeGroups, readStageFile, type VirtualClusterOptions } from '../../cluster/virtual-cluster.ts'
import type { CreateClusterOptions } from './cluster-api.ts'

interface ReadOptions {
  /** Undefined: the cluster starts without objects. */
  readonly from: RestoredContent | undefined
  readonly groups: readonly NodeGroup[]
  readonly seed: number
  readonly gates: FeatureGates
  readonly startMs: number
  readonly podLife: NonNullable<VirtualClusterOptions['podLife']>
  readonly maxWritesAtOnce: number
}

/** A rolling update of thousands of pods that start at once writes its ReplicaSets that often at the same time. */
const defaultMaxWritesAtOnce = 50_000

const known: Readonly<Record<keyof CreateClusterOptions, true>> = {
  nodes: true,
  autoscale: true,
  stages: true,
  missingImages: true,
  seed: true,
  gates: true,
  startTime: true,
  heartbeat: true,
  interleave: true,
  pacer: true,
  callDelay: true,
  watchDelay: true,
  invariants: true,
  maxWritesAtOnce: true,
  from: true,
}

export async function readClusterOptions(options: CreateClusterOptions): Promise<ReadOptions> {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name))
      throw new Error(`Cannot create a cluster: there is no option "${name}"; there are ${Object.keys(known).join(', ')}`)
  const { nodes, seed = 1, gates = {}, startTime, maxWritesAtOnce = defaultMaxWritesAtOnce } = options
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`Cannot draw from seed ${JSON.stringify(seed)}: give a whole number from 0 on`)
  if (options.pacer !== undefined && options.pacer !== 'asked' && options.pacer !== 'all')
    throw new Error(`Cannot read pacer ${JSON.stringify(options.pacer)}: give 'asked' or 'all'`)
  if (!(maxWritesAtOnce >= 1)) throw new Error(`Cannot allow ${JSON.stringify(maxWritesAtOnce)} writes at once: give a number from 1 on`)
  const from = options.from === undefined ? undefined : await readRestoredContent(options.from)
  const startMs = startTime === undefined ? (from?.timeMs ?? defaultStartMs) : parseTime(startTime)
  if (Number.isNaN(startMs)) throw new Error(`Cannot read startTime "${startTime}": write it like 2026-01-01T00:00:00Z`)
  if (from !== undefined && startMs < from.timeMs)
    throw new Error(`Cannot start at ${startTime}: the snapshot ${options.from} is of ${from.head.time}, and time does not go back`)
  const wanted = Object.entries(gates).filter(([, on]) => on !== undefined)
  return {
    from,
    groups: nodes === undefined ? (storedGroups(from) ?? groupsOf(3)) : groupsOf(nodes),
    seed,
    gates: parseFeatureGates(wanted.map(([name, on]) => `${name}=${on}`).join(',')),
    startMs,
    podLife: podLifeOf(options),
    maxWritesAtOnce,
  }
}

const storedGroups = (from: RestoredContent | undefined): readonly NodeGroup[] | undefined =>
  from && simulatedNodes(from.content.records)?.map(({ name }) => ({ nodeName: name, zones: [] }))

function podLifeOf({ stages, missingImages }: CreateClusterOptions): ReadOptions['podLife'] {
  if (missingImages !== undefined && !(Array.isArray(missingImages) && missingImages.every((one) => typeof one === 'string')))
    throw new Error(`Cannot read missingImages: give a list of names, such as ['shop/web:2']`)
  const text = typeof stages === 'string' ? stages : JSON.stringify({ kind: 'List', items: stages })
  return {
    ...(stages !== undefined && { stages: readStageFile(text, 'stages') }),
    ...(missingImages !== undefined && { images: { missing: missingImages } }),
  }
}

function groupsOf(nodes: NonNullable<CreateClusterOptions['nodes']>): readonly NodeGroup[] {
  if (Array.isArray(nodes)) return readNodeGroups(nodes, 'nodes')
  if (!Number.isInteger(nodes) || (nodes as number) < 0 || (nodes as number) > maxNodes)
    throw new Error(`Cannot make ${JSON.stringify(nodes)} nodes: give a whole number from 0 to ${maxNodes}, or a list of groups`)
  return [{ count: nodes as number }]
}
