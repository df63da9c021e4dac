// Removes the pacer's scheduling gate from pods as soon as their workload has room. At most replicas + maxSurge pods of a Deployment,
// the replicas of a ReplicaSet or the parallelism of a Job are admitted at a time, including terminating pods. The controllers of
// the workloads need no change.
//
// StatefulSets and DaemonSets wait for terminating pods by themselves. Their pods and pods of controllers that are not known here are
// released at once, and pods without a controller when none has adopted them for a while: a gate that nothing would remove must not hold a
// pod for ever.
// Ours: the pacer exists in Rollcall only.
import {
  deployments as deploymentKind,
  jobs as jobKind,
  namespaces as namespaceKind,
  pods as podKind,
  replicaSets as replicaSetKind,
} from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, Job, KubernetesObject, OwnerReference, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { hasSameLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { buildController, owned, type ReconcileContext, watched } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { together } from '../../runtime/together.ts'
import type { ReconcileResult } from '../../runtime/workers.ts'
import { DeletedSets } from '../deployment/deleted-sets.ts'
import { applyEvictions } from '../eviction/apply-evictions.ts'
import { EvictionCounts } from '../eviction/eviction-counts.ts'
import { hasEvictionMarks } from '../eviction/plan/eviction-marks.ts'
import { planEvictions, podsOwedBy } from '../eviction/plan/evictions.ts'
import { AnnotationProblems } from '../shared/annotation-problems.ts'
import { cachedController } from '../shared/cached-controller.ts'
import { stuckTerminationTimeoutOf } from '../shared/plan/annotations.ts'
import { batchDelayMs } from '../shared/plan/pod-changes.ts'
import { isReady, isTerminal } from '../shared/plan/pod-state.ts'
import { StuckPods } from '../shared/stuck-pods.ts'
import { deploymentCap, jobCap, replicaSetCap } from './plan/cap.ts'
import { hasPacedOwner, optInKey, optInProblemOf } from './plan/opt-in.ts'
import { describeWait, isGated, type PacedWorkload, type Pacing, pacerGate, planPacing } from './plan/pacing.ts'
import { UngatedPods } from './ungated-pods.ts'

export interface Pacer extends RunningController {
  /** The workloads with waiting pods, by kind and key. */
  readonly waits: ReadonlyMap<string, Pacing>
  /** Those of Deployments. */
  readonly evictions: EvictionCounts
  /** The workloads whose new pods arrive without the gate. */
  bypassed(): readonly string[]
}

const defaultWorkers = 16
/** The maximum number of gates of a workload that are removed at a time. */
const maxPatches = 100
const revisionAnnotation = 'deployment.kubernetes.io/revision'

/** How long the eviction of a pod waits for its replacement. */
const defaultEvictionTimeoutMs = 300_000

/** How long a pod without a controller keeps its gate: a ReplicaSet or Job may adopt it, as when the one before was deleted alone. */
const adoptionMs = 5_000

interface PacerParts extends RecordingControllerParts {
  /** Default: 5 minutes. */
  readonly evictionTimeoutMs?: number
  /** Called with each plan for a workload with gated pods, before it is applied. `name` has the kind and the key. */
  onPlan?(name: string, pacing: Pacing, cap: number): void
}

/** The component of the recorder is `rollcall-pacer`. */
export function startPacer(options: PacerParts): Pacer {
  const { clock, informers, recorder, evictionTimeoutMs: timeoutMs = defaultEvictionTimeoutMs } = options
  const deployments = informers.get(deploymentKind)
  const replicaSets = informers.get(replicaSetKind)
  const jobs = informers.get(jobKind)
  const pods = informers.get(podKind)
  const namespaces = informers.get(namespaceKind)
  const labelOf = (namespace: string) => namespaces.get(namespace)?.metadata.labels?.[optInKey]
  const ungatedPods = new UngatedPods({ clock, pods, recorder, labelOf })
  const deletedSets = new DeletedSets(informers)
  const stuckPods = new StuckPods(recorder)
  const problems = new AnnotationProblems(recorder)
  const waits = new Map<string, Pacing>()
  const evictions = new EvictionCounts()

  const pace = async (
    workload: Stored<KubernetesObject>,
    about: { readonly kind: string; readonly apiVersion: string },
    paced: Omit<PacedWorkload, 'stuckTerminationTimeoutMs'> & { readonly cap: number },
    { key, client }: ReconcileContext,
  ): Promise<Pacing> => {
    const { value: stuckMs, problem } = stuckTerminationTimeoutOf(workload)
    const pacing = planPacing({ ...paced, ...(stuckMs !== undefined && { stuckTerminationTimeoutMs: stuckMs }) }, clock.now())
    const subject = { ...workload, ...about }
    const name = `${about.kind} ${key}`
    problems.report(name, subject, [optInProblemOf(workload), problem])
    stuckPods.report(name, pacing.waiting.length > 0 || pacing.release.length > 0 ? pacing.stuck : [], subject)
    ungatedPods.report(name, about.kind, subject, paced.pods, pacing, paced.cap)
    reportWait(name, subject, pacing, paced.cap)
    if (pacing.release.length + pacing.waiting.length > 0) options.onPlan?.(name, pacing, paced.cap)
    await applyRelease(client, pacing.release, (pod, error) => {
      // A refusal is shown on the pod, as it may last. Every failure is retried.
      if (isStatusError(error, 'Forbidden') || isStatusError(error, 'Invalid'))
        recorder.record(pod, 'Warning', 'PacerReleaseFailed', `Cannot remove the scheduling gate ${pacerGate}: ${error.message}`)
    })
    return pacing
  }
  const requeueAt = (...times: readonly (number | undefined)[]): ReconcileResult | undefined => {
    const atMs = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY))
    return Number.isFinite(atMs) ? { requeueAfterMs: Math.max(1, atMs - clock.now()) } : undefined
  }

  /** Replaces pods of a Deployment that are to be evicted. */
  const answerEvictions = async (
    deployment: Stored<Deployment>,
    own: readonly Stored<Pod>[],
    pacing: Pacing,
    { key, client }: ReconcileContext,
  ) => {
    const gated = pacing.waiting.length + pacing.release.length
    const sets = setsOf(deployment)
    const cap = deploymentCap(deployment)
    const room = cap - pacing.admitted - gated - podsOwedBy(sets, own)
    const snapshot = { deployment, sets, pods: own, room, cap, takesOver: true, timeoutMs }
    const plan = planEvictions(snapshot, clock.now())
    evictions.note(key, plan.waiting)
    await applyEvictions(deployment, plan.actions, { client, recorder, nowMs: clock.now(), timeoutMs })
    for (const action of plan.actions) if (action.type === 'allow') evictions.noteAnswer(action.reason)
    return plan.requeueAtMs
  }

  /** An Event on the workload and one on each pod when they have waited for a while; the pods themselves show SchedulingGated. */
  const reportWait = (name: string, subject: KubernetesObject, pacing: Pacing, cap: number) => {
    const before = waits.get(name)
    if (pacing.waiting.length === 0) {
      waits.delete(name)
      return
    }
    waits.set(name, pacing)
    if (pacing.longWaiting.length === 0) return
    const known = new Set(before?.longWaiting.map(({ metadata }) => metadata.uid))
    if (known.size === 0) recorder.record(subject, 'Normal', 'PacerWaiting', describeWait(pacing, cap))
    for (const pod of pacing.longWaiting)
      if (!known.has(pod.metadata.uid)) recorder.record(pod, 'Normal', 'PacerWaiting', describeWait(pacing, cap))
  }

  const revisionOf = (pod: Stored<Pod>): number => {
    const reference = controllerOf(pod)
    const set = reference && replicaSets.get(`${pod.metadata.namespace}/${reference.name}`)
    return Number(set?.metadata.annotations?.[revisionAnnotation] ?? 0) || 0
  }
  const setsOf = (deployment: Stored<Deployment>) => replicaSets.byIndex('owner', deployment.metadata.uid)
  const deploymentOfSet = (set: Stored<ReplicaSet>) => cachedController(deployments, 'Deployment', set)
  /** Whether the Deployment of a set exists although the cache lacks it: all ReplicaSets of a Deployment must be paced together. */
  const hasUnseenDeployment = async (set: Stored<ReplicaSet>): Promise<boolean> => {
    const owner = controllerOf(set)
    if (owner === undefined || !isDeployment(owner)) return false
    const ref = { namespace: set.metadata.namespace ?? '', name: owner.name }
    return (await ignoring('NotFound', options.client.get(deploymentKind, ref)))?.metadata.uid === owner.uid
  }
  const podsOfDeployment = (deployment: Stored<Deployment>) => [
    ...pods.byIndex('owner', deployment.metadata.uid),
    ...setsOf(deployment).flatMap((set) => pods.byIndex('owner', set.metadata.uid)),
    ...deletedSets.uncountedOf(deployment).strays,
  ]

  /** The Deployment of a pod by its ReplicaSet. */
  function* deploymentOf(current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined): Iterable<string> {
    const pod = (current ?? previous)!
    const isNoted = current !== undefined && previous !== undefined && !affectsPacing(current, previous)
    const isMarked = isNoted && (hasEvictionMarks(current) || hasEvictionMarks(previous))
    if (isNoted && !isMarked && (evictions.isEmpty || isReady(current) === isReady(previous))) return
    // Both: a pod that has just become terminal no longer counts, and its Deployment has room now.
    if (!isNoted) for (const one of [previous, current]) if (one !== undefined) yield* deletedSets.keysOf(deployments, one)
    for (const one of [previous, current]) {
      const reference = one && controllerOf(one)
      if (reference !== undefined && isDeployment(reference)) yield `${pod.metadata.namespace}/${reference.name}`
    }
    const reference = controllerOf(pod)
    if (reference?.kind !== 'ReplicaSet') return
    const set = replicaSets.get(`${pod.metadata.namespace}/${reference.name}`)
    const deployment = set && deploymentOfSet(set)
    if (deployment !== undefined && (!isNoted || evictions.has(keyOf(deployment)) || isMarked)) yield keyOf(deployment)
  }

  const forget = (kind: string) => (key: string) => {
    if (kind === 'Deployment') evictions.delete(key)
    waits.delete(`${kind} ${key}`)
    stuckPods.delete(`${kind} ${key}`)
    ungatedPods.delete(`${kind} ${key}`)
    problems.delete(`${kind} ${key}`)
  }
  const running = [
    buildController(options, {
      name: 'pacer_deployment',
      for: deploymentKind,
      delayOf: delayOfWorkload,
      owns: [owned<Deployment, ReplicaSet>({ kind: replicaSetKind, matters: affectsPlan })],
      watches: [watched(podKind, deploymentOf, (key) => batchDelayMs(deployments.get(key)?.spec?.replicas ?? 0))],
      reads: [namespaces, { synced: Promise.all([replicaSets.synced, pods.synced]).then(() => deletedSets.start()) }],
      workers: defaultWorkers,
      async reconcile(deployment, context) {
        const own = podsOfDeployment(deployment)
        const paced = { cap: deploymentCap(deployment), pods: own, revisionOf }
        const pacing = await pace(deployment, { kind: 'Deployment', apiVersion: 'apps/v1' }, paced, context)
        return requeueAt(pacing.requeueAtMs, await answerEvictions(deployment, own, pacing, context))
      },
      forget: forget('Deployment'),
    }),
    buildController(options, {
      name: 'pacer_replicaset',
      for: replicaSetKind,
      // The sets of a Deployment are paced together. One that was adopted is reconciled once, and forgotten.
      delayOf: (set, previous) =>
        deploymentOfSet(set) === undefined || waits.has(`ReplicaSet ${keyOf(set)}`) ? delayOfWorkload(set, previous) : undefined,
      owns: [
        owned<ReplicaSet, Pod>({
          kind: podKind,
          matters: affectsPacing,
          delayMs: (key) => batchDelayMs(replicaSets.get(key)?.spec?.replicas ?? 0),
        }),
      ],
      watches: [watched(deploymentKind, (current, previous) => (current === undefined ? setsOf(previous!).map(keyOf) : []))],
      workers: defaultWorkers,
      async reconcile(set, context) {
        if (deploymentOfSet(set) !== undefined || (await hasUnseenDeployment(set))) {
          forget('ReplicaSet')(context.key)
          return undefined
        }
        const paced = { cap: replicaSetCap(set), pods: pods.byIndex('owner', set.metadata.uid) }
        return requeueAt((await pace(set, { kind: 'ReplicaSet', apiVersion: 'apps/v1' }, paced, context)).requeueAtMs)
      },
      forget: forget('ReplicaSet'),
    }),
    buildController(options, {
      name: 'pacer_job',
      for: jobKind,
      delayOf: delayOfWorkload,
      owns: [
        owned<Job, Pod>({ kind: podKind, matters: affectsPacing, delayMs: (key) => batchDelayMs(jobs.get(key)?.spec?.parallelism ?? 0) }),
      ],
      workers: defaultWorkers,
      async reconcile(job, context) {
        const paced = { cap: jobCap(job), pods: pods.byIndex('owner', job.metadata.uid) }
        return requeueAt((await pace(job, { kind: 'Job', apiVersion: 'batch/v1' }, paced, context)).requeueAtMs)
      },
      forget: forget('Job'),
    }),
    buildController(options, {
      name: 'pacer_pod',
      for: podKind,
      delayOf: (pod) => (isGated(pod) && !hasPacedOwner(pod) ? releaseDelayOf(pod) : undefined),
      reads: [replicaSets, jobs],
      workers: defaultWorkers,
      async reconcile(pod, { client }) {
        if (!isGated(pod) || hasPacedOwner(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined
        if (controllerOf(pod) !== undefined) await removeGate(client, pod)
        // Something has changed the pod, and may have adopted it.
        else if (!(await isReleasedIfUnchanged(client, pod))) return { requeueAfterMs: adoptionMs }
        return undefined
      },
    }),
  ]

  return { waits, evictions, bypassed: () => ungatedPods.names(), ...together(running) }
}

/** Whether a change can change the plan. A change of the status cannot. */
const affectsPlan = ({ metadata: now }: Stored<KubernetesObject>, { metadata: before }: Stored<KubernetesObject>) =>
  now.generation !== before.generation ||
  now.deletionTimestamp !== before.deletionTimestamp ||
  !isEqualJson(now.annotations ?? {}, before.annotations ?? {}) ||
  !isEqualJson(now.ownerReferences ?? [], before.ownerReferences ?? [])

const delayOfWorkload = (current: Stored<KubernetesObject>, previous: Stored<KubernetesObject> | undefined) =>
  previous === undefined || affectsPlan(current, previous) ? 0 : undefined

/** Whether the change of a pod affects how many pods are admitted or wait, or to which workload the pod belongs. */
const affectsPacing = (now: Stored<Pod>, before: Stored<Pod>): boolean =>
  isGated(now) !== isGated(before) ||
  isTerminal(now) !== isTerminal(before) ||
  now.metadata.deletionTimestamp !== before.metadata.deletionTimestamp ||
  !isEqualJson(now.metadata.ownerReferences ?? [], before.metadata.ownerReferences ?? []) ||
  // The selector of a Deployment finds the pods of its deleted ReplicaSets.
  !hasSameLabels(now.metadata.labels, before.metadata.labels)

/** Of a pod that is not paced. */
const releaseDelayOf = (pod: Stored<Pod>) => (controllerOf(pod) === undefined ? adoptionMs : 0)

const isDeployment = ({ kind, apiVersion }: OwnerReference) => kind === 'Deployment' && apiVersion.startsWith('apps/')

/** Removes the pacer's gate and leaves those of others. All are tried; rejects with the first failure. */
export async function applyRelease(
  client: Client,
  pods: readonly Stored<Pod>[],
  onRefused: (pod: Stored<Pod>, error: Error) => void = () => {},
): Promise<void> {
  const failures: Error[] = []
  let next = 0
  const work = async () => {
    while (next < pods.length) {
      const pod = pods[next++]!
      await removeGate(client, pod).catch((error: Error) => {
        failures.push(error)
        onRefused(pod, error)
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxPatches, pods.length) }, work))
  if (failures.length > 0) throw failures[0]
}

/** False: the pod is no longer as it was observed, and keeps the gate. */
async function isReleasedIfUnchanged(client: Client, pod: Stored<Pod>): Promise<boolean> {
  const { resourceVersion } = pod.metadata
  const released = removeGate(client, pod, { resourceVersion }).then(() => true)
  return released.catch((error: Error) => {
    if (isStatusError(error, 'Conflict')) return false
    throw error
  })
}

async function removeGate(
  client: Client,
  { metadata: { namespace = '', name, uid } }: Stored<Pod>,
  precondition: { readonly resourceVersion?: string } = {},
): Promise<void> {
  const patch = { metadata: { uid, ...precondition }, spec: { schedulingGates: [{ $patch: 'delete', name: pacerGate }] } }
  try {
    await client.patch(podKind, { namespace, name }, 'strategic', patch)
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return
    // The server refuses the change, or another pod has the name by now: the errors are the same.
    if ((isStatusError(error, 'Invalid') || isStatusError(error, 'Conflict')) && !(await isStillGated(client, { namespace, name }, uid)))
      return
    throw error
  }
}

async function isStillGated(client: Client, ref: { readonly namespace: string; readonly name: string }, uid: string): Promise<boolean> {
  const pod = await ignoring('NotFound', client.get(podKind, ref))
  return pod?.metadata.uid === uid && isGated(pod)
}
