// Builds the view that the page shows from the state of the cluster.
import { milliValue, parseQuantity, wholeValue } from '../../src/base/quantity.ts'
import { type ClusterState, countsByState, type Workload } from './cluster-state.ts'
import { differencesOf } from './differences.ts'
import { type AnyObject, type Container, conditionsOf, controllerOf, type Fields } from './objects.ts'
import type { PodEntry } from './owner-counts.ts'
import { podStates, reasonOf, restartsOf, terminatingForMs } from './pod-summary.ts'
import type { NodeRow, NodesView, OverviewView, PodRow, RevisionRow, View, ViewRequest, WorkloadRow, WorkloadView } from './views.ts'
import { expectedOf, stateOfWorkload, type WaitingPods, waitsFor, workloadStates } from './workload-summary.ts'

export function buildView(state: ClusterState, request: ViewRequest, nowMs: number): View {
  switch (request.page) {
    case 'overview':
      return overviewOf(state, nowMs)
    case 'nodes':
      return nodesOf(state)
    case 'workload':
      return workloadOf(state, request, nowMs)
  }
}

function rowOf(state: ClusterState, workload: Workload): WorkloadRow {
  const { key, kind, object, changedMs } = workload
  const counts = countsByState(state.countsOf(workload))
  const expected = expectedOf(kind, object)
  const { namespace = '', name, labels = {} } = object.metadata
  return {
    key,
    kind,
    namespace,
    name,
    labels,
    ...counts,
    ...stateOfWorkload(kind, object, counts, expected),
    desired: expected.desired,
    cap: expected.cap,
    changedMs,
  }
}

function overviewOf(state: ClusterState, nowMs: number): OverviewView {
  const workloads = [...state.workloads.values()]
    // Old Jobs of a CronJob and empty ReplicaSets of others are not what a person looks for first.
    .map((workload) => rowOf(state, workload))
    .sort((a, b) => workloadStates.indexOf(a.state) - workloadStates.indexOf(b.state) || (a.key < b.key ? -1 : 1))
  const pods = { ready: 0, starting: 0, pending: 0, terminating: 0 }
  for (const counts of state.owners.values())
    counts.forEach((_, one, count) => {
      pods[one] += count
    })
  const nodes = [...state.nodes.values()]
  return {
    page: 'overview',
    workloads,
    namespaces: [...new Set(workloads.map(({ namespace }) => namespace))].sort(),
    pods,
    nodes: { ready: nodes.filter(isReady).length, total: nodes.length },
    nowMs,
  }
}

const isReady = (node: AnyObject) => conditionsOf(node).some(({ type, status }) => type === 'Ready' && status === 'True')

function workloadOf(
  state: ClusterState,
  { key, podsFrom, podsTo }: Extract<ViewRequest, { page: 'workload' }>,
  nowMs: number,
): WorkloadView {
  const workload = state.workloads.get(key)
  if (workload === undefined)
    return {
      page: 'workload',
      row: undefined,
      conditions: [],
      waitsFor: '',
      history: { startMs: nowMs, times: [], layers: [], desired: [], cap: [], available: [], nodes: [] },
      marks: [],
      revisions: [],
      pods: [],
      podsFrom: 0,
      podCount: 0,
      nowMs,
      manifest: undefined,
    }
  const owners = state.ownersOf(workload)
  const entries = owners.flatMap((owner) => [...(state.owners.get(owner)?.pods.values() ?? [])].map((entry) => ({ owner, entry })))
  entries.sort((a, b) => urgency(a.entry) - urgency(b.entry) || (a.entry.pod.metadata.name < b.entry.pod.metadata.name ? -1 : 1))
  const counts = countsByState(state.countsOf(workload))
  const shown = entries.slice(podsFrom, podsTo)
  return {
    page: 'workload',
    row: rowOf(state, workload),
    conditions: conditionsOf(workload.object),
    waitsFor: waitsFor(
      workload.object,
      counts,
      expectedOf(workload.kind, workload.object),
      waitingPods(
        entries.map(({ entry }) => entry),
        nowMs,
      ),
    ),
    history: workload.history.view(nowMs),
    marks: workload.marks,
    revisions: revisionsOf(state, workload),
    pods: shown.map(({ owner, entry }) => podRow(state, owner, entry, nowMs)),
    podsFrom,
    podCount: entries.length,
    nowMs,
    manifest: { apiVersion: apiVersions[workload.kind] ?? 'apps/v1', kind: workload.kind, ...workload.object },
  }
}

const apiVersions: Readonly<Record<string, string>> = { Job: 'batch/v1', CronJob: 'batch/v1' }

/** Terminating and waiting pods first: they are what a person looks for. */
const order = ['terminating', 'pending', 'starting', 'ready']
const urgency = ({ state }: PodEntry) => (state === undefined ? order.length : order.indexOf(state))

function waitingPods(entries: readonly PodEntry[], nowMs: number): WaitingPods {
  const first = (wanted: string) => entries.find(({ state }) => state === wanted)
  const terminating = entries
    .filter(({ state }) => state === 'terminating')
    .reduce<PodEntry | undefined>(
      (longest, one) => (longest !== undefined && terminatingForMs(longest.pod, nowMs) >= terminatingForMs(one.pod, nowMs) ? longest : one),
      undefined,
    )
  const described = (entry: PodEntry | undefined) => entry && { name: entry.pod.metadata.name, text: reasonOf(entry.pod, nowMs) }
  const [t, p, s] = [described(terminating), described(first('pending')), described(first('starting'))]
  return { ...(t && { terminating: t }), ...(p && { pending: p }), ...(s && { starting: s }) }
}

function podRow(state: ClusterState, owner: string, { pod, state: podState, hash, node }: PodEntry, nowMs: number): PodRow {
  return {
    name: pod.metadata.name,
    state: podState ?? 'finished',
    revision: state.revisionOf(owner, hash),
    node,
    createdMs: Date.parse(pod.metadata.creationTimestamp ?? '') || nowMs,
    reason: reasonOf(pod, nowMs),
    restarts: restartsOf(pod),
    ...(podState === 'terminating' && {
      terminating: { forMs: terminatingForMs(pod, nowMs), graceMs: (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000 },
    }),
  }
}

function revisionsOf(state: ClusterState, workload: Workload): RevisionRow[] {
  const { kind, object } = workload
  const sources =
    kind === 'Deployment'
      ? state.ownersOf(workload).flatMap((uid) => {
          const replicaSet = state.replicaSets.get(uid)
          return replicaSet === undefined
            ? []
            : [{ object: replicaSet, revision: state.revisionOf(uid, ''), template: templateOf(replicaSet.spec) }]
        })
      : [...state.controllerRevisions.values()]
          .filter((one) => controllerOf(one)?.uid === object.metadata.uid)
          .map((one) => ({
            object: one,
            revision: (one as { readonly revision?: number }).revision ?? 0,
            template: templateOf((one as { readonly data?: { readonly spec?: Fields } }).data?.spec),
          }))
  const { layers } = state.countsOf(workload)
  sources.sort((a, b) => b.revision - a.revision)
  return sources.map(({ object: one, revision, template }, index) => ({
    revision,
    name: one.metadata.name,
    isCurrent: index === 0,
    images: ((template?.['spec'] as { readonly containers?: readonly Container[] } | undefined)?.containers ?? []).map(
      ({ image = '' }) => image,
    ),
    createdMs: Date.parse(one.metadata.creationTimestamp ?? '') || 0,
    pods: Object.fromEntries(
      podStates.map((podState) => [podState, layers.get(`${revision}-${podState}`) ?? 0]),
    ) as unknown as RevisionRow['pods'],
    differences: sources[index + 1] === undefined ? [] : differencesOf(withoutHash(sources[index + 1]!.template), withoutHash(template)),
  }))
}

const templateOf = (spec: Fields | undefined) => spec?.['template'] as Fields | undefined

/** The label of the revision differs always. */
function withoutHash(template: Fields | undefined): unknown {
  const metadata = template?.['metadata'] as { readonly labels?: Readonly<Record<string, string>> } | undefined
  const { 'pod-template-hash': _, ...labels } = metadata?.labels ?? {}
  return { ...template, metadata: { ...metadata, labels } }
}

interface Size {
  cpu: number
  memory: number
}

const cores = (text: string | undefined) => {
  const quantity = text === undefined ? undefined : parseQuantity(text)
  return quantity === undefined ? 0 : milliValue(quantity) / 1000
}
const bytes = (text: string | undefined) => {
  const quantity = text === undefined ? undefined : parseQuantity(text)
  return quantity === undefined ? 0 : wholeValue(quantity)
}

/** Requests by the spec's containers, remembered: a pod's requests seldom change. */
const requestCache = new WeakMap<object, Size>()
function requestsOf(containers: readonly Container[]): Size {
  const known = requestCache.get(containers)
  if (known !== undefined) return known
  const size = { cpu: 0, memory: 0 }
  for (const { resources } of containers) {
    size.cpu += cores(resources?.requests?.['cpu'])
    size.memory += bytes(resources?.requests?.['memory'])
  }
  requestCache.set(containers, size)
  return size
}

function nodesOf(state: ClusterState): NodesView {
  const used = new Map<string, Size & { ready: number; starting: number; pending: number; terminating: number }>()
  for (const { pods } of state.owners.values())
    for (const { pod, state: podState, node } of pods.values()) {
      if (podState === undefined || node === '') continue
      const own = used.get(node) ?? { cpu: 0, memory: 0, ready: 0, starting: 0, pending: 0, terminating: 0 }
      used.set(node, own)
      const { cpu, memory } = requestsOf(pod.spec?.containers ?? [])
      own.cpu += cpu
      own.memory += memory
      own[podState]++
    }
  const nodes = [...state.nodes.values()].map((node): NodeRow => {
    const { cpu = 0, memory = 0, ready = 0, starting = 0, pending = 0, terminating = 0 } = used.get(node.metadata.name) ?? {}
    const allocatable = (node.status?.['allocatable'] ?? {}) as Readonly<Record<string, string>>
    const taints = (node.spec?.['taints'] ?? []) as readonly { readonly key: string; readonly effect: string }[]
    return {
      name: node.metadata.name,
      isReady: isReady(node),
      isUnschedulable: node.spec?.['unschedulable'] === true,
      taints: taints.map(({ key, effect }) => `${key}:${effect}`),
      pods: { ready, starting, pending, terminating },
      podLimit: Number(allocatable['pods'] ?? 0),
      cpu: [cpu, cores(allocatable['cpu'])],
      memory: [memory, bytes(allocatable['memory'])],
    }
  })
  nodes.sort((a, b) => Number(a.isReady) - Number(b.isReady) || a.name.localeCompare(b.name, 'en', { numeric: true }))
  return { page: 'nodes', nodes }
}
