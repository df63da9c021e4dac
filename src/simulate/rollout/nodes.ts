// The nodes of a simulation, where the user names none.
import type { KubernetesObject } from '../../api/types.ts'
import { milliValue, parseQuantity, wholeValue } from '../../base/quantity.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import type { PlannedObject } from './plan.ts'
import { templateOf } from './prepare.ts'

const minNodes = 3
const preferredMaxNodes = 10
const maxCpu = 64
const largeNodePods = 250
const smallNode = { cpu: 4, memoryGi: 16, pods: 110 }
const gibi = 2 ** 30

/** As the fleet names nodes: by group, numbered from 1. */
export function nodeNames(groups: readonly NodeGroup[]): string[] {
  const counts = new Map<string, number>()
  return groups.flatMap(({ name = 'node', count = 1, nodeName }) => {
    if (nodeName !== undefined) return [nodeName]
    const from = counts.get(name) ?? 0
    counts.set(name, from + count)
    return Array.from({ length: count }, (_, index) => `${name}-${from + index + 1}`)
  })
}

interface Need {
  readonly pods: number
  readonly milliCpu: number
  readonly bytes: number
}

/** Enough for twice the pods, on few nodes, so that no pod waits for room. */
export function defaultNodes(objects: readonly PlannedObject[], largestScale: number): NodeGroup[] {
  const needs = objects
    .map(({ object }) => needOf(object))
    .map((need) => ({ ...need, pods: need.pods === 0 ? 0 : Math.max(need.pods, largestScale) }))
  const sum = (read: (need: Need) => number) => needs.reduce((total, need) => total + read(need) * need.pods, 0)
  let [cpu, memoryGi, podsOfNode] = [smallNode.cpu, smallNode.memoryGi, smallNode.pods]
  // A node that is nearly full has no room for one more pod: a quarter of each node stays unused.
  const nodesFor = () =>
    Math.ceil(
      Math.max(
        (2 * sum(({ milliCpu }) => milliCpu)) / (cpu * 1000 * 0.75),
        (2 * sum(({ bytes }) => bytes)) / (memoryGi * gibi * 0.75),
        (2 * sum(() => 1)) / podsOfNode,
      ),
    )
  const isTooSmall = () => needs.some((need) => need.milliCpu > cpu * 1000 || need.bytes > memoryGi * gibi)
  while (cpu < maxCpu && (isTooSmall() || nodesFor() > preferredMaxNodes)) {
    cpu *= 2
    memoryGi *= 2
    podsOfNode = largeNodePods
  }
  return [{ count: Math.max(minNodes, nodesFor()), cpu: String(cpu), memory: `${memoryGi}Gi`, pods: podsOfNode }]
}

interface Requests {
  readonly resources?: { readonly requests?: Readonly<Record<string, unknown>>; readonly limits?: Readonly<Record<string, unknown>> }
}

function needOf(object: KubernetesObject): Need {
  const { spec } = object as {
    readonly spec?: { readonly replicas?: number; readonly parallelism?: number; readonly strategy?: { readonly type?: string } }
  }
  const containers = (templateOf(object)?.spec?.containers ?? []) as readonly Requests[]
  if (containers.length === 0) return { pods: 0, milliCpu: 0, bytes: 0 }
  const replicas = Number(spec?.replicas ?? spec?.parallelism ?? 1)
  const amount = (name: string, read: (quantity: NonNullable<ReturnType<typeof parseQuantity>>) => number) =>
    containers.reduce((sum, { resources }) => {
      const quantity = parseQuantity(String(resources?.requests?.[name] ?? resources?.limits?.[name] ?? '0'))
      return sum + (quantity === undefined ? 0 : read(quantity))
    }, 0)
  return {
    pods: Number.isFinite(replicas) ? Math.ceil(replicas * 1.25) : 0,
    milliCpu: amount('cpu', milliValue),
    bytes: amount('memory', wholeValue),
  }
}
