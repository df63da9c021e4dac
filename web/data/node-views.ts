// The nodes with their pods and free resources.
import { getOrAdd } from '../../src/base/maps.ts'
import type { ClusterState } from './cluster-state.ts'
import { type AnyObject, conditionsOf, isReadyNode } from './objects.ts'
import { podRow, sortedPods } from './pod-rows.ts'
import { bytes, cores, noPods, type PodEntry, type PodState } from './pod-summary.ts'
import type { NodeRow, NodesView, NodeView, ViewRequest } from './views.ts'

interface Usage {
  cpu: number
  memory: number
  readonly pods: Record<PodState, number>
}

/** Terminating pods take room until they have terminated. */
function addUsage(usage: Usage, { state, cpu, memory }: PodEntry): void {
  if (state === undefined) return
  usage.cpu += cpu
  usage.memory += memory
  usage.pods[state]++
}

const noUsage = (): Usage => ({ cpu: 0, memory: 0, pods: noPods() })

function nodeRow(node: AnyObject, { cpu, memory, pods }: Usage): NodeRow {
  const allocatable = (node.status?.['allocatable'] ?? {}) as Readonly<Record<string, string>>
  const taints = (node.spec?.['taints'] ?? []) as readonly { readonly key: string; readonly effect: string }[]
  return {
    name: node.metadata.name,
    isReady: isReadyNode(node),
    isUnschedulable: node.spec?.['unschedulable'] === true,
    taints: taints.map(({ key, effect }) => `${key}:${effect}`),
    pods,
    podLimit: Number(allocatable['pods'] ?? 0),
    // Sums of tenths are not exact.
    cpu: [Math.round(cpu * 1000) / 1000, cores(allocatable['cpu'])],
    memory: [memory, bytes(allocatable['memory'])],
  }
}

/** Lost nodes first, then those that take no pods. */
export function nodesOf(state: ClusterState): NodesView {
  const used = new Map<string, Usage>()
  for (const { pods } of state.owners.values())
    for (const entry of pods.values()) {
      if (entry.node !== '') addUsage(getOrAdd(used, entry.node, noUsage), entry)
    }
  const nodes = [...state.nodes.values()].map((node) => nodeRow(node, used.get(node.metadata.name) ?? noUsage()))
  const { compare } = new Intl.Collator('en', { numeric: true })
  nodes.sort(
    (a, b) => Number(a.isReady) - Number(b.isReady) || Number(b.isUnschedulable) - Number(a.isUnschedulable) || compare(a.name, b.name),
  )
  return { page: 'nodes', nodes }
}

export function nodeViewOf(
  state: ClusterState,
  { name, podsFrom, podsTo }: Extract<ViewRequest, { page: 'node' }>,
  nowMs: number,
): NodeView {
  const node = state.nodes.get(name)
  const entries: PodEntry[] = []
  const usage = noUsage()
  for (const { pods } of state.owners.values())
    for (const entry of pods.values())
      if (entry.node === name) {
        entries.push(entry)
        addUsage(usage, entry)
      }
  return {
    page: 'node',
    name,
    node: node && nodeRow(node, usage),
    conditions: node === undefined ? [] : conditionsOf(node).map((one) => ({ ...one, isDerived: false })),
    pods: sortedPods(entries, podsFrom, podsTo).map((entry) => {
      const workload = state.keyOfOwner(entry.owner)
      return { ...podRow(state, entry, nowMs, []), ...(workload !== undefined && { workload }) }
    }),
    podsFrom,
    podCount: entries.length,
    nowMs,
  }
}
