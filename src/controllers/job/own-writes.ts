// What the controller has done and its copy does not show yet. With it, a decision is never taken on a state that the
// controller itself has changed.
import type { Job, Stored } from '../../api/types.ts'
import { isTracked, type JobPod } from '../../planners/job/pods.ts'
import { newerOf } from '../../runtime/newer.ts'

interface Writes {
  readonly released: Set<string>
  readonly deleted: Set<string>
  job?: Stored<Job>
}

const nothing: ReadonlySet<string> = new Set()

/** By the key of the Job. */
export class OwnWrites {
  readonly #writes = new Map<string, Writes>()

  /** Uids of pods whose tracking finalizer is gone. */
  released(key: string): ReadonlySet<string> {
    return this.#writes.get(key)?.released ?? nothing
  }

  /** Uids of pods that are deleted or being deleted. */
  deleted(key: string): ReadonlySet<string> {
    return this.#writes.get(key)?.deleted ?? nothing
  }

  /** Said before the request: what it does may be seen before it returns. */
  markReleased(key: string, uid: string): void {
    this.#of(key).released.add(uid)
  }

  markDeleted(key: string, uid: string): void {
    this.#of(key).deleted.add(uid)
  }

  unmarkReleased(key: string, uid: string): void {
    this.#writes.get(key)?.released.delete(uid)
  }

  unmarkDeleted(key: string, uid: string): void {
    this.#writes.get(key)?.deleted.delete(uid)
  }

  /** The copy shows this now; undefined when it no longer has the pod. */
  observePod(key: string, uid: string, pod: JobPod | undefined): void {
    const writes = this.#writes.get(key)
    if (writes === undefined) return
    if (pod === undefined || !isTracked(pod)) writes.released.delete(uid)
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) writes.deleted.delete(uid)
  }

  wroteJob(key: string, job: Stored<Job>): void {
    this.#of(key).job = job
  }

  /** The newer of the copy's Job and the one that was written last. */
  newest(key: string, cached: Stored<Job>): Stored<Job> {
    return newerOf(cached, this.#writes.get(key)?.job)
  }

  isOwn(key: string, { metadata }: Stored<Job>): boolean {
    return this.#writes.get(key)?.job?.metadata.resourceVersion === metadata.resourceVersion
  }

  forget(key: string): void {
    this.#writes.delete(key)
  }

  #of(key: string): Writes {
    const known = this.#writes.get(key)
    if (known !== undefined) return known
    const writes: Writes = { released: new Set(), deleted: new Set() }
    this.#writes.set(key, writes)
    return writes
  }
}
