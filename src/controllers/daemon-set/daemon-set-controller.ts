// The DaemonSet controller.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.syncDaemonSet, DaemonSetsController.updateDaemonSet
// Kubernetes: pkg/controller/daemon.DaemonSetsController.syncNodes, DaemonSetsController.updateNode, DaemonSetsController.updatePod
// Kubernetes: pkg/controller/daemon.DaemonSetsController.syncNodeUpdate
import { controllerRevisions, daemonSets, nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { ControllerRevision, DaemonSet, KubernetesObject, Node, Pod, Stored } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { type LabelRequirements, matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { buildController, owned, type ReconcileContext, watched } from '../../runtime/controller.ts'
import type { RunningController, WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { type ReconcileResult, requeueAt } from '../../runtime/workers.ts'
import { applyCreations, applyDeletions } from '../replica-set/write-pods.ts'
import { applyClaims } from '../shared/adoption.ts'
import { AnnotationProblems } from '../shared/annotation-problems.ts'
import { applyStatus } from '../shared/apply-status.ts'
import { operationalThresholdOf } from '../shared/plan/annotations.ts'
import { affectsCountsOrState, batchDelayMs } from '../shared/plan/pod-changes.ts'
import { progressDeadlineOf } from '../shared/plan/progressing.ts'
import { applyHistory, applyHistoryLimit } from './apply-history.ts'
import { nowhere, type Place, type Placement, placementOf } from './plan/placement.ts'
import { planDaemonSet } from './plan/plan.ts'
import { podForNode, podTemplateOf, revisionLabel } from './plan/pods.ts'
import type { Backoff, DaemonSetPlan } from './plan/snapshot.ts'

const defaultHistoryLimit = 10

/** State about a set that is kept in memory only. */
interface SetState {
  readonly uid: string
  readonly generation: number | undefined
  readonly place: Placement
  /** The back-offs belong to this generation. */
  observedGeneration: number | undefined
  backoffs: ReadonlyMap<string, Backoff>
}

/** The component of the recorder is `daemonset-controller`. */
export function startDaemonSetController(options: WorkloadControllerParts): RunningController {
  const { clock, gates, informers, recorder } = options
  const sets = informers.get(daemonSets)
  const pods = informers.get(podKind)
  const nodes = informers.get(nodeKind)
  const revisions = informers.get(controllerRevisions)
  const problems = new AnnotationProblems(recorder)
  const states = new Map<string, SetState>()

  const reconcile = async (set: Stored<DaemonSet>, { key, client }: ReconcileContext): Promise<ReconcileResult | undefined> => {
    const requirements = selectorRequirements(set.spec?.selector)
    if (requirements === undefined) return undefined
    if (requirements.length === 0) {
      recorder.record(set, 'Warning', 'SelectingAll', 'This daemon set is selecting all pods. A non-empty selector is required.')
      return undefined
    }
    // The garbage collector deletes the pods and revisions of a set that is being deleted.
    if (set.metadata.deletionTimestamp !== undefined) return undefined
    if (gates.ExtendedWorkloadConditions) problems.report(key, set, [operationalThresholdOf(set).problem, progressDeadlineOf(set).problem])

    const { current, old } = await applyHistory(client, revisions, set, requirements, () => claimPods(client, set, requirements))
    const ownPods = await claimPods(client, set, requirements)
    const state = stateOf(key, set)
    const hash = current.metadata.labels?.[revisionLabel] ?? ''
    const plan = planDaemonSet({
      set,
      pods: ownPods,
      nodes: [...nodes.values()],
      place: state.place,
      revision: { name: current.metadata.name, hash },
      backoffs: state.backoffs,
      gates,
      nowMs: clock.now(),
    })
    state.backoffs = plan.backoffs
    const failure = await applyPodChanges(client, set, hash, plan)
    if (failure === undefined) await applyHistoryLimit(client, old, ownPods, set.spec?.revisionHistoryLimit ?? defaultHistoryLimit)
    // The status is written even if a write failed.
    const statusFailure = await applyStatus(client, daemonSets, set, plan.status)
    if (failure !== undefined || statusFailure !== undefined) throw failure ?? statusFailure
    return requeueAt(plan.requeueAtMs, clock)
  }

  const claimPods = (client: Client, set: Stored<DaemonSet>, requirements: LabelRequirements) =>
    applyClaims({ client, resource: daemonSets, owner: set }, podKind, pods, ({ metadata }) => matchesLabels(requirements, metadata.labels))

  /** Resolves to the failure, or undefined. */
  const applyPodChanges = async (client: Client, set: Stored<DaemonSet>, hash: string, plan: DaemonSetPlan): Promise<Error | undefined> => {
    for (const { type, reason, message } of plan.notices) recorder.record(set, type, reason, message)
    const writer = { client, clock, recorder, namespace: set.metadata.namespace ?? '', subject: set }
    const template = podTemplateOf(set, hash)
    const { failure } = await applyCreations(
      writer,
      plan.create.map((node) => podForNode(template, node)),
    )
    const deletion = plan.delete.length === 0 ? undefined : (await applyDeletions(writer, plan.delete)).failure
    const message = failure ?? deletion
    return message === undefined ? undefined : new Error(message)
  }

  const stateOf = (key: string, { metadata, spec, status }: Stored<DaemonSet>): SetState => {
    const { uid, generation } = metadata
    const known = states.get(key)
    const isSame = known !== undefined && known.uid === uid && known.generation === generation
    const state: SetState = isSame
      ? known
      : { uid, generation, place: placementOf({ spec } as DaemonSet), observedGeneration: status?.observedGeneration, backoffs: new Map() }
    if (state.observedGeneration !== status?.observedGeneration) {
      state.observedGeneration = status?.observedGeneration
      state.backoffs = new Map()
    }
    states.set(key, state)
    return state
  }

  const delayMsOf = (key: string) => batchDelayMs(sets.get(key)?.status?.desiredNumberScheduled ?? 0)

  /** The sets that a change of a node concerns: only its labels and taints decide where pods run. */
  function* setsAffectedBy(current: Stored<Node> | undefined, previous: Stored<Node> | undefined): Iterable<string> {
    if (current !== undefined && previous !== undefined && hasSamePlacement(current, previous)) return
    const owners = ownersOn((current ?? previous)!)
    for (const set of sets.values()) {
      const { place } = stateOf(keyOf(set), set)
      const [is, was] = [current === undefined ? nowhere : place(current), previous === undefined ? nowhere : place(previous)]
      const isConcerned = gates.ExtendedWorkloadConditions
        ? is !== was
        : current !== undefined && changesPods(set, owners.has(set.metadata.uid), is)
      if (isConcerned) yield keyOf(set)
    }
  }

  /**
   * Without the extended conditions, which need correct counts at once, a node concerns a set as in Kubernetes: when a pod has to be created
   * or deleted there, or when a misscheduled pod may be one no longer. The counts follow with the next sync.
   */
  const changesPods = ({ status }: Stored<DaemonSet>, hasPod: boolean, { shouldRun, shouldStay }: Place): boolean =>
    hasPod ? !shouldStay || (status?.numberMisscheduled ?? 0) > 0 : shouldRun

  /** The owners of the pods that are assigned to the node. */
  const ownersOn = ({ metadata }: Stored<Node>) => new Set(pods.byIndex('node', metadata.name).map((pod) => controllerOf(pod)?.uid))

  const selects = (set: Stored<DaemonSet>, { metadata }: Stored<KubernetesObject>) => {
    const requirements = selectorRequirements(set.spec?.selector)
    return requirements !== undefined && requirements.length > 0 && matchesLabels(requirements, metadata.labels)
  }

  return buildController(options, {
    name: 'daemonset',
    for: daemonSets,
    // The back-offs belong to an observed generation.
    isSettledBy: (current, previous) => current.status?.observedGeneration === previous.status?.observedGeneration,
    owns: [
      owned<DaemonSet, Pod>({ kind: podKind, selects, matters: affectsCountsOrState, delayMs: delayMsOf }),
      // A revision that another client deletes or changes is restored; one that it adds stays, as in Kubernetes, until the next sync.
      owned<DaemonSet, ControllerRevision>({ kind: controllerRevisions, selects, ignoresNew: true }),
    ],
    watches: [watched(nodeKind, setsAffectedBy, delayMsOf)],
    reads: [revisions],
    workers: 8,
    reconcile,
    state: [problems, states],
  })
}

const hasSamePlacement = (a: Stored<Node>, b: Stored<Node>) =>
  isEqualJson(a.metadata.labels, b.metadata.labels) && isEqualJson(a.spec?.taints, b.spec?.taints)
