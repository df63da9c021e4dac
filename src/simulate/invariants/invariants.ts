// Invariants that hold after every write. `onChange` is called with each write when it becomes visible.

import { defaultFeatureGates, type FeatureGates } from '../../api/machinery/feature-gates.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type {
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  KubernetesObject,
  LabelSelector,
  Pod,
  PodDisruptionBudget,
  ResourceQuota,
  Stored,
} from '../../api/types.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { groupBy, SetMap } from '../../base/maps.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { type CheckerTime, countsWithoutSet, goalOf, noLag } from './deployment-goal.ts'
import { checkDeployments } from './deployment-rules.ts'
import { checkJobs } from './job-rules.ts'
import { checkConcurrency, checkQuotas, checkSets } from './limits.ts'
import { isReady, isTerminal } from './object-state.ts'
import { checkPacer, type PacerTime } from './pacer-rules.ts'
import { checkOperational, checkProgress } from './progress-rules.ts'

interface Invariants {
  /** A line for each violation, in the order in which they were found. */
  readonly breaches: readonly string[]
  onChange(change: Change): void
}

type WithStatus = Stored<KubernetesObject> & { readonly status?: { readonly observedGeneration?: number } }

type WithSpec = Stored<KubernetesObject> & { readonly spec?: object }

interface Wish {
  readonly generation: number | undefined
  readonly text: string
  readonly spec: object | undefined
  /** The Deployment controller is asked to roll it back. */
  isRollback: boolean
}

const rollbackTo = 'deprecated.deployment.rollback.to'
const workloads: ReadonlySet<string> = new Set(['deployments', 'replicasets', 'statefulsets', 'daemonsets', 'jobs', 'cronjobs'])
const completionIndex = 'batch.kubernetes.io/job-completion-index'
const revisionHash = 'controller-revision-hash'

interface InvariantsOptions {
  /** Whether a user's write is under way. */
  isUserWriting?(): boolean
  readonly gates?: FeatureGates
  readonly time?: CheckerTime
  /** Of the pacer. */
  readonly pacerTime?: PacerTime
}

export function watchInvariants(options: InvariantsOptions = {}): Invariants {
  const { isUserWriting = () => true, gates = defaultFeatureGates, time = noLag, pacerTime = noLag } = options
  const breaches: string[] = []
  const observed = new Map<string, number>()
  const wishes = new Map<string, Wish>()
  /** The uids of the autoscalers of a workload, by its kind and name. */
  const autoscaled = new SetMap<string, string>()
  /** Active pods by the identity that only one pod may have. */
  const holders = new SetMap<string, string>()
  const identities = new Map<string, string>()

  const checkObservedGeneration = ({ kind, key, object }: Change) => {
    const { metadata, status } = object as WithStatus
    const now = status?.observedGeneration
    if (now === undefined) return
    const before = observed.get(metadata.uid) ?? 0
    if (now < before) breaches.push(`observedGeneration of ${kind.kind} ${key} goes back from ${before} to ${now}`)
    if (now > (metadata.generation ?? 0))
      breaches.push(`observedGeneration of ${kind.kind} ${key} is ${now} where its generation is ${metadata.generation}`)
    observed.set(metadata.uid, now)
  }

  /** The spec belongs to the user: a controller that writes it from an old version would undo the user's last change. */
  const checkSpec = ({ verb, kind, key, object, controller }: Change) => {
    const { uid, generation } = object.metadata
    // A controller may change the objects that it owns. The user who orphans an object accepts its current spec.
    if (controller !== undefined) return void wishes.delete(uid)
    const asked = wishes.get(uid)
    const isRollback = object.metadata.annotations?.[rollbackTo] !== undefined
    if (asked !== undefined && asked.generation === generation) {
      asked.isRollback = isRollback
      return
    }
    const { spec } = object as WithSpec
    const text = JSON.stringify(spec)
    if (verb === 'update' && asked !== undefined && asked.text !== text && !isUserWriting() && !isRequested(asked, kind, object))
      breaches.push(`what was asked of ${kind.kind} ${key} is changed, and not by a user`)
    wishes.set(uid, { generation, text, spec, isRollback })
  }

  /** An autoscaler changes the number of replicas, and the annotation for a rollback asks the Deployment controller for another template. */
  const isRequested = (asked: Wish, { kind }: Change['kind'], object: Change['object']): boolean => {
    const { spec } = object as WithSpec
    const without = (field: string, of: object | undefined) => JSON.stringify({ ...of, [field]: undefined })
    const { namespace, name } = object.metadata
    const isScaled = autoscaled.has(`${kind} ${namespace}/${name}`) && without('replicas', asked.spec) === without('replicas', spec)
    return isScaled || (asked.isRollback && kind === 'Deployment' && without('template', asked.spec) === without('template', spec))
  }

  const noteAutoscaler = ({ verb, object }: Change) => {
    const { uid, namespace } = object.metadata
    for (const workload of [...autoscaled.keys()]) autoscaled.remove(workload, uid)
    const target = (object as HorizontalPodAutoscaler).spec?.scaleTargetRef
    if (verb !== 'delete' && target !== undefined) autoscaled.add(`${target.kind} ${namespace}/${target.name}`, uid)
  }

  const checkControllers = ({ kind, key, object }: Change) => {
    const controllers = (object.metadata.ownerReferences ?? []).filter(({ controller }) => controller === true)
    if (controllers.length > 1)
      breaches.push(
        `${kind.kind} ${key} has ${controllers.length} controllers: ${controllers.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`,
      )
  }

  const checkIdentity = ({ verb, key, object, controller }: Change) => {
    const { uid } = object.metadata
    const identity = verb === 'delete' ? undefined : identityOf(object as Stored<Pod>, controller)
    const before = identities.get(uid)
    if (identity === before) return
    if (before !== undefined) {
      identities.delete(uid)
      holders.remove(before, uid)
    }
    if (identity === undefined) return
    identities.set(uid, identity)
    holders.add(identity, uid)
    const { size } = holders.get(identity)!
    if (size > 1) breaches.push(`${size} pods are ${identity}, the last of them ${key}`)
  }

  const limits = [
    checkQuotas(),
    checkConcurrency(),
    checkSets(gates),
    checkJobs(),
    checkProgress(),
    checkOperational(),
    checkPacer(pacerTime),
  ]
  const checkDeployment = checkDeployments({ gates, time, isUserWriting })

  return {
    breaches,
    onChange(change) {
      const { plural } = change.kind
      if (plural === 'events' || plural === 'leases') return
      if (plural === 'horizontalpodautoscalers') noteAutoscaler(change)
      for (const check of limits) {
        const breach = check(change)
        if (breach !== undefined) breaches.push(breach)
      }
      breaches.push(...checkDeployment(change))
      if (change.verb === 'delete') {
        observed.delete(change.object.metadata.uid)
        wishes.delete(change.object.metadata.uid)
      } else {
        checkObservedGeneration(change)
        if (workloads.has(plural)) checkSpec(change)
        checkControllers(change)
      }
      if (plural === 'pods') checkIdentity(change)
    },
  }
}

/** The identity of an active pod: the index in its Job, or the node of its DaemonSet. */
function identityOf(pod: Stored<Pod>, owner: Change['controller']): string | undefined {
  const { metadata, spec } = pod
  if (metadata.deletionTimestamp !== undefined || isTerminal(pod)) return undefined
  if (owner?.kind === 'Job') {
    const index = metadata.annotations?.[completionIndex]
    return index === undefined ? undefined : `index ${index} of Job ${metadata.namespace}/${owner.name} (${owner.uid})`
  }
  if (owner?.kind === 'DaemonSet') {
    const term = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]
    const node = spec?.nodeName || term?.matchFields?.find(({ key }) => key === 'metadata.name')?.values?.[0]
    const hash = metadata.labels?.[revisionHash]
    return node === undefined ? undefined : `DaemonSet ${metadata.namespace}/${owner.name} (${owner.uid}) revision ${hash} on node ${node}`
  }
  return undefined
}

/** The counts in the status of a workload. */
export interface Counted extends Stored<KubernetesObject> {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelector }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly terminatingReplicas?: number
  }
}

export interface Settled {
  readonly replicaSets: readonly Counted[]
  readonly deployments: readonly Counted[]
  readonly statefulSets: readonly Counted[]
  readonly daemonSets: readonly Stored<DaemonSet>[]
  readonly jobs: readonly Stored<Job>[]
  readonly budgets: readonly Stored<PodDisruptionBudget>[]
  readonly quotas: readonly Stored<ResourceQuota>[]
  readonly pods: readonly Stored<Pod>[]
  /** Whether ReplicaSets and Deployments must report their terminating pods. */
  readonly countsTerminating?: boolean
}

/** When nothing changes any more, the counts in the statuses match the pods. A line for each that does not. */
export function findWrongCounts(settled: Settled): string[] {
  const { replicaSets, deployments, statefulSets, daemonSets, jobs, budgets, quotas, pods, countsTerminating = false } = settled
  const wrong: string[] = []
  const compare = (kind: string, { metadata }: Stored<KubernetesObject>, field: string, said: number | undefined, is: number) => {
    if ((said ?? 0) !== is)
      wrong.push(`status.${field} of ${kind} ${metadata.namespace}/${metadata.name} is ${said ?? 0} where there are ${is}`)
  }
  const owned = <T extends Stored<KubernetesObject>>(objects: readonly T[]) => {
    const byOwner = groupBy(objects, (object) => controllerOf(object)?.uid)
    return ({ metadata }: Stored<KubernetesObject>) => byOwner.get(metadata.uid) ?? []
  }
  const living = pods.filter((pod) => !isTerminal(pod))
  const podsOf = owned(living)
  const isGoing = ({ metadata }: Stored<KubernetesObject>) => metadata.deletionTimestamp !== undefined
  const active = (those: readonly Stored<Pod>[]) => those.filter((pod) => !isGoing(pod))

  const compareTerminating = (kind: string, object: Counted, own: readonly Stored<Pod>[]) => {
    const said = object.status?.terminatingReplicas
    if (said !== undefined) compare(kind, object, 'terminatingReplicas', said, own.filter(isGoing).length)
    else if (countsTerminating && (object.status?.observedGeneration ?? 0) > 0)
      wrong.push(`status.terminatingReplicas of ${kind} ${object.metadata.namespace}/${object.metadata.name} is lost`)
  }

  for (const set of replicaSets.filter((one) => !isGoing(one))) {
    const own = podsOf(set)
    compare('ReplicaSet', set, 'replicas', set.status?.replicas, active(own).length)
    compare('ReplicaSet', set, 'readyReplicas', set.status?.readyReplicas, active(own).filter(isReady).length)
    compareTerminating('ReplicaSet', set, own)
  }
  const setsOf = owned(replicaSets)
  const setUids = new Set(replicaSets.map(({ metadata }) => metadata.uid))
  const uncounted = living.filter((pod) => {
    const owner = controllerOf(pod)
    return isGoing(pod) && owner?.kind === 'ReplicaSet' && !setUids.has(owner.uid)
  })
  /** Under a policy: terminating pods of deleted ReplicaSets. */
  const straysOf = (deployment: Stored<Deployment>) =>
    goalOf(deployment, defaultFeatureGates).hasPolicy ? uncounted.filter((pod) => countsWithoutSet(deployment, pod)) : []
  for (const deployment of deployments.filter((one) => !isGoing(one))) {
    const own = [...setsOf(deployment).flatMap((set) => podsOf(set)), ...straysOf(deployment as Stored<Deployment>)]
    compare('Deployment', deployment, 'replicas', deployment.status?.replicas, active(own).length)
    compare('Deployment', deployment, 'readyReplicas', deployment.status?.readyReplicas, active(own).filter(isReady).length)
    compareTerminating('Deployment', deployment, own)
  }
  for (const set of statefulSets.filter((one) => !isGoing(one))) {
    const own = podsOf(set)
    if (own.some(isGoing)) continue
    compare('StatefulSet', set, 'replicas', set.status?.replicas, own.length)
    compare('StatefulSet', set, 'readyReplicas', set.status?.readyReplicas, own.filter(isReady).length)
  }
  for (const set of daemonSets.filter((one) => !isGoing(one))) {
    const own = podsOf(set)
    if (own.some(isGoing)) continue
    // A pod that stays on a node which has become unsuitable, for example by a taint with NoSchedule, is misscheduled and not counted.
    const { numberReady = 0, numberMisscheduled = 0 } = set.status ?? {}
    const ready = countedDaemons(own).filter(isReady).length
    if (numberReady > ready || numberReady + numberMisscheduled < ready) compare('DaemonSet', set, 'numberReady', numberReady, ready)
  }
  for (const job of jobs.filter((one) => !isGoing(one))) {
    const own = podsOf(job)
    compare('Job', job, 'active', job.status?.active, active(own).length)
    compare('Job', job, 'terminating', job.status?.terminating, own.filter(isGoing).length)
  }
  for (const budget of budgets) {
    const requirements = selectorRequirements(budget.spec?.selector)
    const hasFailed = budget.status?.conditions?.some(({ reason }) => reason === 'SyncFailed') ?? false
    if (requirements === undefined || hasFailed) continue
    const those = active(living).filter(
      ({ metadata }) => metadata.namespace === budget.metadata.namespace && matchesLabels(requirements, metadata.labels),
    )
    compare('PodDisruptionBudget', budget, 'currentHealthy', budget.status?.currentHealthy, those.filter(isReady).length)
  }
  for (const quota of quotas) {
    const used = quota.status?.used?.['pods']
    const those = living.filter(({ metadata }) => metadata.namespace === quota.metadata.namespace)
    // A pod whose grace period is over does not count, although its node has not reported its termination.
    if (used === undefined || hasScopes(quota) || those.some(isGoing)) continue
    compare('ResourceQuota', quota, 'used.pods', Number(used), those.length)
  }
  return wrong
}

/**
 * In Kubernetes a node that has two pods, as during a surge, counts by the one with the lower creationTimestamp and, within a second, the
 * lower name. So a pod that never becomes ready can hide a ready one that was created before it in the same second.
 */
function countedDaemons(pods: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  const age = ({ metadata }: Stored<Pod>) => `${metadata.creationTimestamp} ${metadata.name}`
  const byNode = groupBy(pods, ({ spec, metadata }) => spec?.nodeName ?? metadata.uid)
  return [...byNode.values()].map((those) => those.reduce((first, other) => (age(other) < age(first) ? other : first)))
}

const hasScopes = ({ spec }: ResourceQuota) => (spec?.scopes?.length ?? 0) > 0 || spec?.scopeSelector !== undefined

/** When nothing changes any more, no object has a deleted owner. A line for each that has. */
export function findLeftBehind(objects: readonly Stored<KubernetesObject>[], owners: readonly Stored<KubernetesObject>[]): string[] {
  const uids = new Set(owners.map(({ metadata }) => metadata.uid))
  return objects.flatMap(({ metadata }) => {
    const owner = controllerOf({ metadata })
    return owner === undefined || uids.has(owner.uid)
      ? []
      : [`${metadata.namespace}/${metadata.name} is left behind: its ${owner.kind} ${owner.name} is gone`]
  })
}
