// One sync of the Job controller: the shipped planners, in the order in which `job-controller.ts` calls them. Memoised by what the caches show.
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Job, Pod, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { noBackoff } from '../../controllers/job/plan/backoff.ts'
import { type JobPlan, planJob } from '../../controllers/job/plan/plan.ts'
import { completionIndexKey, completionIndexOf, type JobPod, trackingFinalizer } from '../../controllers/job/plan/pods.ts'
import { type JobStatus, planJobStatus } from '../../controllers/job/plan/status.ts'
import { indexOf, isDeleted, isTracked, listedFailed, listedSucceeded, phaseOf, type State } from './state.ts'

export interface JobShape {
  readonly completions: number
  readonly isIndexed: boolean
  readonly replacesOnlyFailed: boolean
  readonly backoffLimit: number
}

/** The stored status without the lists of uncounted pods, which each state keeps for itself. */
export interface JobRecord {
  readonly parallelism: number
  readonly isSuspended: boolean
  readonly status: JobStatus
}

interface StatusWrite {
  /** 0: the status does not change. */
  readonly job: number
  /** The lists of uncounted pods, by pod. */
  readonly lists: readonly number[]
  /** The pods that lose their finalizer after the status was written. */
  readonly release: readonly number[]
}

interface JobStep {
  /** The indexes of the pods to create; 0 for a Job without indexes. */
  readonly creations: readonly number[]
  readonly deletions: readonly number[]
  /** Whether they lose their finalizer first. */
  readonly releaseFirst: boolean
  /** After so many creations or deletions. */
  statusAfter(count: number): StatusWrite
}

const nowMs = 1_800_000_000_000
/** Long enough ago that no back-off is left. */
const longAgo = formatTime(nowMs - 3_600_000)
const phases = ['', 'Running', 'Succeeded', 'Failed']
const gates = { ...defaultFeatureGates, ExtendedWorkloadConditions: false }

export class JobSteps {
  readonly #shape: JobShape
  readonly #ids = new Map<string, number>()
  readonly #records: JobRecord[] = [{ parallelism: 0, isSuspended: false, status: {} }]
  readonly #known = new Map<string, JobStep>()

  constructor(shape: JobShape) {
    this.#shape = shape
  }

  get(id: number): JobRecord {
    return this.#records[id]!
  }

  idOf(record: JobRecord): number {
    const key = JSON.stringify([record.parallelism, record.isSuspended, record.status])
    let id = this.#ids.get(key)
    if (id === undefined) {
      id = this.#records.push(record) - 1
      this.#ids.set(key, id)
    }
    return id
  }

  /** `isReversed`: the pods are read in the other order, which decides between equal ones. */
  plan(state: State, isReversed: boolean): JobStep {
    let key = String.fromCharCode(state.cachedJob & 0xffff, state.cachedJob >> 16, isReversed ? 1 : 0)
    for (let slot = 0; slot < state.pods.length; slot++) key += String.fromCharCode(state.cachedPod(slot) | (state.cachedList(slot) << 6))
    let step = this.#known.get(key)
    if (step === undefined) {
      step = this.#plan(state, isReversed)
      this.#known.set(key, step)
    }
    return step
  }

  #plan(state: State, isReversed: boolean): JobStep {
    const record = this.get(state.cachedJob)
    const slots = state.pods.map((_, slot) => slot).filter((slot) => phaseOf(state.cachedPod(slot)) !== 0)
    if (isReversed) slots.reverse()
    const pods = slots.map((slot) => podObject(slot, state.cachedPod(slot), this.#shape))
    const job = this.#jobOf(record, state)
    const plan = planJob({ job, pods, gates, nowMs, backoff: noBackoff })
    const after = new Map<number, StatusWrite>()
    return {
      creations: plan.creations.map((pod) => completionIndexOf(pod) ?? 0),
      deletions: plan.deletions.map(slotOf),
      releaseFirst: plan.releaseFirst,
      statusAfter: (count) => {
        let write = after.get(count)
        if (write === undefined) {
          write = this.#statusOf(record, plan, count)
          after.set(count, write)
        }
        return write
      },
    }
  }

  #statusOf(record: JobRecord, plan: JobPlan, count: number): StatusWrite {
    const isCreating = plan.creations.length > 0
    const next = planJobStatus(plan, { created: isCreating ? count : 0, deleted: isCreating ? [] : plan.deletions.slice(0, count) })
    const release = next.release.filter(({ metadata }) => metadata.finalizers !== undefined).map(slotOf)
    if (next.status === undefined) return { job: 0, lists: [], release }
    const { uncountedTerminatedPods: lists = {}, ...status } = next.status
    const inList: number[] = []
    for (const uid of lists.succeeded ?? []) inList[Number(uid)] = listedSucceeded
    for (const uid of lists.failed ?? []) inList[Number(uid)] = listedFailed
    return { job: this.idOf({ ...record, status }), lists: inList, release }
  }

  #jobOf({ parallelism, isSuspended, status }: JobRecord, state: State): Stored<Job> {
    const { completions, isIndexed, replacesOnlyFailed, backoffLimit } = this.#shape
    const inList = (list: number) => state.pods.flatMap((_, slot) => (state.cachedList(slot) === list ? [String(slot)] : []))
    return {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'job', namespace: 'n', uid: 'job', resourceVersion: '1', creationTimestamp: longAgo },
      spec: {
        parallelism,
        completions,
        backoffLimit,
        suspend: isSuspended,
        completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
        podReplacementPolicy: replacesOnlyFailed ? 'Failed' : 'TerminatingOrFailed',
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'a' }], restartPolicy: 'Never' } },
      },
      status: { ...status, uncountedTerminatedPods: { succeeded: inList(listedSucceeded), failed: inList(listedFailed) } },
    } as unknown as Stored<Job>
  }
}

const slotOf = ({ metadata }: JobPod): number => Number(metadata.uid)

function podObject(slot: number, pod: number, { isIndexed }: JobShape): Stored<Pod> {
  const index = { [completionIndexKey]: String(indexOf(pod)) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${slot}`,
      namespace: 'n',
      uid: String(slot),
      resourceVersion: '1',
      creationTimestamp: longAgo,
      labels: { app: 'x' },
      ...(isIndexed && { annotations: index }),
      ...(isTracked(pod) && { finalizers: [trackingFinalizer] }),
      ...(isDeleted(pod) && { deletionTimestamp: longAgo }),
    },
    spec: { nodeName: 'node', containers: [] },
    status: { phase: phases[phaseOf(pod)] },
  } as unknown as Stored<Pod>
}

/** How many pods of the state are in that phase, deleted ones included. */
export function countPhase(state: State, phase: number): number {
  let count = 0
  for (let slot = 0; slot < state.pods.length; slot++) if (phaseOf(state.pod(slot)) === phase) count++
  return count
}
