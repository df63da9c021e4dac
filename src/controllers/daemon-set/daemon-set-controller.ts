// Keeps a pod of each DaemonSet on every node that fits.
import { controllerRevisions, daemonSets, nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { DaemonSet, KubernetesObject, Node, Pod, Stored } from '../../api/types.ts'
import { type LabelRequirements, matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { operationalThresholdOf } from '../../planners/annotations.ts'
import { progressDeadlineOf } from '../../planners/conditions/progressing.ts'
import { type Placement, placementOf } from '../../planners/daemon-set/placement.ts'
import { planDaemonSet } from '../../planners/daemon-set/plan.ts'
import { podForNode, podTemplateOf, revisionLabel } from '../../planners/daemon-set/pods.ts'
import type { Backoff, DaemonSetPlan, DaemonSetStatus } from '../../planners/daemon-set/snapshot.ts'
import { controllerReference } from '../../planners/replica-set/new-pod.ts'
import { canonicalJson } from '../../planners/revisions/canonical-json.ts'
import { planOwnership } from '../../planners/revisions/ownership.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { Expectations, patienceMs } from '../../runtime/expectations.ts'
import { keyOf } from '../../runtime/informer.ts'
import { applyCreations, applyDeletions } from '../replica-set/write-pods.ts'
import { applyOwnership } from '../revisions/apply-ownership.ts'
import { followPods, gatherMs } from '../revisions/follow-pods.ts'
import { ProblemTeller } from '../revisions/tell-problems.ts'
import { applyForgottenRevisions, applyHistory } from './apply-history.ts'

/** The recorder speaks as `daemonset-controller`. */
export type DaemonSetControllerOptions = WorkloadControllerParts

const usualWorkers = 8
const usualHistoryLimit = 10

/** What the controller knows of a set besides what is stored. */
interface Memory {
  readonly uid: string
  readonly generation: number | undefined
  readonly place: Placement
  /** Failures of another generation say nothing of this one. */
  observedGeneration: number | undefined
  backoffs: ReadonlyMap<string, Backoff>
}

export function startDaemonSetController(options: DaemonSetControllerOptions): RunningController {
  const { client, clock, gates, informers, recorder, workers = usualWorkers, onFailure } = options
  const sets = informers.get(daemonSets)
  const pods = informers.get(podKind)
  const nodes = informers.get(nodeKind)
  const revisions = informers.get(controllerRevisions)
  const expectations = new Expectations(clock)
  const problems = new ProblemTeller(recorder)
  const memories = new Map<string, Memory>()
  let isSynced = false

  const controller = startController({
    queues: options.queues,
    name: 'daemonset',
    clock,
    workers,
    async reconcile(key) {
      const set = sets.get(key)
      if (set === undefined) {
        forget(key)
        return undefined
      }
      const requirements = selectorRequirements(set.spec?.selector)
      if (requirements === undefined) return undefined
      if (requirements.length === 0) {
        recorder.record(about(set), 'Warning', 'SelectingAll', 'This daemon set is selecting all pods. A non-empty selector is required.')
        return undefined
      }
      // What becomes of the pods and revisions of a set that goes is not for this controller to say.
      if (set.metadata.deletionTimestamp !== undefined) return undefined
      if (gates.ExtendedWorkloadConditions)
        problems.tell(key, about(set), [operationalThresholdOf(set).problem, progressDeadlineOf(set).problem])

      const { current, old } = await applyHistory(client, revisions, set, requirements, () => readPods(set, requirements))
      // Both at one moment: the pods that are listed contain everything that was expected.
      const isCacheComplete = expectations.isSatisfied(key)
      const owned = await readPods(set, requirements)
      const memory = memoryOf(key, set)
      const hash = current.metadata.labels?.[revisionLabel] ?? ''
      const plan = planDaemonSet({
        set,
        pods: owned,
        nodes: [...nodes.values()],
        place: memory.place,
        revision: { name: current.metadata.name, hash },
        backoffs: memory.backoffs,
        isCacheComplete,
        gates,
        nowMs: clock.now(),
      })
      memory.backoffs = plan.backoffs
      const failure = isCacheComplete ? await applyWork(key, set, hash, plan) : undefined
      if (failure === undefined && isCacheComplete)
        await applyForgottenRevisions(client, old, owned, set.spec?.revisionHistoryLimit ?? usualHistoryLimit)
      // The status is written whether or not everything went well.
      const statusFailure = await applyStatus(set, plan.status)
      if (failure !== undefined || statusFailure !== undefined) throw failure ?? statusFailure
      const againAfterMs = Math.min(
        plan.wakeAtMs === undefined ? Number.POSITIVE_INFINITY : Math.max(plan.wakeAtMs - clock.now(), 0),
        isCacheComplete ? Number.POSITIVE_INFINITY : patienceMs + 1,
      )
      return againAfterMs < Number.POSITIVE_INFINITY ? { againAfterMs } : undefined
    },
    onFailure: (key, error, failures) => {
      // The cache was behind, or someone else wrote: ordinary, unless it does not end.
      const isOrdinary = isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists') || isStatusError(error, 'NotFound')
      if (!isOrdinary || failures >= 10) onFailure?.(`DaemonSet ${key}`, error)
    },
  })

  const readPods = (set: Stored<DaemonSet>, requirements: LabelRequirements) =>
    applyOwnership(
      { client, resource: daemonSets, owner: set, reference: controllerReference('apps/v1', 'DaemonSet', set) },
      podKind,
      planOwnership(set, pods.byIndex('owner', set.metadata.uid), pods.byIndex('orphan', set.metadata.namespace ?? ''), ({ metadata }) =>
        matchesLabels(requirements, metadata.labels),
      ),
    )

  /** Resolves to what went wrong. */
  const applyWork = async (key: string, set: Stored<DaemonSet>, hash: string, plan: DaemonSetPlan): Promise<Error | undefined> => {
    expectations.forget(key)
    for (const { type, reason, message } of plan.notices) recorder.record(about(set), type, reason, message)
    const { namespace = '', uid } = set.metadata
    const writer = { client, clock, recorder, expectations, pods, key, namespace, uid, about: about(set) }
    const template = podTemplateOf(set, hash)
    const creation = await applyCreations(
      writer,
      plan.create.map((node) => podForNode(template, node)),
    )
    const deletion = plan.delete.length === 0 ? undefined : await applyDeletions(writer, plan.delete)
    const message = creation ?? deletion
    return message === undefined ? undefined : new Error(message)
  }

  /** Resolves to what went wrong. */
  const applyStatus = async (set: Stored<DaemonSet>, status: DaemonSetStatus): Promise<unknown> => {
    if (canonicalJson(status) === canonicalJson(set.status ?? {})) return undefined
    try {
      await client.updateStatus(daemonSets, { ...set, status })
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) return error
    }
    return undefined
  }

  const memoryOf = (key: string, { metadata, spec, status }: Stored<DaemonSet>): Memory => {
    const { uid, generation } = metadata
    const known = memories.get(key)
    const isSame = known !== undefined && known.uid === uid && known.generation === generation
    const memory: Memory = isSame
      ? known
      : { uid, generation, place: placementOf({ spec } as DaemonSet), observedGeneration: status?.observedGeneration, backoffs: new Map() }
    if (memory.observedGeneration !== status?.observedGeneration) {
      memory.observedGeneration = status?.observedGeneration
      memory.backoffs = new Map()
    }
    memories.set(key, memory)
    return memory
  }

  const forget = (key: string) => {
    expectations.forget(key)
    problems.forget(key)
    memories.delete(key)
  }

  const { queue } = controller
  const addSoon = (key: string) => queue.addAfter(key, gatherMs(sets.get(key)?.status?.desiredNumberScheduled ?? 0))

  sets.onChange((current, previous) => {
    const key = keyOf(current ?? previous!)
    if (current === undefined) forget(key)
    if (isSynced) queue.add(key)
  })

  const onPod = followPods<DaemonSet>({
    kind: 'DaemonSet',
    sets,
    expectations,
    selects(set, pod) {
      const requirements = selectorRequirements(set.spec?.selector)
      return requirements !== undefined && requirements.length > 0 && matchesLabels(requirements, pod.metadata.labels)
    },
    add: (key) => queue.add(key),
    addSoon,
  })
  pods.onChange((current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    if (isSynced) onPod(current, previous)
  })

  // Only labels and taints decide where pods belong: a node that reports in concerns nobody.
  nodes.onChange((current: Stored<Node> | undefined, previous: Stored<Node> | undefined) => {
    if (!isSynced || (current !== undefined && previous !== undefined && isSameToPods(current, previous))) return
    for (const set of sets.values()) {
      const { place } = memoryOf(keyOf(set), set)
      const [is, was] = [current === undefined ? nowhere : place(current), previous === undefined ? nowhere : place(previous)]
      if (is.shouldRun !== was.shouldRun || is.shouldStay !== was.shouldStay) addSoon(keyOf(set))
    }
  })

  return {
    synced: Promise.all([sets.synced, pods.synced, nodes.synced, revisions.synced]).then(() => {
      isSynced = true
      for (const set of sets.values()) queue.add(keyOf(set))
    }),
    stop: () => controller.stop(),
  }
}

const nowhere = { shouldRun: false, shouldStay: false }

const isSameToPods = (a: Stored<Node>, b: Stored<Node>) =>
  canonicalJson([a.metadata.labels, a.spec?.taints]) === canonicalJson([b.metadata.labels, b.spec?.taints])

/** What the events are about. */
const about = (set: Stored<DaemonSet>): KubernetesObject => ({ ...set, apiVersion: 'apps/v1', kind: 'DaemonSet' })
