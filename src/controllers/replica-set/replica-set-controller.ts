// Keeps as many pods as a ReplicaSet or ReplicationController asks for. One code for both kinds; what differs is in
// SetKind and in the planner's settings.
import { apiVersionOf, type Kind } from '../../api/kind.ts'
import { pods as podKind, replicaSets, replicationControllers } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { hasSameLabels, matchesLabels } from '../../base/label-selector.ts'
import { type ClaimPlan, planClaims } from '../../planners/replica-set/claim.ts'
import { controllerReference, podFromTemplate } from '../../planners/replica-set/new-pod.ts'
import { isCountedOtherwise } from '../../planners/replica-set/pod-change.ts'
import { planReplicas } from '../../planners/replica-set/replicas.ts'
import { type AnyReplicaSet, type ReplicaSetKind, settingsOf } from '../../planners/replica-set/settings.ts'
import { nextStatus, type ReplicaSetStatus } from '../../planners/replica-set/status.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { Expectations, patienceMs } from '../../runtime/expectations.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { controllerUid } from '../../runtime/shared-informers.ts'
import { followPods, gatherMs } from '../revisions/follow-pods.ts'
import { ProblemTeller } from '../revisions/tell-problems.ts'
import { applyClaims } from './claim-pods.ts'
import { applyCreations, applyDeletions } from './write-pods.ts'

/** The recorder speaks as `replicaset-controller` or `replication-controller`. */
export type ReplicaSetControllerOptions = WorkloadControllerParts

export const startReplicaSetController = (options: ReplicaSetControllerOptions) =>
  startSetController({ name: 'replicaset', kind: 'ReplicaSet', resource: replicaSets as unknown as Kind<AnyReplicaSet> }, options)

export const startReplicationControllerController = (options: ReplicaSetControllerOptions) =>
  startSetController(
    {
      name: 'replicationmanager',
      kind: 'ReplicationController',
      resource: replicationControllers as unknown as Kind<AnyReplicaSet>,
    },
    options,
  )

interface SetKind {
  /** Of the work queue, as Kubernetes names it. */
  readonly name: string
  readonly kind: ReplicaSetKind
  readonly resource: Kind<AnyReplicaSet>
}

const usualWorkers = 32

function startSetController({ name, kind, resource }: SetKind, options: ReplicaSetControllerOptions): RunningController {
  const { client, clock, gates, informers, recorder, workers = usualWorkers, onFailure } = options
  const apiVersion = apiVersionOf(resource)
  const sets = informers.get(resource) as unknown as Informer<AnyReplicaSet, AnyReplicaSet>
  const pods = informers.get(podKind)
  const expectations = new Expectations(clock)
  /** How many pods a set had when it was last looked at. */
  const podCounts = new Map<string, number>()
  /** What this controller last said of a set. */
  const told = new Map<string, AnyReplicaSet['status']>()
  const problems = new ProblemTeller(recorder)
  let isSynced = false

  const controller = startController({
    queues: options.queues,
    name,
    clock,
    workers,
    async reconcile(key) {
      const set = sets.get(key)
      if (set === undefined) {
        forget(key)
        return undefined
      }
      const { uid, namespace = '' } = set.metadata
      const settings = settingsOf(kind, set, gates)
      if (settings.requirements === undefined) return undefined
      const about = { ...set, kind, apiVersion }
      // The Deployment of a set reports its own annotations; its sets only carry them.
      const isControlled = set.metadata.ownerReferences?.some(({ controller }) => controller === true) ?? false
      problems.tell(key, about, isControlled ? [] : settings.problems)

      // Both at one moment: the pods that are listed contain everything that was expected.
      const isCacheComplete = expectations.isSatisfied(key)
      const owned = pods.byIndex('owner', uid)
      podCounts.set(key, owned.length)
      const claims = planClaims(settings, owned, pods.byIndex('orphan', namespace))
      let active = claims.active
      if (claims.adopt.length > 0 || claims.release.length > 0) {
        const owner = { client, reference: controllerReference(apiVersion, kind, set), recheck: () => recheck(set) }
        active = [...active, ...(await applyClaims(owner, claims.adopt, claims.release))]
        if (sets.get(key)?.metadata.uid !== uid) return undefined
      }
      const terminating = claims.terminating.length

      let failure: string | undefined
      if (isCacheComplete) {
        // What was given up on is no longer waited for.
        expectations.forget(key)
        const writer = { client, clock, recorder, expectations, pods, key, namespace, uid, about }
        const planFor = (pods: ClaimPlan['active'], going: number) =>
          planReplicas({
            settings,
            active: pods,
            terminating: going,
            related: () => readRelatedPods(set),
            usesDeletionCost: gates.PodDeletionCost,
            nowMs: clock.now(),
          })
        const plan = planFor(active, terminating)
        if (plan.action === 'create')
          failure = await applyCreations(
            writer,
            Array(plan.count).fill(podFromTemplate(set.spec?.template, set.metadata.name, controllerReference(apiVersion, kind, set))),
          )
        else if (plan.action === 'delete') failure = await applyDeletions(writer, plan.pods)
      }

      const nowMs = clock.now()
      const counts = { settings, active, terminating, isComplete: isCacheComplete, nowMs }
      const { status, wakeAtMs } = nextStatus(set, { ...counts, ...(failure !== undefined && { failure }) })
      // Also where it is what the copy says: there may be another one under way that this look has overtaken.
      told.set(key, status ?? set.status)
      if (status !== undefined) await applyStatus({ ...set, status } as AnyReplicaSet)
      if (sets.get(key) === undefined) forget(key)
      if (failure !== undefined) throw new Error(failure)
      const againAfterMs = Math.min(
        wakeAtMs === undefined ? Number.POSITIVE_INFINITY : Math.max(wakeAtMs - clock.now(), 0),
        // Of what was just asked for nobody may ever hear.
        expectations.isSatisfied(key) ? Number.POSITIVE_INFINITY : patienceMs + 1,
      )
      return againAfterMs < Number.POSITIVE_INFINITY ? { againAfterMs } : undefined
    },
    onFailure: (key, error, failures) => {
      // A conflict is ordinary: someone wrote the set meanwhile.
      if (!isStatusError(error, 'Conflict') || failures >= 10) onFailure?.(`${kind} ${key}`, error)
    },
  })

  const applyStatus = async (set: AnyReplicaSet) => {
    try {
      await client.updateStatus(resource, set)
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
  }

  const recheck = async ({ metadata: { namespace = '', name: setName, uid } }: AnyReplicaSet) => {
    const { metadata } = await client.get(resource, { namespace, name: setName })
    if (metadata.uid !== uid) throw new Error(`original ${kind} ${namespace}/${setName} is gone: got uid ${metadata.uid}, wanted ${uid}`)
    if (metadata.deletionTimestamp !== undefined)
      throw new Error(`${namespace}/${setName} has just been deleted at ${metadata.deletionTimestamp}`)
  }

  /** The pods of all sets that have the same owner; of this set alone when it has none. */
  function* readRelatedPods(set: AnyReplicaSet): Iterable<Stored<Pod>> {
    const owner = controllerUid(set)
    const related = owner === undefined ? [set] : sets.byIndex('owner', owner)
    for (const { metadata } of related) yield* pods.byIndex('owner', metadata.uid)
  }

  const forget = (key: string) => {
    expectations.forget(key)
    podCounts.delete(key)
    told.delete(key)
    problems.forget(key)
  }

  const { queue } = controller
  const addSoon = (key: string) => queue.addAfter(key, gatherMs(podCounts.get(key) ?? 0))

  sets.onChange((current, previous) => {
    const key = keyOf(current ?? previous!)
    if (current === undefined) forget(key)
    if (current === undefined || !isSynced) return
    const isAsked =
      previous?.metadata.generation !== current.metadata.generation ||
      previous?.metadata.deletionTimestamp !== current.metadata.deletionTimestamp ||
      // Some settings are annotations, and those have no generation.
      !hasSameLabels(previous?.metadata.annotations, current.metadata.annotations)
    if (isAsked) queue.add(key)
    // Its own words are no news: the pods are those that it has counted, or their changes come here as well.
    else if (!isSaid(told.get(key), current.status)) addSoon(key)
  })

  const onPod = followPods<AnyReplicaSet>({
    kind,
    sets,
    expectations,
    selects(set, { metadata }) {
      const { requirements } = settingsOf(kind, set, gates)
      return requirements !== undefined && matchesLabels(requirements, metadata.labels)
    },
    matters: isCountedOtherwise,
    add: (key) => queue.add(key),
    addSoon,
  })
  pods.onChange((current, previous) => {
    if (isSynced) onPod(current, previous)
  })

  return {
    synced: Promise.all([sets.synced, pods.synced]).then(() => {
      isSynced = true
      for (const set of sets.values()) queue.add(keyOf(set))
    }),
    stop: () => controller.stop(),
  }
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'terminatingReplicas',
  'observedGeneration',
] as const

/** Whether a set still says what this controller said of it. */
function isSaid(told: AnyReplicaSet['status'], status: AnyReplicaSet['status']): boolean {
  if (told === undefined || status === undefined) return false
  const [one, other] = [told, status] as readonly ReplicaSetStatus[]
  if (!counts.every((count) => (one![count] ?? 0) === (other![count] ?? 0))) return false
  const [conditions, current] = [one!.conditions ?? [], other!.conditions ?? []]
  return (
    conditions.length === current.length &&
    conditions.every(({ type, status, reason, message, lastTransitionTime }, index) => {
      const known = current[index]!
      return (
        type === known.type &&
        status === known.status &&
        reason === known.reason &&
        message === known.message &&
        lastTransitionTime === known.lastTransitionTime
      )
    })
  )
}
