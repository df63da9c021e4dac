// Builds the view that the page shows from the state of the cluster.
import { type ClusterState, countsByState, type Workload } from './cluster-state.ts'
import { nodesOf, nodeViewOf } from './node-views.ts'
import { isReadyNode } from './objects.ts'
import { podRow, sortedPods } from './pod-rows.ts'
import { isOverdue, noPods, type PodEntry, reasonOf } from './pod-summary.ts'
import { beforeRollout, revisionsOf } from './revisions.ts'
import type { OverviewView, View, ViewRequest, WorkloadRow, WorkloadView } from './views.ts'
import { conditionRows, expectedOf, headlineOf, type WaitingPods, waitsFor, workloadStates } from './workload-summary.ts'

export function buildView(state: ClusterState, request: ViewRequest, nowMs: number): View {
  switch (request.page) {
    case 'overview':
      return overviewOf(state, nowMs)
    case 'nodes':
      return nodesOf(state)
    case 'node':
      return nodeViewOf(state, request, nowMs)
    case 'workload':
      return workloadOf(state, request, nowMs)
  }
}

function rowOf(state: ClusterState, workload: Workload, nowMs: number): WorkloadRow {
  const { key, kind, object, changedMs } = workload
  const counts = countsByState(state.countsOf(workload))
  const expected = expectedOf(kind, object)
  const { namespace = '', name, labels = {} } = object.metadata
  const overdue = counts.terminating === 0 ? 0 : state.terminatingOf(workload).filter((entry) => isOverdue(entry, nowMs)).length
  return {
    key,
    kind,
    namespace,
    name,
    labels,
    ...counts,
    ...headlineOf(kind, object, counts, expected, { troubles: state.troublesOf(workload), overdue }),
    conditions: conditionRows(kind, object, counts, expected).map(({ type, status, isDerived }) => ({ type, status, isDerived })),
    desired: expected.desired,
    cap: expected.cap,
    changedMs,
  }
}

function overviewOf(state: ClusterState, nowMs: number): OverviewView {
  const workloads = [...state.workloads.values()]
    .map((workload) => rowOf(state, workload, nowMs))
    .sort((a, b) => workloadStates.indexOf(a.state) - workloadStates.indexOf(b.state) || (a.key < b.key ? -1 : 1))
  const pods = noPods()
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
    nodes: {
      total: nodes.length,
      lost: nodes
        .filter((node) => !isReadyNode(node))
        .map(({ metadata }) => metadata.name)
        .sort(),
    },
    nowMs,
  }
}

const emptyHistory = { times: [], layers: [], desired: [], cap: [], available: [], nodes: [] }

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
      history: { startMs: nowMs, ...emptyHistory },
      marks: [],
      revisions: [],
      pods: [],
      podsFrom: 0,
      podCount: 0,
      nowMs,
      rollout: undefined,
    }
  const { kind, object, timings } = workload
  const entries = state.ownersOf(workload).flatMap((owner) => [...(state.owners.get(owner)?.pods.values() ?? [])])
  const counts = countsByState(state.countsOf(workload))
  const expected = expectedOf(kind, object)
  const terminating = state.terminatingOf(workload)
  const names = terminating.map(({ name }) => name)
  const history = workload.history.view(nowMs)
  const after = { apiVersion: apiVersions[kind] ?? 'apps/v1', kind, ...object }
  return {
    page: 'workload',
    row: rowOf(state, workload, nowMs),
    conditions: conditionRows(kind, object, counts, expected),
    waitsFor: waitsFor(kind, object, counts, expected, waitingPods(entries, terminating, nowMs)),
    history,
    marks: [...workload.marks.values()].sort((a, b) => a.atMs - b.atMs),
    revisions: revisionsOf(state, workload),
    pods: sortedPods(entries, podsFrom, podsTo).map((entry) => podRow(state, entry, nowMs, names)),
    podsFrom,
    podCount: entries.length,
    nowMs,
    rollout: {
      after,
      before: beforeRollout(state, workload, after, history.desired[0]),
      startMs: timings.startMs,
      stopMs: timings.stopMs,
    },
  }
}

const apiVersions: Readonly<Record<string, string>> = { Job: 'batch/v1', CronJob: 'batch/v1' }

function waitingPods(entries: readonly PodEntry[], terminating: readonly PodEntry[], nowMs: number): WaitingPods {
  const described = (entry: PodEntry | undefined) => entry && { name: entry.name, text: reasonOf(entry, nowMs, []) }
  const t = described(terminating[0])
  const p = described(entries.find(({ state }) => state === 'pending'))
  // A pod that fails is more interesting than one that only starts.
  const s = described(
    entries.find(({ state, trouble }) => state === 'starting' && trouble !== undefined) ??
      entries.find(({ state }) => state === 'starting'),
  )
  const l = described(entries.find(({ state }) => state === 'lost'))
  const gates = [...new Set(entries.flatMap((entry) => (entry.state === 'waiting' ? entry.gates : [])))]
  return { ...(t && { terminating: t }), ...(p && { pending: p }), ...(s && { starting: s }), ...(l && { lost: l }), gates }
}
