// From what is asked of a node to the object that stands for it.

import type * as k8s from '@kubernetes/client-node'
import type { Node, Wire } from '../api/types.ts'
import { formatTime } from '../base/clock.ts'
import { digestOf } from './kubelet/seeded-hash.ts'

/** A node as somebody orders it. Everything has a default. */
export interface NodeSpec {
  readonly name: string
  readonly cpu?: string
  readonly memory?: string
  readonly pods?: number
  readonly ephemeralStorage?: string
  /** Of `topology.kubernetes.io/zone`. */
  readonly zone?: string
  /** Of `topology.kubernetes.io/region`. */
  readonly fleetEnvironment?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly taints?: readonly Wire<k8s.V1Taint>[]
  /** More resources, such as `nvidia.com/gpu`. */
  readonly resources?: Readonly<Record<string, string>>
  /** Cordoned. */
  readonly unschedulable?: boolean
  /** What another node has reported about itself: this one is the same. */
  readonly report?: NodeReport
}

export interface NodeReport {
  readonly capacity?: Readonly<Record<string, string>>
  readonly allocatable?: Readonly<Record<string, string>>
  readonly nodeInfo?: NonNullable<Node['status']>['nodeInfo']
}

/** Nodes of one kind: `count` of them, named `name-1`, `name-2`, … */
export interface NodeGroup extends Omit<NodeSpec, 'name'> {
  readonly name?: string
  readonly count?: number
  /** In turns. */
  readonly zones?: readonly string[]
}

const defaultZones = ['zone-a', 'zone-b', 'zone-c']
/** The name of a group that has none. */
export const defaultGroupName = 'node'

/** Where the nodes of the group are, in turns. */
export const zonesOf = ({ zone, zones = defaultZones }: NodeGroup): readonly string[] => (zone === undefined ? zones : [zone])

export function planNodes(groups: readonly NodeGroup[]): NodeSpec[] {
  const nodes: NodeSpec[] = []
  const counts = new Map<string, number>()
  for (const group of groups) {
    const { count = 1, name = defaultGroupName, zones: _, ...spec } = group
    const zones = zonesOf(group)
    for (let index = 0; index < count; index++) {
      const zone = zones[index % zones.length]
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      nodes.push({ ...spec, name: `${name}-${number}`, ...(zone !== undefined && { zone }) })
    }
  }
  return nodes
}

/** On every node that this fleet has made. */
export const ownNodeAnnotation = 'rollcall.dev/node'
export const kwokNodeAnnotation = 'kwok.x-k8s.io/node'
export const kubeletVersion = 'v1.36.4+rollcall'

export const defaultMaxPods = 110

const conditionRows = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const

type NodeCondition = Wire<k8s.V1NodeCondition>

/** The conditions of a healthy node, with the times of those that have not changed. Those of others stay. */
export function nextNodeConditions(old: readonly NodeCondition[] | undefined, nowMs: number): NodeCondition[] {
  const now = formatTime(nowMs)
  const own = new Set<string>(conditionRows.map(([type]) => type))
  return [
    ...(old ?? []).filter(({ type }) => !own.has(type)),
    ...conditionRows.map(([type, status, reason, message]) => {
      const before = old?.find((one) => one.type === type)
      const lastTransitionTime = before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : now
      return { type, status, lastHeartbeatTime: now, lastTransitionTime, reason, message }
    }),
  ]
}

export function planNode(spec: NodeSpec, ip: string, podCidr: string, nowMs: number): Node {
  const { name, labels, annotations, taints, zone, fleetEnvironment, unschedulable } = spec
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...(fleetEnvironment !== undefined && { 'topology.kubernetes.io/region': fleetEnvironment }),
        ...(zone !== undefined && { 'topology.kubernetes.io/zone': zone }),
        ...labels,
      },
      annotations: { [ownNodeAnnotation]: 'simulated', ...annotations },
    },
    spec: { podCIDR: podCidr, podCIDRs: [podCidr], ...(taints?.length && { taints }), ...(unschedulable && { unschedulable }) },
    status: planNodeStatus(spec, ip, undefined, nowMs),
  }
}

/** What the node reports about itself. What an earlier report, or whoever made the node, has said stays; gaps are filled. */
export function planNodeStatus(spec: NodeSpec, ip: string, old: Node['status'], nowMs: number): NonNullable<Node['status']> {
  const { name, cpu = '4', memory = '16Gi', pods = defaultMaxPods, ephemeralStorage = '100Gi', resources, report } = spec
  const size = {
    cpu,
    'ephemeral-storage': ephemeralStorage,
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory,
    pods: String(pods),
    ...resources,
  }
  const id = digestOf(`node/${name}`)
  const uuid = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`
  const capacity = old?.capacity ?? report?.capacity ?? size
  return {
    ...old,
    capacity,
    allocatable: old?.allocatable ?? (old?.capacity === undefined ? report?.allocatable : undefined) ?? capacity,
    addresses: old?.addresses ?? [
      { type: 'InternalIP', address: ip },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } } as unknown as Wire<k8s.V1NodeDaemonEndpoints>,
    nodeInfo: {
      architecture: 'amd64',
      bootID: uuid,
      containerRuntimeVersion: 'containerd://2.1.4',
      kernelVersion: '6.8.0-rollcall',
      kubeProxyVersion: '',
      kubeletVersion,
      machineID: id.slice(0, 32),
      operatingSystem: 'linux',
      osImage: 'Rollcall simulated node',
      systemUUID: uuid,
      ...report?.nodeInfo,
      ...withoutEmptyFields(old?.nodeInfo),
    },
    conditions: nextNodeConditions(old?.conditions, nowMs),
  }
}

/** Without the fields that are empty. */
const withoutEmptyFields = <T extends object>(fields: T | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== '')) as Partial<T>
