// The world of a Job: its pods, its controller, the caches, a user who suspends it and changes its parallelism, and faults.
//
// What the planners get is what `job-controller.ts` could show them: the Job and its pods as the caches have them, some events ago and
// independently of each other, but never without the controller's own writes (`consistency.ts`). A sync may stop after each of its writes: a pod
// that is created, loses its finalizer or is deleted, and the status. Writes that are sent concurrently are made in the order of the plan. A
// status is refused when the cache lacks a change of the Job, and then no finalizer is removed.
//
// A pod that is deleted ends as failed, or, if it was about to, as succeeded. It is removed when it has ended and has no finalizer.
//
// Not in this world: time (back-offs, deadlines), podFailurePolicy, successPolicy and backoffLimitPerIndex, adoption, and deletion of the Job.
import type { Visit, World } from '../world.ts'
import { countPhase, type JobRecord, type JobShape, JobSteps } from './job-step.ts'
import {
  active,
  decode,
  deleted,
  encode,
  ended,
  failed,
  gone,
  indexOf,
  isDeleted,
  isTracked,
  type Layout,
  phaseOf,
  podOf,
  State,
  succeeded,
  unlisted,
  untracked,
  widthOf,
} from './state.ts'

export interface JobScope extends JobShape, Layout {
  readonly name: string
  /** The first is the one at the beginning. */
  readonly parallelism: readonly number[]
  readonly canSuspend: boolean
  /** How often: the user changes the spec, */
  readonly users: number
  /** a pod is deleted by others, */
  readonly disruptions: number
  /** a pod fails by itself. */
  readonly failures: number
  /** Whether writes fail, answers are lost and processes restart, as often as they like. */
  readonly hasStops: boolean
}

const actions = ['deliverJob', 'deliverPod', 'sync', 'syncStops', 'succeeds', 'fails', 'deleted', 'restart', 'suspends', 'scales'] as const
type Action = (typeof actions)[number]
const codeOf = (action: Action, a = 0, b = 0): number => (actions.indexOf(action) << 12) | (a << 6) | b
type Reach = (next: State, code: number, isQuiet: boolean, problem?: string) => void

export class JobWorld implements World {
  readonly name: string
  readonly width: number
  readonly #scope: JobScope
  readonly #steps: JobSteps
  readonly #words: Int32Array

  constructor(scope: JobScope) {
    this.name = scope.name
    this.#scope = scope
    this.#steps = new JobSteps(scope)
    this.width = widthOf(scope)
    this.#words = new Int32Array(this.width)
  }

  *initial(): Iterable<Int32Array> {
    const { parallelism, users, disruptions, failures } = this.#scope
    const state = new State()
    state.cachedJob = state.job = this.#steps.idOf({ parallelism: parallelism[0]!, isSuspended: false, status: {} })
    Object.assign(state, { users, disruptions, failures })
    const words = new Int32Array(this.width)
    encode(state, this.#scope, words)
    yield words
  }

  expand(words: Int32Array, quietOnly: boolean, visit: Visit): void {
    const state = decode(words, this.#scope)
    const reach: Reach = (next, code, isQuiet, problem) => {
      next.normalize(this.#scope)
      if (next.pods.length > this.#scope.maxPods) throw new Error(`${this.name}: more than ${this.#scope.maxPods} pods`)
      encode(next, this.#scope, this.#words)
      if (problem !== undefined || this.#words.some((word, at) => word !== words[at])) visit(this.#words, code, isQuiet, problem)
    }
    if (state.isJobBehind) this.#reachAfter(state, (next) => next.deliverJob(), codeOf('deliverJob'), true, reach)
    if (state.podEvents.length > 0) this.#reachAfter(state, (next) => next.deliverPod(), codeOf('deliverPod'), true, reach)
    if (!state.isBehind()) this.#sync(state, quietOnly, reach)
    this.#movePods(state, quietOnly, reach)
    if (!quietOnly) this.#disturb(state, reach)
  }

  #reachAfter(state: State, change: (next: State) => void, code: number, isQuiet: boolean, reach: Reach): void {
    const next = state.clone()
    change(next)
    reach(next, code, isQuiet)
  }

  #sync(state: State, quietOnly: boolean, reach: Reach): void {
    const hasStops = this.#scope.hasStops && !quietOnly
    for (const isReversed of [false, true]) {
      const variant = isReversed ? 1 : 0
      const step = this.#steps.plan(state, isReversed)
      const { creations, deletions, releaseFirst } = step
      if (isReversed && deletions.length === 0) return
      const next = state.clone()
      let writes = 0
      let problem: string | undefined
      const stop = (one: State) => {
        if (hasStops) reach(one.clone(), codeOf('syncStops', writes++, variant), false, problem)
      }
      for (const [place, index] of creations.entries()) {
        // The API server refuses the others: the status has the pods that were created.
        if (hasStops) this.#finish(next.clone(), step, place, codeOf('syncStops', 32 + writes, variant), false, reach, problem)
        next.createPod(podOf(index))
        problem ??= this.#creationProblem(next)
        stop(next)
      }
      for (const slot of deletions) {
        if (releaseFirst) {
          next.writePod(slot, untracked(next.pod(slot)), true)
          stop(next)
        }
        if (next.pod(slot) !== gone) next.writePod(slot, deleted(next.pod(slot)), true)
        stop(next)
      }
      this.#finish(next, step, creations.length + deletions.length, codeOf('sync', 0, variant), true, reach, problem, stop)
    }
  }

  /** Writes the status and removes finalizers. */
  #finish(
    next: State,
    step: ReturnType<JobSteps['plan']>,
    count: number,
    code: number,
    isQuiet: boolean,
    reach: Reach,
    found: string | undefined,
    stop: (next: State) => void = () => {},
  ): void {
    const { job, lists, release } = step.statusAfter(count)
    let problem = found
    if (job !== 0) {
      if (next.isJobBehind) return void reach(next, code, isQuiet, problem)
      problem ??= this.#statusProblem(next, this.#steps.get(next.job), this.#steps.get(job))
      next.writeJob(job, true, lists)
      stop(next)
    }
    for (const slot of release) {
      if (next.pod(slot) !== gone) next.writePod(slot, untracked(next.pod(slot)), true)
      stop(next)
    }
    reach(next, code, isQuiet, problem)
  }

  #movePods(state: State, quietOnly: boolean, reach: Reach): void {
    for (let slot = 0; slot < state.pods.length; slot++) {
      const pod = state.pod(slot)
      if (phaseOf(pod) !== active) continue
      const end = (phase: number, isQuiet: boolean) =>
        this.#reachAfter(
          state,
          (next) => {
            if (!isQuiet && phase === failed) next.failures--
            next.writePod(slot, ended(pod, phase), false)
          },
          codeOf(phase === failed ? 'fails' : 'succeeds', slot),
          isQuiet,
          reach,
        )
      end(isDeleted(pod) ? failed : succeeded, true)
      if (quietOnly) continue
      if (isDeleted(pod)) end(succeeded, false)
      else if (state.failures > 0) end(failed, false)
    }
  }

  #disturb(state: State, reach: Reach): void {
    const { hasStops, canSuspend, parallelism } = this.#scope
    if (state.disruptions > 0)
      for (let slot = 0; slot < state.pods.length; slot++) {
        const pod = state.pod(slot)
        if (pod === gone || isDeleted(pod)) continue
        const change = (next: State) => {
          next.disruptions--
          next.writePod(slot, deleted(pod), false)
        }
        this.#reachAfter(state, change, codeOf('deleted', slot), false, reach)
      }
    if (hasStops) this.#reachAfter(state, (next) => next.deliverAll(), codeOf('restart'), false, reach)
    if (state.users === 0) return
    const record = this.#steps.get(state.job)
    if (isFinished(record)) return
    const write = (changes: Partial<JobRecord>, code: number) =>
      this.#reachAfter(
        state,
        (next) => {
          next.users--
          next.writeJob(this.#steps.idOf({ ...record, ...changes }), false)
        },
        code,
        false,
        reach,
      )
    if (canSuspend) write({ isSuspended: !record.isSuspended }, codeOf('suspends'))
    for (const size of parallelism) if (size !== record.parallelism) write({ parallelism: size }, codeOf('scales', size))
  }

  /** After a creation: no more pods than the Job may have, and none for an index that has one. */
  #creationProblem(state: State): string | undefined {
    const { replacesOnlyFailed, completions, isIndexed } = this.#scope
    const holds = (pod: number) => phaseOf(pod) === active && (replacesOnlyFailed || !isDeleted(pod))
    const created = state.pod(state.pods.length - 1)
    let holding = 0
    for (let slot = 0; slot < state.pods.length; slot++) {
      const pod = state.pod(slot)
      if (holds(pod)) holding++
      const isOther = slot < state.pods.length - 1 && indexOf(pod) === indexOf(created)
      // One that has failed in the list stays failed, even if it ends as succeeded.
      const isDone = phaseOf(pod) === succeeded && isTracked(pod) && !isDeleted(pod)
      if (isIndexed && isOther && (holds(pod) || isDone)) return `a second pod is created for index ${indexOf(created)}`
    }
    const parallelism = Math.max(this.#steps.get(state.cachedJob).parallelism, this.#steps.get(state.job).parallelism)
    const most = Math.min(parallelism, completions)
    return holding > most ? `cap: ${holding} pods where ${most} may be` : undefined
  }

  /** Honesty: a Job ends when its pods have; and counters never decrease. */
  #statusProblem(state: State, before: JobRecord, after: JobRecord): string | undefined {
    const counts = ({ status }: JobRecord) => [status.succeeded ?? 0, status.failed ?? 0] as const
    if (counts(after)[0] < counts(before)[0] || counts(after)[1] < counts(before)[1]) return 'a counter of the status decreases'
    if (counts(after)[0] > this.#scope.completions)
      return `${counts(after)[0]} pods count as succeeded, where ${this.#scope.completions} are wanted`
    if (!isFinished(after)) return undefined
    if (isFinished(before)) return 'the status of a finished Job changes'
    return countPhase(state, active) > 0 ? 'honesty: the Job is called finished while a pod has not ended' : undefined
  }

  restProblem(words: Int32Array): string | undefined {
    const state = decode(words, this.#scope)
    const { completions, backoffLimit, users, failures, disruptions, isIndexed } = this.#scope
    const { status, isSuspended } = this.#steps.get(state.job)
    const [done, lost] = [status.succeeded ?? 0, status.failed ?? 0]
    for (let slot = 0; slot < state.pods.length; slot++) {
      if (state.storedList(slot) !== unlisted) return 'a pod stays in a list of uncounted pods'
      if (isTracked(state.pod(slot))) return 'a pod keeps its finalizer'
      if (phaseOf(state.pod(slot)) === active) return 'a pod is left over'
    }
    if ((status.active ?? 0) !== 0 || (status.terminating ?? 0) !== 0) return 'the status stays wrong'
    const [used, removed] = [failures - state.failures, disruptions - state.disruptions]
    // A Job that fails counts the pods that it deletes then.
    if (lost <= backoffLimit && lost > used + removed)
      return `${lost} pods count as failed, where ${used} have failed and ${removed} were deleted`
    // Pods that the controller deletes, as the user or another pod of the index made them superfluous, are not counted, even if they fail before.
    if (state.users === users && removed === 0 && lost < used) return `${lost} pods count as failed, where ${used} have failed`
    const types = (status.conditions ?? []).filter((one) => one.status === 'True').map(({ type }) => type)
    if (lost > backoffLimit) return types.includes('Failed') ? undefined : 'the Job does not fail'
    if (isSuspended && done < completions) return types.includes('Suspended') ? undefined : 'the Job is not called suspended'
    if (done !== completions) return `the Job ends with ${done} of ${completions} completions`
    if (isIndexed && status.completedIndexes !== (completions === 1 ? '0' : completions === 2 ? '0,1' : `0-${completions - 1}`))
      return `the Job ends with the indexes ${status.completedIndexes}`
    return types.includes('Complete') ? undefined : 'the Job is never complete'
  }

  describe(words: Int32Array, code: number): string {
    const [action, a, b] = [actions[code >> 12]!, (code >> 6) & 63, code & 63]
    const order = b === 1 ? ' (pods in the other order)' : ''
    const pod = () => showPod(decode(words, this.#scope).pod(a), this.#scope.isIndexed)
    switch (action) {
      case 'deliverJob':
        return 'the cache observes the Job'
      case 'deliverPod':
        return 'the cache observes a pod'
      case 'sync':
        return `the Job controller syncs${order}`
      case 'syncStops':
        return a >= 32
          ? 'the Job controller syncs, and its next pod is refused'
          : `the Job controller syncs, and stops after ${a + 1} writes${order}`
      case 'restart':
        return 'the process restarts'
      case 'suspends':
        return 'the user suspends or resumes the Job'
      case 'scales':
        return `the user sets parallelism to ${a}`
      default:
        return `a pod (${pod()}) ${action === 'deleted' ? 'is deleted' : action}`
    }
  }

  show(words: Int32Array): string {
    const state = decode(words, this.#scope)
    const lists = ['', ', uncounted success', ', uncounted failure']
    const pods = state.pods.map((_, slot) => {
      const [cached, stored] = [state.cachedPod(slot), state.pod(slot)]
      const shown = [...new Set([cached, stored])].map((pod) => showPod(pod, this.#scope.isIndexed)).join(' → ')
      return `${shown}${lists[state.storedList(slot)]}`
    })
    const { parallelism, isSuspended, status } = this.#steps.get(state.job)
    const types = (status.conditions ?? []).filter((one) => one.status === 'True').map(({ type }) => type)
    const counts = `${status.active ?? 0} active, ${status.succeeded ?? 0} succeeded, ${status.failed ?? 0} failed`
    const words0 = [
      `parallelism ${parallelism}${isSuspended ? ', suspended' : ''}`,
      counts,
      ...types,
      state.isJobBehind ? 'cache behind' : '',
    ]
    return `${words0.filter(Boolean).join('; ')}; pods: ${pods.join(', ') || 'none'}`
  }
}

const isFinished = ({ status }: JobRecord): boolean =>
  (status.conditions ?? []).some(({ type, status: value }) => value === 'True' && (type === 'Complete' || type === 'Failed'))

function showPod(pod: number, isIndexed: boolean): string {
  if (pod === gone) return 'none'
  const phase = ['', 'active', 'succeeded', 'failed'][phaseOf(pod)]
  return `${isIndexed ? `${indexOf(pod)} ` : ''}${phase}${isDeleted(pod) ? ', deleted' : ''}${isTracked(pod) ? '' : ', released'}`
}
