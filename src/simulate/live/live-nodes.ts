// The nodes of a live cluster as node groups: the requests of other pods are subtracted from their capacity. Pure.

import type { Node, Pod } from '../../api/types.ts'
import { defined } from '../../base/defined.ts'
import { getOrAdd, groupBy } from '../../base/maps.ts'
import { formatQuantity, parseQuantity } from '../../base/quantity.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'

interface LiveNodes {
  readonly groups: readonly NodeGroup[]
  /** What was read, in words. */
  readonly note: string
}

/** Labels that a node gets by itself. */
const ownLabels = new Set(['kubernetes.io/hostname'])
/** Taints that the cluster sets and removes by itself. */
const isPassing = (key: string) => key.startsWith('node.kubernetes.io/') || key.endsWith('ByClusterAutoscaler')

/** `isOwn`: pods of the simulated workloads, which the simulation creates itself. */
export function liveNodes(nodes: readonly Node[], pods: readonly Pod[], isOwn: (pod: Pod) => boolean): LiveNodes {
  const usable = nodes.filter((node) => node.spec?.unschedulable !== true && isReady(node))
  const counted = pods.filter(
    (pod) => pod.spec?.nodeName !== undefined && !isOwn(pod) && pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed',
  )
  const others = groupBy(counted, ({ spec }) => spec?.nodeName)
  const skipped = nodes.length - usable.length
  return {
    groups: usable.map((node) => groupOf(node, others.get(node.metadata?.name ?? '') ?? [])),
    note: [
      `${count(usable.length, 'node')} of the cluster`,
      ...(counted.length === 0
        ? []
        : [`less what ${count(counted.length, 'other pod')} on them ${counted.length === 1 ? 'requests' : 'request'}`]),
      ...(skipped === 0 ? [] : [`without ${skipped} that ${skipped === 1 ? 'is' : 'are'} not ready or cordoned`]),
    ].join(', '),
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const isReady = ({ status }: Node) => status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'False'

/** A node that an autoscaler adds: as the one with the most own pods, with the pods that run on each node. Undefined: there is no node. */
export function newNodeOf(nodes: readonly Node[], pods: readonly Pod[], isOwn: (pod: Pod) => boolean): NodeGroup | undefined {
  const onNode = groupBy(pods, ({ spec }) => spec?.nodeName)
  const podsOf = ({ metadata }: Node) => onNode.get(metadata?.name) ?? []
  const ownPods = (node: Node) => podsOf(node).filter(isOwn).length
  const [first, ...more] = nodes.filter((node) => node.spec?.unschedulable !== true && isReady(node))
  if (first === undefined) return undefined
  const model = more.reduce((best, node) => (ownPods(node) > ownPods(best) ? node : best), first)
  const isOfEachNode = ({ metadata }: Pod) => metadata?.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true
  const { nodeName: _, ...group } = groupOf(
    model,
    podsOf(model).filter((pod) => isOfEachNode(pod) && !isOwn(pod)),
  )
  return group
}

function groupOf({ metadata, spec, status }: Node, others: readonly Pod[]): NodeGroup {
  const allocatable = status?.allocatable ?? status?.capacity ?? {}
  const used = new Map<string, bigint>()
  for (const pod of others) for (const [resource, nano] of requestsOf(pod)) used.set(resource, (used.get(resource) ?? 0n) + nano)
  const left = (resource: string) => {
    const quantity = parseQuantity(allocatable[resource] ?? '')
    if (quantity === undefined) return undefined
    const nano = quantity.nano - (used.get(resource) ?? 0n)
    return formatQuantity({ ...quantity, nano: nano < 0n ? 0n : nano })
  }
  const pods = Math.max(0, Number(allocatable['pods'] ?? 110) - others.length)
  const labels = Object.entries(metadata?.labels ?? {}).filter(([key]) => !ownLabels.has(key))
  const taints = (spec?.taints ?? []).filter(({ key }) => !isPassing(key))
  const further = Object.keys(allocatable).filter((name) => !['cpu', 'memory', 'pods', 'ephemeral-storage'].includes(name))
  return {
    nodeName: metadata?.name ?? '',
    zones: [],
    ...defined({ cpu: left('cpu'), memory: left('memory'), ephemeralStorage: left('ephemeral-storage') }),
    pods,
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    ...(taints.length > 0 && { taints: taints.map(({ key, value, effect }) => ({ key, effect, ...(value !== undefined && { value }) })) }),
    ...(further.length > 0 && { resources: Object.fromEntries(further.map((name) => [name, left(name) ?? '0'])) }),
  }
}

const known = new WeakMap<Pod, ReadonlyMap<string, bigint>>()

/** What the scheduler counts: containers together, or an init container that needs more, and the overhead. */
export const requestsOf = (pod: Pod): ReadonlyMap<string, bigint> => getOrAdd(known, pod, () => sumRequests(pod))

function sumRequests({ spec }: Pod): Map<string, bigint> {
  const sum = new Map<string, bigint>()
  const add = (into: Map<string, bigint>, requests: Readonly<Record<string, string>> | undefined) => {
    for (const [resource, text] of Object.entries(requests ?? {}))
      into.set(resource, (into.get(resource) ?? 0n) + (parseQuantity(text)?.nano ?? 0n))
  }
  for (const { resources } of spec?.containers ?? []) add(sum, resources?.requests)
  for (const { resources, restartPolicy } of spec?.initContainers ?? []) {
    if (restartPolicy === 'Always') add(sum, resources?.requests)
    else
      for (const [resource, text] of Object.entries(resources?.requests ?? {})) {
        const nano = parseQuantity(text)?.nano ?? 0n
        if (nano > (sum.get(resource) ?? 0n)) sum.set(resource, nano)
      }
  }
  add(sum, spec?.overhead)
  return sum
}
