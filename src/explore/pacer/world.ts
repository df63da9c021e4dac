// The world of the pacer: a workload whose pods it admits, and a controller that counts no terminating pods, as Kubernetes' own.
//
// What the planner gets is what `pacer.ts` could show it: the pods and the size of the workload as the caches have them, some events ago and
// independently of each other, but never without the gates that the pacer itself has removed (`consistency.ts`). The releases of a reconcile are
// made one after the other; the reconcile may stop after any of them. The pods of all revisions are paced together.
//
// Not in this world: which pods belong to the workload, priorities, gates of others, and the timeout for stuck pods.
import type { Pod, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { pacerGate, planPacing } from '../../controllers/pacer/plan/pacing.ts'
import {
  ready as admitted,
  byOthers,
  byReplicaSet as byPacer,
  decode,
  encode,
  pending as gated,
  gone,
  idOf,
  isActivePod,
  type Layout,
  podOf,
  podState,
  podTemplate,
  State,
  terminating,
  disrupted as terminatingGated,
  widthOf,
  withPodState,
} from '../deployment/state.ts'
import type { Visit, World } from '../world.ts'

export interface PacerScope {
  readonly name: string
  /** The first size is the one at the beginning. */
  readonly replicas: readonly number[]
  readonly maxSurge: number
  readonly revisions: number
  readonly maxPods: number
  readonly lag: { readonly deployments: number; readonly sets: number; readonly pods: number }
  /** How often the user changes the size, */
  readonly users: number
  /** and a pod is deleted, by a rollout or by others. */
  readonly deletions: number
}

const nowMs = 1_800_000_000_000
const [deliverSize, deliverPod, reconcile, stops, creates, terminates, deletes, scales] = [0, 1, 2, 3, 4, 5, 6, 7]
const codeOf = (action: number, a = 0): number => (action << 6) | a

export class PacerWorld implements World {
  readonly name: string
  readonly width: number
  readonly #scope: PacerScope
  readonly #layout: Layout
  readonly #words: Int32Array

  constructor(scope: PacerScope) {
    this.name = scope.name
    this.#scope = scope
    this.#layout = { lag: scope.lag, templates: 0, maxPods: scope.maxPods, isEmpty: () => true }
    this.width = widthOf(this.#layout)
    this.#words = new Int32Array(this.width)
  }

  *initial(): Iterable<Int32Array> {
    const state = new State(this.#layout)
    const [replicas = 0] = this.#scope.replicas
    state.deployments = [replicas + 1]
    state.users = this.#scope.users
    state.disruptions = this.#scope.deletions
    state.bound = replicas + this.#scope.maxSurge
    const words = new Int32Array(this.width)
    encode(state, this.#layout, words)
    yield words
  }

  expand(words: Int32Array, quietOnly: boolean, visit: Visit): void {
    const state = decode(words, this.#layout)
    const reach = (next: State, code: number, isQuiet: boolean) => {
      next.trim()
      const problem = this.#capProblem(next)
      encode(next, this.#layout, this.#words)
      visit(this.#words, code, isQuiet, problem)
    }
    if (state.deployments.length > 1) {
      const next = state.clone(this.#layout)
      next.deliverDeployment()
      reach(next, codeOf(deliverSize), true)
    }
    if (state.podEvents.length > 0) {
      const next = state.clone(this.#layout)
      next.deliverPod()
      reach(next, codeOf(deliverPod), true)
    }
    this.#pace(state, quietOnly, reach)
    this.#control(state, quietOnly, reach)
    for (let index = 0; index < state.pods.length; index++) {
      const pod = state.pod(index)
      if (pod === gone || isActivePod(pod)) continue
      const next = state.clone(this.#layout)
      next.writePod(index, gone, byOthers)
      reach(next, codeOf(terminates, index), true)
    }
    if (!quietOnly) this.#disturb(state, reach)
  }

  #pace(state: State, quietOnly: boolean, reach: (next: State, code: number, isQuiet: boolean) => void): void {
    if (state.podEvents.some((event) => event >> 12 !== 0)) return
    const pods = state.pods.map((pod, index) => (pod === gone ? undefined : podObject(pod, index))).filter((pod) => pod !== undefined)
    const cap = this.#capOf(idOf(state.deployments[0]!))
    const { release } = planPacing({ cap, pods, revisionOf: ({ metadata }) => Number(metadata.labels?.['revision']) }, nowMs)
    if (release.length === 0) return
    const next = state.clone(this.#layout)
    for (const [place, { metadata }] of release.entries()) {
      const index = Number(metadata.uid)
      const pod = next.pod(index)
      // A pod that is gone is skipped; one that terminates keeps its place.
      if (podState(pod) === gated) next.writePod(index, withPodState(pod, admitted), byPacer)
      else if (podState(pod) === terminatingGated) next.writePod(index, withPodState(pod, terminating), byPacer)
      if (!quietOnly && place < release.length - 1) reach(next.clone(this.#layout), codeOf(stops, place + 1), false)
    }
    reach(next, codeOf(reconcile), true)
  }

  /** It creates the pods that are missing, and in a rollout as many more as maxSurge allows. */
  #control(state: State, quietOnly: boolean, reach: (next: State, code: number, isQuiet: boolean) => void): void {
    const { maxSurge, maxPods, revisions } = this.#scope
    let active = 0
    for (let index = 0; index < state.pods.length; index++) if (isActivePod(state.pod(index))) active++
    const replicas = state.deployment - 1
    const isMissing = active < replicas
    if (state.pods.length >= maxPods || (!isMissing && (quietOnly || active >= replicas + maxSurge))) return
    for (let revision = 0; revision < revisions; revision++) {
      const next = state.clone(this.#layout)
      next.createPod(podOf(gated, revision, 1), byOthers)
      reach(next, codeOf(creates, revision), isMissing)
    }
  }

  #disturb(state: State, reach: (next: State, code: number, isQuiet: boolean) => void): void {
    if (state.disruptions > 0)
      for (let index = 0; index < state.pods.length; index++) {
        const pod = state.pod(index)
        if (!isActivePod(pod)) continue
        const next = state.clone(this.#layout)
        next.disruptions--
        next.writePod(index, withPodState(pod, podState(pod) === gated ? terminatingGated : terminating), byOthers)
        reach(next, codeOf(deletes, index), false)
      }
    if (state.users > 0)
      for (const replicas of this.#scope.replicas) {
        if (replicas + 1 === state.deployment) continue
        const next = state.clone(this.#layout)
        next.users--
        next.writeDeployment(replicas + 1, byOthers)
        reach(next, codeOf(scales, replicas), false)
      }
  }

  #capOf = (size: number): number => size - 1 + this.#scope.maxSurge

  /** Admitted pods, terminating ones included, never exceed the size that the pacer may know, except those that were admitted before. */
  #capProblem(state: State): string | undefined {
    let count = 0
    for (let index = 0; index < state.pods.length; index++) {
      const one = podState(state.pod(index))
      if (one === admitted || one === terminating) count++
    }
    const cap = Math.max(...state.deployments.map((version) => this.#capOf(idOf(version))))
    const limit = Math.max(cap, state.bound)
    state.bound = Math.max(cap, Math.min(limit, count))
    return count > limit ? `cap: ${count} pods are admitted where ${limit} may be` : undefined
  }

  restProblem(words: Int32Array): string | undefined {
    const state = decode(words, this.#layout)
    const count = (wanted: number) => state.pods.filter((_, index) => podState(state.pod(index)) === wanted).length
    const cap = this.#capOf(state.deployment)
    return count(gated) > 0 && count(admitted) < cap ? `${count(gated)} pods wait for ever where there is room` : undefined
  }

  describe(words: Int32Array, code: number): string {
    const a = code & 63
    const pod = () => `a pod of revision ${podTemplate(decode(words, this.#layout).pod(a))}`
    return [
      'the cache observes the size',
      'the cache observes a pod',
      'the pacer reconciles',
      `the pacer reconciles, and stops after ${a} releases`,
      `the controller creates a pod of revision ${a}`,
      `${pod()} terminates`,
      `${pod()} is deleted`,
      `the user scales to ${a}`,
    ][code >> 6]!
  }

  show(words: Int32Array): string {
    const state = decode(words, this.#layout)
    const names = ['none', 'gated', 'admitted', 'terminating', 'gated and terminating']
    const pods = state.pods.map(
      (cached, index) => `${names[podState(cached)]}${cached === state.pod(index) ? '' : ` → ${names[podState(state.pod(index))]}`}`,
    )
    return `${state.deployments.map((version) => idOf(version) - 1).join(' → ')} replicas, pods: ${pods.join(', ') || 'none'}`
  }
}

function podObject(pod: number, index: number): Stored<Pod> {
  const state = podState(pod)
  return {
    metadata: {
      name: `pod-${index}`,
      uid: String(index),
      creationTimestamp: formatTime(nowMs),
      labels: { revision: String(podTemplate(pod)) },
      ...((state === terminating || state === terminatingGated) && { deletionTimestamp: formatTime(nowMs) }),
    },
    spec: { schedulingGates: state === gated || state === terminatingGated ? [{ name: pacerGate }] : [] },
    status: { phase: state === gated || state === terminatingGated ? 'Pending' : 'Running' },
  } as unknown as Stored<Pod>
}
