// Simulates cluster-autoscaler, with its events: adds nodes for unschedulable pods, and removes nodes that are not needed.
// Ours: cluster-autoscaler is another program.

import { daemonSets as daemonSetKind, namespaces, nodes as nodeKind, podDisruptionBudgets, pods as podKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Node, Pod, Stored } from '../../api/types.ts'
import { type CancelTimer, parseTime } from '../../base/clock.ts'
import { addCount } from '../../base/maps.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import type { NodeSpec } from '../node-object.ts'
import { isFinished } from '../pod-predicates.ts'
import { ClusterState } from '../scheduler/cluster-state.ts'
import { createDefaultSelector } from '../scheduler/default-selector.ts'
import { isSameNodeForScheduling } from '../scheduler/event-handlers.ts'
import type { NodeState } from '../scheduler/node-state.ts'
import { type PodNeeds, readNeeds } from '../scheduler/pod-needs.ts'
import { Drains } from './node-drains.ts'
import { type Autoscale, type AutoscaledGroup, groupName, memberNumber } from './node-groups.ts'
import { planScaleDown, type UnneededNode } from './scale-down.ts'
import { type GroupSize, planScaleUp } from './scale-up.ts'

interface AutoscalerOptions extends Autoscale, RecordingControllerParts {
  addNodes(specs: readonly NodeSpec[]): Promise<void>
  onFailure(what: string, error: unknown): void
}

const defaultDelayMs = 60_000
const defaultIdleAfterMs = 600_000
/** Changes within this time lead to one evaluation. */
const batchMs = 1000
/** The minimum time between two evaluations of scale-down. */
const scaleDownIntervalMs = 10_000
/** The maximum number of empty nodes to remove at once. Of the nodes with pods, one is drained at a time. */
const maxEmptyAtOnce = 10

export function startAutoscaler(options: AutoscalerOptions): RunningController {
  const { client, clock, informers, recorder, groups, onFailure, delayMs = defaultDelayMs, idleAfterMs = defaultIdleAfterMs } = options
  const pods = informers.get(podKind)
  const nodes = informers.get(nodeKind)
  const daemonSets = informers.get(daemonSetKind)
  const budgets = informers.get(podDisruptionBudgets)
  const state = new ClusterState({ defaultSelector: createDefaultSelector(informers) })
  /** Unschedulable pods, by uid. */
  const waiting = new Map<string, PodNeeds>()
  const reportedReasons = new Map<string, string>()
  /** Nodes that were requested and have not joined yet, by name. */
  const upcoming = new Map<string, NodeSpec>()
  const highest = new Map<AutoscaledGroup, number>()
  /** Since when a node has not been needed, by name. */
  const unneededSince = new Map<string, number>()
  const drains = new Drains({ client, clock, recorder, onFailure, onStep: () => evaluateIn(batchMs) })
  const timers = new Set<CancelTimer>()
  let isSynced = false
  let isStopped = false
  let nextEvaluationMs = Number.POSITIVE_INFINITY
  let cancelEvaluation: CancelTimer = () => {}
  let lastAddedMs = Number.NEGATIVE_INFINITY
  let nextDownMs = 0

  const evaluateIn = (waitMs: number) => {
    const atMs = clock.now() + waitMs
    if (isStopped || !isSynced || atMs >= nextEvaluationMs) return
    cancelEvaluation()
    nextEvaluationMs = atMs
    cancelEvaluation = clock.after(waitMs, () => {
      nextEvaluationMs = Number.POSITIVE_INFINITY
      scaleUp()
      scaleDown()
    })
  }

  const onPod = (current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    const uid = (current ?? previous)!.metadata.uid
    const nodeName = current?.spec?.nodeName
    if (current === undefined || isFinished(current)) {
      if (state.placed(uid) === undefined && !waiting.has(uid)) return
      state.remove(uid)
      forgetWaiting(uid)
    } else if (nodeName) {
      if (state.observe(current, nodeName) === undefined) return
      forgetWaiting(uid)
    } else if (isWaiting(current)) {
      if (waiting.has(uid)) return
      waiting.set(uid, readNeeds(current))
    } else if (!waiting.has(uid)) return
    else forgetWaiting(uid)
    evaluateIn(batchMs)
  }

  const forgetWaiting = (uid: string) => {
    waiting.delete(uid)
    reportedReasons.delete(uid)
  }

  const onNode = (current: Stored<Node> | undefined, previous: Stored<Node> | undefined) => {
    if (current === undefined) {
      state.removeNode(previous!.metadata.name)
      unneededSince.delete(previous!.metadata.name)
    } else {
      upcoming.delete(current.metadata.name)
      state.setNode(current)
      if (previous !== undefined && isSameNodeForScheduling(current, previous)) return
    }
    evaluateIn(batchMs)
  }

  const membersOf = (group: AutoscaledGroup) => state.nodes.filter(({ node }) => node && memberNumber(group, node) !== undefined)

  const sizeOf = (group: AutoscaledGroup): GroupSize => {
    const inZone = new Map<string, number>()
    const count = (zone: string | undefined) => {
      if (zone !== undefined) addCount(inZone, zone, 1)
    }
    let size = 0
    for (const node of membersOf(group)) {
      highest.set(group, Math.max(highest.get(group) ?? 0, memberNumber(group, node.node!)!))
      if (drains.isDraining(node.name)) continue
      size++
      count(node.label('topology.kubernetes.io/zone'))
    }
    for (const [name, spec] of upcoming)
      if (isOfGroup(group, name)) {
        size++
        count(spec.zone)
      }
    return { group, size, nextNumber: (highest.get(group) ?? 0) + 1, inZone }
  }

  const scaleUp = () => {
    const plan = planScaleUp({
      pods: [...waiting.values()].sort(byImportance),
      state,
      groups: groups.map(sizeOf),
      upcoming: [...upcoming.values()],
      daemonSets: [...daemonSets.values()],
      isDraining: drains.isDraining,
    })
    const report = ({ pod }: PodNeeds, reason: string, message: string) => recorder.record(pod, 'Normal', reason, message)
    for (const needs of plan.schedulable) report(needs, 'TriggeredScaleUp', `pod triggered scale-up: ${plan.growth}`)
    const unreported = plan.unschedulable.filter(({ needs, why }) => reportedReasons.get(needs.uid) !== why)
    if (plan.nodes.length === 0) {
      for (const { needs, why } of unreported) {
        reportedReasons.set(needs.uid, why)
        report(needs, 'NotTriggerScaleUp', `pod didn't trigger scale-up: ${why}`)
      }
      return
    }
    // No event while a scale-up is under way: it is decided again afterwards.
    if (unreported.length > 0) evaluateIn(scaleDownIntervalMs)
    lastAddedMs = clock.now()
    for (const spec of plan.nodes) {
      upcoming.set(spec.name, spec)
      for (const group of groups) if (isOfGroup(group, spec.name)) highest.set(group, numberOf(spec.name))
    }
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel)
      options
        .addNodes(plan.nodes)
        .catch((error) => onFailure('adding nodes', error))
        .finally(() => {
          for (const { name } of plan.nodes) upcoming.delete(name)
          evaluateIn(batchMs)
        })
    })
    timers.add(cancel)
  }

  const scaleDown = () => {
    const nowMs = clock.now()
    drains.advance(state)
    if (nowMs < nextDownMs) return evaluateIn(nextDownMs - nowMs)
    nextDownMs = nowMs + scaleDownIntervalMs
    const candidates = groups.flatMap(membersOf).filter(({ name }) => !drains.isDraining(name))
    const unneeded = planScaleDown({
      candidates: candidates.sort(leastUsedFirst),
      state,
      budgets: [...budgets.values()],
      isDraining: drains.isDraining,
    })
    const names = new Set(unneeded.map(({ node }) => node.name))
    for (const name of [...unneededSince.keys()]) if (!names.has(name)) unneededSince.delete(name)
    for (const name of names) if (!unneededSince.has(name)) unneededSince.set(name, nowMs)
    const dueMs = (name: string) => Math.max(unneededSince.get(name)!, lastAddedMs) + idleAfterMs
    for (const one of selectForRemoval(unneeded.filter(({ node }) => dueMs(node.name) <= nowMs))) {
      unneededSince.delete(one.node.name)
      drains.start(one)
    }
    const next = Math.min(...[...unneededSince.keys()].map(dueMs))
    if (Number.isFinite(next)) evaluateIn(Math.max(next - nowMs, scaleDownIntervalMs))
  }

  /** No group shrinks below its minimum. */
  const selectForRemoval = (unneeded: readonly UnneededNode[]): UnneededNode[] => {
    const left = new Map(groups.map((group) => [group, sizeOf(group).size - group.min]))
    const selected: UnneededNode[] = []
    const take = (one: UnneededNode) => {
      const group = groups.find((group) => memberNumber(group, one.node.node!) !== undefined)!
      const room = left.get(group)!
      if (room <= 0) return
      left.set(group, room - 1)
      selected.push(one)
    }
    const empty = unneeded.filter(({ pods }) => pods.length === 0)
    for (const one of empty.slice(0, maxEmptyAtOnce)) take(one)
    if (empty.length === 0 && drains.count === 0) for (const one of unneeded.slice(0, 1)) take(one)
    return selected
  }

  pods.onChange(onPod)
  nodes.onChange(onNode)
  informers.get(namespaces).onChange((current, previous) => {
    state.setNamespace((current ?? previous)!.metadata.name, current && (current.metadata.labels ?? {}))
  })
  return {
    synced: Promise.all([pods, nodes, daemonSets, budgets].map(({ synced }) => synced)).then(() => {
      isSynced = true
      evaluateIn(batchMs)
    }),
    async stop() {
      isStopped = true
      cancelEvaluation()
      for (const cancel of timers) cancel()
      await drains.stop()
    },
  }
}

/** A new node does not help a pod that waits for a claim. */
const waitsForClaim = /^0\/\d+ nodes are available: (?:persistentvolumeclaim "|pod has unbound immediate)/

/** The pod is unschedulable, and no preemption is under way for it. Pods of DaemonSets need a specific node, which exists. */
function isWaiting(pod: Stored<Pod>): boolean {
  const { metadata, status } = pod
  if (metadata.deletionTimestamp !== undefined || status?.nominatedNodeName) return false
  if (controllerOf(pod)?.kind === 'DaemonSet') return false
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  return condition?.status === 'False' && condition.reason === 'Unschedulable' && !waitsForClaim.test(condition.message ?? '')
}

const numberOf = (name: string) => Number(name.slice(name.lastIndexOf('-') + 1))
const isOfGroup = (group: AutoscaledGroup, node: string) => node === `${groupName(group)}-${numberOf(node)}`
const createdMs = ({ pod }: PodNeeds) => parseTime(pod.metadata.creationTimestamp ?? '') || 0

const byImportance = (a: PodNeeds, b: PodNeeds) => b.priority - a.priority || createdMs(a) - createdMs(b)

/** By requested cpu, then by number of pods, then the newest first. */
const leastUsedFirst = (a: NodeState, b: NodeState) => a.cpu - b.cpu || a.pods.size - b.pods.size || numberOf(b.name) - numberOf(a.name)
