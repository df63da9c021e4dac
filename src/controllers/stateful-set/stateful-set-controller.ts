// Keeps the pods of StatefulSets: as many as are asked for, each with its name and its claims, in order.
import { controllerRevisions, persistentVolumeClaims, pods as podKind, statefulSets } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Pod, StatefulSet, Stored } from '../../api/types.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { operationalThresholdOf } from '../../planners/annotations.ts'
import { progressDeadlineOf } from '../../planners/conditions/progressing.ts'
import { controllerReference } from '../../planners/replica-set/new-pod.ts'
import { canonicalJson } from '../../planners/revisions/canonical-json.ts'
import { planOwnership } from '../../planners/revisions/ownership.ts'
import { isMember, membershipOf, revisionOf } from '../../planners/stateful-set/identity.ts'
import { planStatefulSet } from '../../planners/stateful-set/plan.ts'
import type { StatefulSetPlan } from '../../planners/stateful-set/snapshot.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { Expectations, patienceMs } from '../../runtime/expectations.ts'
import { keyOf } from '../../runtime/informer.ts'
import { applyOwnership } from '../revisions/apply-ownership.ts'
import { followPods, gatherMs } from '../revisions/follow-pods.ts'
import { ProblemTeller } from '../revisions/tell-problems.ts'
import { about, applySteps } from './apply-actions.ts'
import { applyForgottenRevisions, applyRevisions, type RevisionsInUse } from './apply-revisions.ts'

/** The recorder speaks as `statefulset-controller`. */
export type StatefulSetControllerOptions = WorkloadControllerParts

const usualWorkers = 32
const usualHistoryLimit = 10

export function startStatefulSetController(options: StatefulSetControllerOptions): RunningController {
  const { client, clock, gates, informers, recorder, workers = usualWorkers, onFailure } = options
  const sets = informers.get(statefulSets)
  const pods = informers.get(podKind)
  const claims = informers.get(persistentVolumeClaims)
  const revisions = informers.get(controllerRevisions)
  const expectations = new Expectations(clock)
  const problems = new ProblemTeller(recorder)
  let isSynced = false

  const controller = startController({
    queues: options.queues,
    name: 'statefulset',
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
      if (gates.ExtendedWorkloadConditions)
        problems.tell(key, about(set), [operationalThresholdOf(set).problem, progressDeadlineOf(set).problem])
      // What was asked for is not seen yet: the next change brings the set back.
      if (!expectations.isSatisfied(key)) return { againAfterMs: patienceMs + 1 }
      expectations.forget(key)

      const isBeingDeleted = set.metadata.deletionTimestamp !== undefined
      const inUse = isBeingDeleted ? lastRevisions(set) : await applyRevisions(client, revisions, set, requirements)
      const owned = await applyOwnership(
        { client, resource: statefulSets, owner: set, reference: controllerReference('apps/v1', 'StatefulSet', set) },
        podKind,
        planOwnership(
          set,
          pods.byIndex('owner', set.metadata.uid),
          pods.byIndex('orphan', set.metadata.namespace ?? ''),
          (pod) => matchesLabels(requirements, pod.metadata.labels) && isMember(set, pod),
        ),
      )
      const plan = planStatefulSet({
        set,
        pods: owned,
        findClaim: (name) => claims.get(`${set.metadata.namespace ?? ''}/${name}`),
        ...inUse,
        gates,
        nowMs: clock.now(),
      })
      await applyPlan(key, set, plan)
      if (!isBeingDeleted)
        await applyForgottenRevisions(client, inUse, owned.map(revisionOf), set.spec?.revisionHistoryLimit ?? usualHistoryLimit)
      return plan.wakeAtMs === undefined ? undefined : { againAfterMs: Math.max(plan.wakeAtMs - clock.now(), 0) }
    },
    onFailure: (key, error, failures) => {
      // The cache was behind, or someone else wrote: ordinary, unless it does not end.
      const isOrdinary = isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists') || isStatusError(error, 'NotFound')
      if (isNamespaceTerminating(error)) return
      if (!isOrdinary || failures >= 10) onFailure?.(`StatefulSet ${key}`, error)
    },
  })

  /** The status is written whether or not everything went well. */
  const applyPlan = async (key: string, set: Stored<StatefulSet>, { steps, status }: StatefulSetPlan) => {
    let failure: unknown
    try {
      await applySteps({ client, recorder, expectations, key, set }, steps)
    } catch (error) {
      failure = error
    }
    if (canonicalJson(status) !== canonicalJson(set.status ?? {})) {
      try {
        await client.updateStatus(statefulSets, { ...set, status })
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) failure ??= error
      }
    }
    if (failure !== undefined) throw failure
  }

  const forget = (key: string) => {
    expectations.forget(key)
    problems.forget(key)
  }

  const { queue } = controller
  const addSoon = (key: string) => queue.addAfter(key, gatherMs(sets.get(key)?.status?.replicas ?? 0))

  sets.onChange((current, previous) => {
    const key = keyOf(current ?? previous!)
    if (current === undefined) forget(key)
    if (isSynced) queue.add(key)
  })

  const onPod = followPods<StatefulSet>({
    kind: 'StatefulSet',
    sets,
    expectations,
    selects(set, pod) {
      const requirements = selectorRequirements(set.spec?.selector)
      return requirements !== undefined && matchesLabels(requirements, pod.metadata.labels) && isMember(set, pod)
    },
    add: (key) => queue.add(key),
    addSoon,
  })
  pods.onChange((current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    if (isSynced) onPod(current, previous)
  })

  // A pod may wait for an old claim of its name to go.
  claims.onChange((current, previous) => {
    if (!isSynced || current !== undefined) return
    const { name, namespace = '' } = previous!.metadata
    const parent = membershipOf(name)?.parent
    if (parent === undefined) return
    for (const set of sets.byIndex('namespace', namespace))
      if (set.spec?.volumeClaimTemplates?.some(({ metadata }) => parent === `${metadata?.name}-${set.metadata.name}`)) queue.add(keyOf(set))
  })

  return {
    synced: Promise.all([sets.synced, pods.synced, claims.synced, revisions.synced]).then(() => {
      isSynced = true
      for (const set of sets.values()) queue.add(keyOf(set))
    }),
    stop: () => controller.stop(),
  }
}

/** Nothing can be created any more; the set goes soon as well. */
const isNamespaceTerminating = (error: unknown) =>
  isStatusError(error, 'Forbidden') && (error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false)

/** Of a set that is being deleted only the status is kept up: its revisions may be gone already. */
function lastRevisions({ spec, status }: Stored<StatefulSet>): RevisionsInUse {
  const { currentRevision = '', updateRevision = '', collisionCount = 0 } = status ?? {}
  return {
    all: [],
    current: { name: currentRevision, template: undefined },
    update: { name: updateRevision, template: spec?.template },
    collisionCount,
  }
}
