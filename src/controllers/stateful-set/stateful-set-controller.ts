// The StatefulSet controller.
// Kubernetes: pkg/controller/statefulset.StatefulSetController.sync, StatefulSetController.syncStatefulSet
// Kubernetes: pkg/controller/statefulset.StatefulSetController.updatePod, StatefulSetController.getPodsForStatefulSet
import { controllerRevisions, persistentVolumeClaims, pods as podKind, statefulSets } from '../../api/kinds.ts'
import type { PersistentVolumeClaim, Pod, StatefulSet, Stored } from '../../api/types.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { buildController, owned, type ReconcileContext, watched } from '../../runtime/controller.ts'
import type { RunningController, WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { type ReconcileResult, requeueAt } from '../../runtime/workers.ts'
import { applyClaims } from '../shared/adoption.ts'
import { AnnotationProblems } from '../shared/annotation-problems.ts'
import { applyStatus } from '../shared/apply-status.ts'
import { operationalThresholdOf } from '../shared/plan/annotations.ts'
import { affectsCountsOrState, batchDelayMs } from '../shared/plan/pod-changes.ts'
import { progressDeadlineOf } from '../shared/plan/progressing.ts'
import { applySteps } from './apply-actions.ts'
import { applyHistoryLimit, applyRevisions, type RevisionsInUse } from './apply-revisions.ts'
import { isMember, membershipOf, revisionOf } from './plan/identity.ts'
import { planStatefulSet } from './plan/plan.ts'
import { isRecreateDisabled } from './plan/recreate.ts'
import type { StatefulSetPlan } from './plan/snapshot.ts'

const defaultHistoryLimit = 10

/** The component of the recorder is `statefulset-controller`. */
export function startStatefulSetController(options: WorkloadControllerParts): RunningController {
  const { clock, gates, informers, recorder } = options
  const sets = informers.get(statefulSets)
  const pods = informers.get(podKind)
  const claims = informers.get(persistentVolumeClaims)
  const revisions = informers.get(controllerRevisions)
  const problems = new AnnotationProblems(recorder)

  const reconcile = async (set: Stored<StatefulSet>, { key, client }: ReconcileContext): Promise<ReconcileResult | undefined> => {
    const requirements = selectorRequirements(set.spec?.selector)
    if (requirements === undefined) return undefined
    if (gates.ExtendedWorkloadConditions) problems.report(key, set, [operationalThresholdOf(set).problem, progressDeadlineOf(set).problem])
    if (isRecreateDisabled({ set, gates }))
      recorder.record(
        set,
        'Warning',
        'UnknownStrategy',
        `statefulset ${key} uses Recreate strategy but feature gate StatefulSetRecreateStrategy is disabled`,
      )
    const isBeingDeleted = set.metadata.deletionTimestamp !== undefined
    const inUse = isBeingDeleted ? lastRevisions(set) : await applyRevisions(client, revisions, set, requirements)
    const isOwn = (pod: Stored<Pod>) => matchesLabels(requirements, pod.metadata.labels) && isMember(set, pod)
    const ownPods = await applyClaims({ client, resource: statefulSets, owner: set }, podKind, pods, isOwn)
    const plan = planStatefulSet({
      set,
      pods: ownPods,
      findClaim: (name) => claims.get(`${set.metadata.namespace ?? ''}/${name}`),
      ...inUse,
      gates,
      nowMs: clock.now(),
    })
    await applyPlan(client, set, plan)
    if (!isBeingDeleted)
      await applyHistoryLimit(client, inUse, ownPods.map(revisionOf), set.spec?.revisionHistoryLimit ?? defaultHistoryLimit)
    return requeueAt(plan.requeueAtMs, clock)
  }

  /** The status is written even if a step failed. */
  const applyPlan = async (client: Client, set: Stored<StatefulSet>, { steps, status }: StatefulSetPlan) => {
    let failure: unknown
    try {
      await applySteps({ client, recorder, set }, steps)
    } catch (error) {
      failure = error
    }
    const statusFailure = await applyStatus(client, statefulSets, set, status)
    if (failure !== undefined || statusFailure !== undefined) throw failure ?? statusFailure
  }

  return buildController(options, {
    name: 'statefulset',
    for: statefulSets,
    owns: [
      owned<StatefulSet, Pod>({
        kind: podKind,
        selects(set, pod) {
          const requirements = selectorRequirements(set.spec?.selector)
          return requirements !== undefined && matchesLabels(requirements, pod.metadata.labels) && isMember(set, pod)
        },
        matters: affectsCountsOrState,
        delayMs: (key) => batchDelayMs(sets.get(key)?.status?.replicas ?? 0),
      }),
    ],
    watches: [watched(persistentVolumeClaims, (current, previous) => (current === undefined ? setsThatWaitFor(sets, previous!) : []))],
    reads: [revisions],
    workers: 32,
    reconcile,
    state: [problems],
  })
}

/** A new pod may wait for the deletion of an old claim with the name that it needs. */
function* setsThatWaitFor(sets: Informer<StatefulSet>, { metadata }: Stored<PersistentVolumeClaim>): Iterable<string> {
  const parent = membershipOf(metadata.name)?.parent
  if (parent === undefined) return
  for (const set of sets.byIndex('namespace', metadata.namespace ?? ''))
    if (set.spec?.volumeClaimTemplates?.some((claim) => parent === `${claim.metadata?.name}-${set.metadata.name}`)) yield keyOf(set)
}

/** For a set that is being deleted only the status is updated: its revisions may already have been deleted. */
function lastRevisions({ spec, status }: Stored<StatefulSet>): RevisionsInUse {
  const { currentRevision = '', updateRevision = '', collisionCount = 0 } = status ?? {}
  return {
    all: [],
    current: { name: currentRevision, template: undefined },
    update: { name: updateRevision, template: spec?.template },
    collisionCount,
  }
}
