// A tiny API server, a controller that may stop after any write, and nodes, for the properties of the Job planners.
// The controller observes changes late, and does not sync before it has observed its own writes.
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Job, Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { type Backoff, noBackoff } from '../plan/backoff.ts'
import { isFinished } from '../plan/conditions.ts'
import { planJob } from '../plan/plan.ts'
import { type JobPod, trackingFinalizer } from '../plan/pods.ts'
import { type JobStatus, planJobStatus } from '../plan/status.ts'
import { startMs } from './sample-objects.ts'

/** The controller stopped, and lost its state in memory. */
class Stopped extends Error {}

/** A change that the cache has not observed yet. */
interface PendingChange {
  /** Written by the controller itself: until it is observed, the controller does not sync. */
  readonly isOwn: boolean
  observe(): void
}

export class SimulatedCluster {
  nowMs = startMs
  job: Stored<Job>
  readonly pods = new Map<string, JobPod>()
  /** Uids of pods whose finalizer was removed without listing them in the status: they must not be counted. */
  readonly released = new Set<string>()
  /** Uids that were removed from the lists of the status, each counted once. */
  readonly counted = new Map<string, 'succeeded' | 'failed'>()
  readonly everCreated = new Map<string, JobPod>()
  readonly gates: FeatureGates
  statusWrites = 0
  requeueAtMs: number | undefined
  #version = 1
  #writesBeforeStop = Number.POSITIVE_INFINITY
  #backoff: Backoff = noBackoff
  #isWriting = false
  #cachedJob: Stored<Job>
  #cachedPods = new Map<string, JobPod>()
  #pendingChanges: PendingChange[] = []
  /** Called after every change. */
  check: () => void = () => {}

  constructor(job: Stored<Job>, gates: FeatureGates) {
    this.job = job
    this.gates = gates
    this.#cachedJob = job
  }

  /** The cache observes the next changes. */
  observe(count = Number.POSITIVE_INFINITY): void {
    for (let i = 0; i < count && this.#pendingChanges.length > 0; i++) this.#pendingChanges.shift()!.observe()
  }

  /** One sync; the controller stops after `writesBeforeStop` writes. Returns whether there may be more to do. */
  sync(writesBeforeStop = Number.POSITIVE_INFINITY): boolean {
    this.#writesBeforeStop = writesBeforeStop
    try {
      return this.#sync()
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      // The controller restarts and lists everything.
      this.#backoff = noBackoff
      this.#pendingChanges = []
      this.#cachedJob = this.job
      this.#cachedPods = new Map(this.pods)
      return true
    }
  }

  #sync(): boolean {
    if (this.#pendingChanges.some(({ isOwn }) => isOwn)) return true
    const job = this.#cachedJob
    if (isFinished(job)) return false
    const plan = planJob({
      job,
      pods: [...this.#cachedPods.values()],
      gates: this.gates,
      nowMs: this.nowMs,
      backoff: this.#backoff,
    })
    this.requeueAtMs = plan.requeueAtMs
    for (const pod of plan.creations) this.#write(() => this.#create(pod))
    for (const { metadata } of plan.deletions) {
      if (plan.releaseFirst) this.#write(() => this.#release(metadata.uid, true))
      this.#write(() => this.delete(metadata.uid))
    }
    const next = planJobStatus(plan, { created: plan.creations.length, deleted: plan.deletions })
    if (next.status !== undefined) {
      // A conflict: the key is requeued.
      if (job.metadata.resourceVersion !== this.job.metadata.resourceVersion) return true
      this.#write(() => this.#writeStatus(next.status!))
      this.#backoff = plan.facts.nextBackoff
    }
    for (const { metadata } of next.release) this.#write(() => this.#release(metadata.uid, false))
    return next.status !== undefined || next.requeue || plan.creations.length + plan.deletions.length > 0
  }

  #write(apply: () => void): void {
    if (this.#writesBeforeStop-- <= 0) throw new Stopped()
    this.#isWriting = true
    try {
      apply()
    } finally {
      this.#isWriting = false
    }
    this.check()
  }

  #change(observe: () => void): void {
    this.#pendingChanges.push({ isOwn: this.#isWriting, observe })
  }

  #create(pod: Pod): void {
    const uid = `pod-${this.everCreated.size}`
    const stored = {
      ...pod,
      metadata: { ...pod.metadata, name: uid, uid, namespace: 'default', creationTimestamp: formatTime(this.nowMs) },
      status: { phase: 'Pending' },
    } as unknown as JobPod
    this.everCreated.set(uid, stored)
    this.#put(stored)
  }

  #release(uid: string, isUncounted: boolean): void {
    const pod = this.pods.get(uid)
    if (pod === undefined || !pod.metadata.finalizers?.includes(trackingFinalizer)) return
    if (isUncounted) this.released.add(uid)
    this.#put({ ...pod, metadata: { ...pod.metadata, finalizers: [] } })
    this.#removeIfDone(uid)
  }

  #writeStatus(status: JobStatus): void {
    const before = this.job.status?.uncountedTerminatedPods ?? {}
    for (const result of ['succeeded', 'failed'] as const)
      for (const uid of before[result] ?? []) {
        if (status.uncountedTerminatedPods?.[result]?.includes(uid)) continue
        if (this.counted.has(uid)) throw new Error(`Pod ${uid} is counted twice`)
        this.counted.set(uid, result)
      }
    this.statusWrites++
    this.editJob({ status })
  }

  editJob(change: Partial<Job>): void {
    const job = { ...this.job, ...change, metadata: { ...this.job.metadata, resourceVersion: String(++this.#version) } }
    this.job = job
    this.#change(() => {
      this.#cachedJob = job
    })
  }

  setPhase(uid: string, phase: 'Running' | 'Succeeded' | 'Failed'): void {
    const pod = this.pods.get(uid)
    if (pod === undefined || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return
    const finishedAt = formatTime(this.nowMs) as never
    const container = { name: 'c', image: '', imageID: '', ready: false, restartCount: 0 }
    const ended = { containerStatuses: [{ ...container, state: { terminated: { exitCode: phase === 'Failed' ? 1 : 0, finishedAt } } }] }
    this.#put({ ...pod, status: { phase, ...(phase !== 'Running' && ended) } })
    this.#removeIfDone(uid)
    this.check()
  }

  /** A user deletes or evicts the pod. */
  delete(uid: string): void {
    const pod = this.pods.get(uid)
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return
    this.#put({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(this.nowMs) as never, deletionGracePeriodSeconds: 0 } })
    this.#removeIfDone(uid)
    this.check()
  }

  /** A pod that is being deleted is removed when it has terminated and has no finalizers. */
  #removeIfDone(uid: string): void {
    const pod = this.pods.get(uid)
    const isEnded = pod?.status?.phase === 'Succeeded' || pod?.status?.phase === 'Failed'
    if (pod?.metadata.deletionTimestamp === undefined || !isEnded || (pod.metadata.finalizers?.length ?? 0) > 0) return
    this.pods.delete(uid)
    this.#change(() => this.#cachedPods.delete(uid))
  }

  #put(pod: JobPod): void {
    const { uid } = pod.metadata
    const stored = { ...pod, metadata: { ...pod.metadata, resourceVersion: String(++this.#version) } }
    this.pods.set(uid, stored)
    this.everCreated.set(uid, stored)
    this.#change(() => this.#cachedPods.set(uid, stored))
  }
}
