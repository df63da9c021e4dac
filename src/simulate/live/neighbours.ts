// Pods of other workloads that decide where the simulated pods may run: by affinity, by spreading, and by ports of the node. Pure.
import type { KubernetesObject, Pod } from '../../api/types.ts'
import { formatQuantity } from '../../base/quantity.ts'
import { templateOf } from '../rollout/prepare.ts'
import { neighbourAnnotation } from '../rollout/workload-kinds.ts'
import { requestsOf } from './live-nodes.ts'
import { matchesSelector, templateLabels } from './selection.ts'

type PodSpec = NonNullable<Pod['spec']>
type Term = NonNullable<
  NonNullable<NonNullable<PodSpec['affinity']>['podAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>[number]

const requiredAgainst = ({ affinity }: PodSpec): readonly Term[] =>
  affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []

/** The selectors by which the pods of a workload choose a node next to, or apart from, other pods. */
function selectorsOf({ affinity, topologySpreadConstraints = [] }: PodSpec): readonly Term['labelSelector'][] {
  const of = (part: NonNullable<PodSpec['affinity']>['podAffinity']) => [
    ...(part?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(part?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]
  return [...of(affinity?.podAffinity), ...of(affinity?.podAntiAffinity), ...topologySpreadConstraints].map(
    ({ labelSelector }) => labelSelector,
  )
}

const hostPortsOf = ({ containers = [], initContainers = [] }: PodSpec) =>
  [...containers, ...initContainers].flatMap(({ ports = [] }) => ports.filter(({ hostPort }) => hostPort !== undefined))

/** Whether the scheduler consults the pod for pods of the workload. */
export function isNeighbour({ metadata, spec, status }: Pod, workload: KubernetesObject): boolean {
  const own = templateOf(workload)?.spec as PodSpec | undefined
  if (own === undefined || spec?.nodeName === undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed') return false
  return (
    selectorsOf(own).some((selector) => matchesSelector(selector, metadata?.labels ?? {})) ||
    requiredAgainst(spec).some(({ labelSelector }) => matchesSelector(labelSelector, templateLabels(workload))) ||
    (hostPortsOf(own).length > 0 && hostPortsOf(spec).length > 0)
  )
}

/** The pod without its containers: its labels, its place, its requests and its ports. `isPlaced` false: it may run on any node. */
export function neighbourOf(pod: Pod, isPlaced: boolean): KubernetesObject {
  const { metadata, spec } = pod
  const requests = Object.fromEntries([...requestsOf(pod)].map(([name, nano]) => [name, formatQuantity({ nano, format: 'DecimalSI' })]))
  const limits = Object.fromEntries(Object.entries(requests).filter(([name]) => !isOvercommitted(name)))
  const ports = hostPortsOf(spec!)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: metadata?.name,
      annotations: { [neighbourAnnotation]: 'true' },
      ...(metadata?.namespace !== undefined && { namespace: metadata.namespace }),
      ...(metadata?.labels !== undefined && { labels: metadata.labels }),
    },
    spec: {
      ...(isPlaced && { nodeName: spec?.nodeName }),
      ...(spec?.affinity?.podAntiAffinity !== undefined && { affinity: { podAntiAffinity: spec.affinity.podAntiAffinity } }),
      ...(spec?.hostNetwork === true && { hostNetwork: true }),
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'neighbour',
          image: 'neighbour',
          resources: { requests, ...(Object.keys(limits).length > 0 && { limits }) },
          ...(ports.length > 0 && { ports: ports.map(({ name: _, ...port }) => port) }),
        },
      ],
    },
  } as KubernetesObject
}

/** Other resources need a limit that equals the request. */
const isOvercommitted = (resource: string) => ['cpu', 'memory', 'ephemeral-storage'].includes(resource)
