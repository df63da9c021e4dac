// The world of a Deployment: its ReplicaSets and pods, the two controllers, the caches that they share, users and faults.
//
// What the planners get is what the thin controllers could show them:
// - The controllers of a process share one cache for each kind (`SharedInformers`). Each is the API server's state some events ago; kinds lag
//   independently of each other. `lag` bounds how far.
// - A controller does not reconcile a key while a cache lacks one of its own writes about that key (`consistency.ts`). A write whose answer
//   was lost is found again before the next reconcile, so that it counts as a write whose reconcile has ended after it.
// - Every write has the resourceVersion of the cached object as its precondition: a write to an object that the cache lacks a change of fails,
//   and ends the reconcile. Deleting a pod or ReplicaSet has its uid as the precondition.
// - The pods of ReplicaSets that the cache does not have are strays (`deleted-sets.ts`). After the cache has observed the deletion of a ReplicaSet
//   with pods, a plan that lets pods grow waits until the cache has all pods of the API server, and is made again then (`unobserved-pods.ts`).
// - After a restart the caches are the API server's state, and nothing is remembered.
// - The garbage collector sees the API server's state, and acts on one pod at a time.
//
// A reconcile of a Deployment is one step, with a step for each number of writes after which it stopped. This loses nothing: what others do
// between two of its writes either concerns the object of a later write, which then fails, as if the reconcile had stopped, or commutes with
// that write, because the other controllers read and write their own ReplicaSet and pods only, and this controller reads nothing before it has
// observed all its writes. In the same way a reconcile of a ReplicaSet is one step, with or without its last write. Pods are created and
// deleted in one step, or some of them: in between others see them through a cache only, which delivers each prefix anyway.
//
// Not in this world: names (a Deployment has at most one ReplicaSet for each template, and none is adopted), times other than the deadline
// (minReadySeconds, the timeout for stuck pods), pods that fail, API servers without the count of terminating pods, gates that are switched,
// writes that are given up after five minutes, and whether a change enqueues its key: a reconcile may happen at any time.
import { Interner } from '../interner.ts'
import type { Visit, World } from '../world.ts'
import { actions, codeOf } from './actions.ts'
import { DeploymentSteps } from './deployment-step.ts'
import { Environment, recordsOf } from './environment.ts'
import { Properties, unlimited } from './properties.ts'
import { absent, current, type DeploymentRecord, isCapped, type SetRecord, stays } from './records.ts'
import { ReplicaSetSteps } from './replica-set-step.ts'
import type { DeploymentScope } from './scope.ts'
import { describeAction, showState } from './show.ts'
import {
  byDeployment,
  byReplicaSet,
  decode,
  disrupted,
  encode,
  excused,
  gone,
  isActivePod,
  isExcused,
  type Layout,
  pending,
  podOf,
  podOwner,
  podState,
  podTemplate,
  State,
  terminating,
  widthOf,
  withPodState,
} from './state.ts'

/** A world whose pods do not fit. */
class TooManyPods extends Error {}

export class DeploymentWorld implements World {
  readonly name: string
  readonly width: number
  readonly #scope: DeploymentScope
  readonly #layout: Layout
  readonly #records = { deployments: new Interner<DeploymentRecord>(), sets: new Interner<SetRecord>() }
  readonly #deploymentSteps: DeploymentSteps
  readonly #setSteps: ReplicaSetSteps
  readonly #properties: Properties
  readonly #environment: Environment
  readonly #words: Int32Array
  #visit: Visit = () => {}
  #from: Int32Array
  #quietOnly = false
  #quietSteps = 0

  constructor(scope: DeploymentScope) {
    this.name = scope.name
    this.#scope = scope
    const { lag, templates, maxPods } = scope
    const isEmpty = (id: number) => {
      if (id === 0) return true
      const { size, observed, pods, terminating: count } = this.#records.sets.get(id)
      return size === 0 && observed === current && pods === 0 && count <= 0
    }
    this.#layout = { lag, templates, maxPods, isEmpty }
    this.width = widthOf(this.#layout)
    this.#words = new Int32Array(this.width)
    this.#from = new Int32Array(this.width)
    this.#deploymentSteps = new DeploymentSteps(scope, this.#records)
    this.#setSteps = new ReplicaSetSteps(this.#records)
    this.#properties = new Properties(scope, this.#records)
    this.#environment = new Environment(scope, this.#layout, this.#records)
  }

  *initial(): Iterable<Int32Array> {
    const { starts, templates, users, deadlines, disruptions, deletions, failures } = this.#scope
    for (const { replicas, policy, isNew = false } of starts) {
      let state = new State(this.#layout)
      const record: DeploymentRecord = {
        replicas,
        template: 0,
        isPaused: 0,
        policy,
        isObserved: 0,
        pods: 0,
        updated: 0,
        ready: 0,
        unavailable: 0,
        terminating: absent,
        reason: 0,
        isOverdue: 0,
        waits: 0,
        available: 0,
        hasFailure: 0,
        revision: 0,
        before: absent,
      }
      state.deployments = [this.#records.deployments.idOf(record)]
      state.sets = Array(templates).fill(0)
      state.bound = isCapped(policy) ? replicas : unlimited
      if (!isNew) state = this.#settled(state)
      Object.assign(state, { users, deadlines, disruptions, deletions, failures })
      yield this.#encoded(state)
    }
  }

  #encoded(state: State): Int32Array {
    const words = new Int32Array(this.width)
    encode(state, this.#layout, words)
    return words
  }

  #settled(state: State): State {
    let words = this.#encoded(state)
    for (;;) {
      let next: Int32Array | undefined
      this.expand(words, true, (reached) => {
        next ??= reached.slice()
      })
      if (next === undefined) return decode(words, this.#layout)
      words = next
    }
  }

  describe(words: Int32Array, code: number): string {
    return describeAction(code >> 12, (code >> 6) & 63, code & 63, decode(words, this.#layout), this.#records)
  }

  show(words: Int32Array): string {
    return showState(decode(words, this.#layout), this.#records)
  }

  restProblem(words: Int32Array): string | undefined {
    return this.#properties.restProblem(decode(words, this.#layout))
  }

  expand(words: Int32Array, quietOnly: boolean, visit: Visit): void {
    const state = decode(words, this.#layout)
    this.#visit = visit
    this.#from = words
    this.#quietOnly = quietOnly
    this.#quietSteps = 0
    this.#deliver(state)
    this.#reconcileDeployment(state)
    for (let template = 0; template < this.#scope.templates; template++) this.#reconcileSet(state, template)
    const reach = (next: State, code: number, isQuiet: boolean) => this.#reach(next, code, isQuiet)
    const before = this.#quietSteps
    this.#environment.movePods(state, reach)
    const isOnlyPods = before === 0 && !state.pods.some((_, index) => podState(state.pod(index)) === pending)
    const moved = this.#quietSteps
    this.#environment.collect(state, reach)
    if (quietOnly) return
    if (isOnlyPods && moved > 0 && moved === this.#quietSteps) {
      const problem = this.#properties.waitProblem(state)
      if (problem !== undefined) visit(words, codeOf(actions.wait), false, problem)
    }
    this.#environment.disturb(state, reach)
    this.#environment.changeSpec(state, reach)
  }

  /** Visits the state after a step, unless it is the same. */
  #reach(next: State, code: number, isQuiet: boolean, problem?: string, isRaised = false): void {
    next.trim()
    if (next.pods.length > this.#layout.maxPods) throw new TooManyPods(`${this.name}: more than ${this.#layout.maxPods} pods`)
    const found = problem ?? this.#properties.capProblem(next, isRaised)
    encode(next, this.#layout, this.#words)
    let isSame = true
    for (let index = 0; index < this.width; index++)
      if (this.#words[index] !== this.#from[index]) {
        isSame = false
        break
      }
    if (isSame && found === undefined) return
    if (isQuiet) this.#quietSteps++
    this.#visit(this.#words, code, isQuiet, found)
  }

  #deliver(state: State): void {
    if (state.deployments.length > 1) {
      const next = state.clone(this.#layout)
      next.deliverDeployment()
      this.#reach(next, codeOf(actions.deliverDeployment), true)
    }
    if (state.setEvents.length > 0) {
      const next = state.clone(this.#layout)
      next.deliverSet()
      this.#reach(next, codeOf(actions.deliverSet), true)
    }
    if (state.podEvents.length > 0) {
      const next = state.clone(this.#layout)
      next.deliverPod()
      this.#reach(next, codeOf(actions.deliverPod), true)
    }
  }

  #reconcileDeployment(state: State): void {
    if (state.isDeploymentBehind()) return
    const step = this.#deploymentSteps.plan(state.cachedDeployment, state.sets, state.pods)
    if (step.problem !== undefined) return void this.#visit(this.#from, codeOf(actions.deployment), true, step.problem)
    if (step.writes.length === 0 && step.deployment === 0) return
    const next = state.clone(this.#layout)
    if (!step.needsAllPods || state.isUnchecked === 0) return void this.#applyDeploymentStep(next, step)
    // The plan was made before the pods were listed: the next reconcile makes another one.
    if (!areObserved(next, this.#records.sets)) return
    next.isUnchecked = 0
    this.#reach(next, codeOf(actions.listPods), true)
  }

  #applyDeploymentStep(next: State, step: ReturnType<DeploymentSteps['plan']>): void {
    const { sets, deployments } = this.#records
    let problem: string | undefined
    for (const [place, { verb, template, set }] of step.writes.entries()) {
      const cached = next.sets[template]!
      const stored = next.set(template)
      if (verb === 'create') {
        if (stored !== 0) return void this.#reach(next, codeOf(actions.deployment), true, problem)
        const ages = recordsOf(next, this.#records).map(({ age }) => age)
        const incarnation = this.#nextIncarnation(next, template)
        next.writeSet(template, sets.changed(set, { age: 1 + Math.max(0, ...ages), incarnation }), byDeployment)
      } else if (verb === 'delete') {
        if (stored !== 0 && sets.get(stored).incarnation === sets.get(cached).incarnation) next.writeSet(template, 0, byDeployment)
      } else if (!next.isSetCurrent(template)) return void this.#reach(next, codeOf(actions.deployment), true, problem)
      else next.writeSet(template, set, byDeployment)
      const isLast = place === step.writes.length - 1 && step.deployment === 0
      if (this.#scope.hasStops && !isLast && !this.#quietOnly)
        this.#reach(next.clone(this.#layout), codeOf(actions.deploymentStops, place + 1), false, problem)
    }
    if (step.deployment !== 0 && next.deployments.length === 1) {
      problem ??= this.#properties.completionProblem(next, deployments.get(next.deployment), deployments.get(step.deployment))
      next.writeDeployment(step.deployment, byDeployment)
    }
    this.#reach(next, codeOf(actions.deployment), true, problem)
  }

  /** No ReplicaSet and no pod that still exist somewhere are of this incarnation. */
  #nextIncarnation(state: State, template: number): number {
    const used = new Set<number>()
    for (const set of recordsOf(state, this.#records)) if (set.template === template) used.add(set.incarnation)
    const add = (pod: number) => pod !== gone && podTemplate(pod) === template && used.add(podOwner(pod))
    for (const pod of state.pods) add(pod)
    for (const event of state.podEvents) add((event >> 4) & 255)
    for (const incarnation of [1, 2, 3]) if (!used.has(incarnation)) return incarnation
    throw new TooManyPods(`${this.name}: more than three ReplicaSets of one template`)
  }

  #reconcileSet(state: State, template: number): void {
    const cached = state.sets[template]!
    if (cached === 0 || state.isSetBehind(template)) return
    const record = this.#records.sets.get(cached)
    const owned: number[] = []
    const orphans: number[] = []
    for (let index = 0; index < state.pods.length; index++) {
      const pod = state.pods[index]!
      if (pod === gone || podTemplate(pod) !== template) continue
      if (podOwner(pod) === record.incarnation) owned.push(index)
      else if (podOwner(pod) === 0 && isActivePod(pod)) orphans.push(index)
    }
    const base = state.clone(this.#layout)
    const stored = base.set(template)
    const alive = stored === 0 ? undefined : this.#records.sets.get(stored)
    const isAlive = alive?.incarnation === record.incarnation && alive.deletion === stays
    // A ReplicaSet whose deletion the cache lacks may go on replacing pods that the garbage collector deletes. Once is enough.
    const isUnaware = !isAlive && record.deletion === stays
    if (isUnaware && (this.#quietOnly || state.pods.some((_, index) => isExcused(state.pod(index))))) return
    const adopted: number[] = []
    if (orphans.length > 0 && record.deletion === stays) {
      // A set that is being deleted must not adopt: it is read again before.
      if (!isAlive) return
      for (const index of orphans) {
        const pod = base.pod(index)
        if (pod === gone || podOwner(pod) !== 0) continue
        // The cache shows it as active, so that the orphan was deleted by others: its ReplicaSet is about to replace it.
        const adoptedState = podState(pod) === terminating ? disrupted : podState(pod)
        base.writePod(index, podOf(adoptedState, template, record.incarnation), byReplicaSet)
        adopted.push(index)
      }
    }
    const step = this.#setSteps.plan(
      cached,
      owned.map((index) => state.pods[index]!),
      adopted.map((index) => base.pod(index)),
    )
    if (step.problem !== undefined) return void this.#visit(this.#from, codeOf(actions.set, template), true, step.problem)
    const isRaised = adopted.length > 0
    const isCurrent = base.isSetCurrent(template)
    const finish = (next: State, variant: number, status: number, problem?: string) => {
      const isWritten = status !== 0 && isCurrent
      if (isWritten && this.#scope.hasStops && !this.#quietOnly && next !== state)
        this.#reach(next.clone(this.#layout), codeOf(actions.setWithoutStatus, template, variant), false, problem, isRaised)
      if (isWritten) next.writeSet(template, status, byReplicaSet)
      this.#reach(next, codeOf(actions.set, template, variant), !isUnaware, problem, isRaised)
    }
    if (step.create > 0) return void this.#create(base, template, record, step, finish, isAlive, isRaised)
    if (step.deletions.length === 0) return void finish(base, 0, step.status)
    for (const [variant, places] of step.deletions.entries()) {
      const next = base.clone(this.#layout)
      let count = 0
      for (const place of places) {
        const index = place < owned.length ? owned[place]! : adopted[place - owned.length]!
        const pod = next.pod(index)
        if (pod === gone) continue
        count++
        if (isActivePod(pod)) next.writePod(index, withPodState(pod, terminating), byReplicaSet)
        if (this.#scope.hasStops && !this.#quietOnly && count < places.length)
          this.#reach(next.clone(this.#layout), codeOf(actions.setStops, template, (variant << 4) | count), false, undefined, isRaised)
      }
      finish(next, variant, step.isStatusDue || count === 0 ? step.status : 0)
    }
  }

  #create(
    base: State,
    template: number,
    { incarnation }: SetRecord,
    step: ReturnType<ReplicaSetSteps['plan']>,
    finish: (next: State, variant: number, status: number, problem?: string) => void,
    isAlive: boolean,
    isRaised: boolean,
  ): void {
    const problem = isAlive ? this.#properties.recreateProblem(base, template) : undefined
    const pod = podOf(pending, template, incarnation)
    // Created for a ReplicaSet that is deleted: the Deployment controller cannot know it.
    const created = isAlive ? pod : excused(pod)
    if (base.failures > 0 && step.failedStatus !== 0 && !this.#quietOnly) {
      const next = base.clone(this.#layout)
      next.failures--
      if (next.isSetCurrent(template)) next.writeSet(template, step.failedStatus, byReplicaSet)
      this.#reach(next, codeOf(actions.setRefused, template), false, undefined, isRaised)
    }
    for (let count = 1; count <= step.create; count++) {
      base.createPod(created, byReplicaSet)
      if (count < step.create && this.#scope.hasStops && !this.#quietOnly)
        this.#reach(base.clone(this.#layout), codeOf(actions.setStops, template, count), false, problem, isRaised)
    }
    finish(base, 0, step.isStatusDue ? step.status : 0, problem)
  }
}

/** `unobserved-pods.ts`: whether the API server has only pods that the cache has, with these owners, or that are of cached ReplicaSets. */
function areObserved(state: State, sets: Interner<SetRecord>): boolean {
  for (let index = 0; index < state.pods.length; index++) {
    const pod = state.pod(index)
    if (pod === gone) continue
    const cached = state.pods[index]!
    if (cached !== gone) {
      if (podOwner(cached) !== podOwner(pod)) return false
      continue
    }
    const set = state.sets[podTemplate(pod)]!
    if (podOwner(pod) === 0 || set === 0 || sets.get(set).incarnation !== podOwner(pod)) return false
  }
  return true
}
