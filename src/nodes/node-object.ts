// Creates Node objects from the requested size, labels and taints.
// Kubernetes: pkg/kubelet.Kubelet.initialNode, Kubelet.setNodeStatus
// Kubernetes: pkg/kubelet/nodestatus.ReadyCondition, MachineInfo

import type { Node } from '../api/types.ts'
import { formatTime } from '../base/clock.ts'
import { digestOf } from './kubelet/seeded-hash.ts'

/** A requested node. Every field but the name has a default. */
export interface NodeSpec {
  readonly name: string
  readonly cpu?: string
  readonly memory?: string
  readonly pods?: number
  readonly ephemeralStorage?: string
  /** The label `topology.kubernetes.io/zone`. */
  readonly zone?: string
  /** The label `topology.kubernetes.io/region`. */
  readonly region?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly taints?: NonNullable<NonNullable<Node['spec']>['taints']>
  /** Further resources, such as `nvidia.com/gpu`. */
  readonly resources?: Readonly<Record<string, string>>
  readonly unschedulable?: boolean
  /** Where the API of its kubelet is served. Absent: nowhere. */
  readonly kubelet?: { readonly address: string; readonly port: number }
  /** The report of another node, to copy its capacity and its nodeInfo. */
  readonly report?: NodeReport
}

export interface NodeReport {
  readonly capacity?: Readonly<Record<string, string>>
  readonly allocatable?: Readonly<Record<string, string>>
  readonly nodeInfo?: NonNullable<Node['status']>['nodeInfo']
}

/** `count` nodes with the same settings, named `name-1`, `name-2`, … */
export interface NodeGroup extends Omit<NodeSpec, 'name'> {
  readonly name?: string
  readonly count?: number
  /** The whole name of the only node of the group. */
  readonly nodeName?: string
  /** The nodes are distributed over the zones in rotation. */
  readonly zones?: readonly string[]
}

const defaultZones = ['zone-a', 'zone-b', 'zone-c']
/** The name of a group without a name. */
export const defaultGroupName = 'node'

/** The zones of the group, in rotation order. */
export const zonesOf = ({ zone, zones = defaultZones }: NodeGroup): readonly string[] => (zone === undefined ? zones : [zone])

export function planNodes(groups: readonly NodeGroup[]): NodeSpec[] {
  const nodes: NodeSpec[] = []
  const counts = new Map<string, number>()
  for (const group of groups) {
    const { count = 1, name = defaultGroupName, nodeName, zones: _, ...spec } = group
    const zones = zonesOf(group)
    if (nodeName !== undefined) {
      nodes.push({ ...spec, name: nodeName, ...(zones[0] !== undefined && { zone: zones[0] }) })
      continue
    }
    for (let index = 0; index < count; index++) {
      const zone = zones[index % zones.length]
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      nodes.push({ ...spec, name: `${name}-${number}`, ...(zone !== undefined && { zone }) })
    }
  }
  return nodes
}

/** Set to `simulated` on every node of a Rollcall fleet. */
export const ownNodeAnnotation = 'rollcall.dev/node'
const kwokNodeAnnotation = 'kwok.x-k8s.io/node'
/** Whether a fleet adopts the node: it is one of Rollcall's or of KWOK's. */
export const isSimulated = (annotations: Readonly<Record<string, string>> = {}): boolean =>
  annotations[ownNodeAnnotation] === 'simulated' || annotations[kwokNodeAnnotation] === 'fake'
export const kubeletVersion = 'v1.37.1+rollcall'

export const defaultMaxPods = 110

const conditionRows = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const

type NodeCondition = NonNullable<NonNullable<Node['status']>['conditions']>[number]

/** The conditions of a healthy node. Conditions of other types are kept, and so is the lastTransitionTime of an unchanged status. */
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
  const { name, labels, annotations, taints, zone, region, unschedulable } = spec
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
        ...(region !== undefined && { 'topology.kubernetes.io/region': region }),
        ...(zone !== undefined && { 'topology.kubernetes.io/zone': zone }),
        ...labels,
      },
      annotations: { [ownNodeAnnotation]: 'simulated', ...annotations },
    },
    spec: { podCIDR: podCidr, podCIDRs: [podCidr], ...(taints?.length && { taints }), ...(unschedulable && { unschedulable }) },
    status: planNodeStatus(spec, ip, undefined, nowMs),
  }
}

const resizeFeatures = ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers']

/** The status that the node reports. Fields that are already set, by an earlier report or by the creator of the node, are kept. */
export function planNodeStatus(spec: NodeSpec, ip: string, old: Node['status'], nowMs: number): NonNullable<Node['status']> {
  const { name, cpu = '4', memory = '16Gi', pods = defaultMaxPods, ephemeralStorage = '100Gi', resources, report, kubelet } = spec
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
    addresses: (kubelet === undefined ? old?.addresses : undefined) ?? [
      // The API server takes the first of a type.
      ...(kubelet === undefined ? [] : [{ type: 'InternalIP', address: kubelet.address }]),
      { type: 'InternalIP', address: ip },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: kubelet?.port ?? 10250 } },
    // The API server then passes WebSockets on as they are, and lets pods be resized.
    declaredFeatures: [...(kubelet ? ['ExtendWebSocketsToKubelet'] : []), ...resizeFeatures],
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

const withoutEmptyFields = <T extends object>(fields: T | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== '')) as Partial<T>
