// Pods, nodes and whole clusters for the tests of the scheduler.
import type { Node, Pod, PodSpec, Stored } from '../../../api/types.ts'
import { seededRandom } from '../../../base/random.ts'
import { ClusterState } from '../cluster-state.ts'
import { planPlacement } from '../placement.ts'
import { type PodNeeds, readNeeds } from '../pod-needs.ts'

export interface SampleNode {
  readonly cpu?: string
  readonly memory?: string
  readonly pods?: string
  readonly more?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: Node['spec']
}

export function sampleNode(name: string, { cpu = '4', memory = '8Gi', pods = '110', more, labels, spec }: SampleNode = {}): Stored<Node> {
  return {
    metadata: { name, uid: `node-${name}`, resourceVersion: '1', labels: { 'kubernetes.io/hostname': name, ...labels } },
    ...(spec && { spec }),
    status: { allocatable: { cpu, memory, pods, 'ephemeral-storage': '100Gi', ...more } },
  }
}

export interface SamplePod extends Partial<PodSpec> {
  readonly requests?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly namespace?: string
  readonly isTerminating?: boolean
  readonly startTime?: string
}

export function samplePod(name: string, sample: SamplePod = {}): Stored<Pod> {
  const { requests, labels, namespace = 'default', isTerminating, startTime, ...spec } = sample
  return {
    metadata: {
      name,
      namespace,
      uid: name,
      resourceVersion: '1',
      generation: 1,
      ...(labels && { labels }),
      ...(isTerminating && { deletionTimestamp: '2026-11-01T12:00:00Z' }),
    },
    spec: { containers: [{ name: 'c', ...(requests && { resources: { requests } }) }], ...spec },
    ...(startTime && { status: { startTime } }),
  }
}

export const sampleNeeds = (name: string, sample?: SamplePod): PodNeeds => readNeeds(samplePod(name, sample))

/** Nodes by name, and the pods that are on them. */
export interface SampleCluster {
  readonly nodes: Readonly<Record<string, SampleNode>>
  readonly pods?: Readonly<Record<string, SamplePod & { readonly on: string }>>
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export function sampleState({ nodes, pods = {}, namespaces = {} }: SampleCluster): ClusterState {
  const state = new ClusterState()
  for (const [name, labels] of Object.entries(namespaces)) state.setNamespace(name, labels)
  for (const [name, node] of Object.entries(nodes)) state.setNode(sampleNode(name, node))
  for (const [name, { on, ...pod }] of Object.entries(pods)) state.place(sampleNeeds(name, pod), on)
  return state
}

/** The node, or the message. */
export function scheduleOf(state: ClusterState, pod: SamplePod, seed = 1): string {
  const placement = planPlacement(sampleNeeds('new', pod), state, seededRandom(seed))
  return 'node' in placement ? placement.node : placement.message
}
