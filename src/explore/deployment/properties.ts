// What has to hold in each state of the world of a Deployment.

import type { Records } from './deployment-step.ts'
import {
  absent,
  complete,
  countsAsActive,
  current,
  type DeploymentRecord,
  isCapped,
  policies,
  reasons,
  type SetRecord,
  stays,
} from './records.ts'
import type { DeploymentScope } from './scope.ts'
import { disrupted, excused, gone, idOf, isActivePod, isExcused, podOwner, podState, podTemplate, ready, type State } from './state.ts'

/** More pods than a state holds: no limit. */
export const unlimited = 15

export class Properties {
  readonly #scope: DeploymentScope
  readonly #records: Records

  constructor(scope: DeploymentScope, records: Records) {
    this.#scope = scope
    this.#records = records
  }

  /** All versions of the ReplicaSet that its controller may act on count terminating pods as active. */
  #isWaiting(state: State, template: number): boolean {
    return state.versionsOf(template).every((id) => id !== 0 && this.#records.sets.get(id).asActive === 1)
  }

  /**
   * The pods that exist and do not excuse each other, and those that may exist if each ReplicaSet controller acts on every size that it may not
   * have observed: 2 pods, 2 → 1 → 2, make 3, of which one terminates.
   */
  #count(state: State): { counted: number; promised: number } {
    let counted = 0
    let promised = 0
    for (let template = 0; template < this.#scope.templates; template++) {
      const stored = state.set(template)
      const isWaiting = stored !== 0 && this.#isWaiting(state, template)
      const incarnation = stored === 0 ? 0 : this.#records.sets.get(stored).incarnation
      let active = 0
      let other = 0
      for (let index = 0; index < state.pods.length; index++) {
        const pod = state.pod(index)
        if (pod === gone || podTemplate(pod) !== template || podOwner(pod) === 0) continue
        if (podState(pod) === disrupted && !isWaiting && podOwner(pod) === incarnation) state.rewritePod(index, excused)
        if (isExcused(state.pod(index))) promised++
        else {
          counted++
          if (isActivePod(pod) && podOwner(pod) === incarnation) active++
          else other++
        }
      }
      let maxSize = 0
      let added = 0
      let before = active
      for (const id of stored === 0 ? [] : state.versionsOf(template)) {
        if (id === 0) continue
        const set = this.#records.sets.get(id)
        if (set.incarnation !== incarnation) continue
        added += Math.max(0, set.size - before)
        before = set.size
        maxSize = Math.max(maxSize, set.size)
      }
      promised += isWaiting ? Math.max(maxSize, active + other) : other + active + added
    }
    return { counted, promised }
  }

  /** Cap. Updates `bound`; `isRaised` after an adoption, which adds pods that existed. */
  capProblem(state: State, isRaised: boolean): string | undefined {
    let cap = 0
    let hasCap = true
    for (const version of state.deployments) {
      const { replicas, policy } = this.#records.deployments.get(idOf(version))
      cap = Math.max(cap, replicas + (this.#scope.isRecreate ? 0 : this.#scope.maxSurge))
      if (!isCapped(policy)) hasCap = false
    }
    const { counted, promised } = this.#count(state)
    if (!hasCap) {
      state.bound = unlimited
      return undefined
    }
    const limit = isRaised ? Math.max(state.bound, promised) : state.bound
    state.bound = Math.min(unlimited, Math.max(cap, Math.min(limit, promised)))
    return state.bound < unlimited && counted > state.bound ? `cap: ${counted} pods where ${state.bound} may be` : undefined
  }

  /** Recreate under a policy: no new pod is created while old ones exist. */
  recreateProblem(state: State, template: number): string | undefined {
    if (!this.#scope.isRecreate) return undefined
    let isComplete = true
    for (const version of state.deployments) {
      const deployment = this.#records.deployments.get(idOf(version))
      if (deployment.template !== template || deployment.policy === 0) return undefined
      if (!isCapped(deployment.policy)) isComplete = false
    }
    for (let index = 0; index < state.pods.length; index++) {
      const pod = state.pod(index)
      if (pod === gone || isExcused(pod) || podTemplate(pod) === template || podOwner(pod) === 0) continue
      if (isComplete || isActivePod(pod)) return 'Recreate: a new pod is created while an old one exists'
    }
    return undefined
  }

  /** Honesty: a rollout is complete when no old pod exists. */
  completionProblem(state: State, before: DeploymentRecord, after: DeploymentRecord): string | undefined {
    const isNews = before.reason !== complete || after.isObserved !== before.isObserved
    if (after.reason !== complete || !isNews || !isCapped(after.policy)) return undefined
    for (let index = 0; index < state.pods.length; index++) {
      const pod = state.pod(index)
      if (pod === gone || isExcused(pod) || podOwner(pod) === 0 || podTemplate(pod) === after.template) continue
      return 'honesty: the rollout is called complete while an old pod exists'
    }
    return undefined
  }

  /** Honesty: nothing but pods that terminate keeps the Deployment from its goal, and its message does not say so. */
  waitProblem(state: State): string | undefined {
    const deployment = this.#records.deployments.get(state.deployment)
    if (!this.#scope.isRecreate && !deployment.isPaused && state.set(deployment.template) === 0)
      return 'a rollout waits before it has a ReplicaSet'
    if (!isCapped(deployment.policy) || deployment.isPaused || deployment.waits !== 0 || deployment.reason === complete) return undefined
    return `honesty: the Deployment waits, and Progressing (${reasons[deployment.reason]}) does not say for what`
  }

  /** It ends: the state in which nothing is left to do is the one that the user asked for. */
  restProblem(state: State): string | undefined {
    const deployment = this.#records.deployments.get(state.deployment)
    const sets: SetRecord[] = []
    for (let template = 0; template < this.#scope.templates; template++)
      if (state.set(template) !== 0) sets.push(this.#records.sets.get(state.set(template)))
    const left = sets.find(({ before }) => before !== absent)
    if (left !== undefined) return `a scale of ReplicaSet ${left.template} is pending for ever`
    if (deployment.before !== absent) return 'the before-scale annotation of the Deployment is never removed'
    if (!deployment.isObserved) return 'the generation is never observed'
    return (
      this.#podsProblem(state, sets) ?? (deployment.isPaused ? this.#pausedProblem(deployment, sets) : this.#goalProblem(deployment, sets))
    )
  }

  #podsProblem(state: State, sets: readonly SetRecord[]): string | undefined {
    const counts = new Map<SetRecord, number>()
    for (let index = 0; index < state.pods.length; index++) {
      const pod = state.pod(index)
      if (podOwner(pod) === 0) continue
      const set = sets.find(({ template, incarnation }) => template === podTemplate(pod) && incarnation === podOwner(pod))
      if (set === undefined || podState(pod) !== ready) return 'a pod is left over'
      counts.set(set, (counts.get(set) ?? 0) + 1)
    }
    for (const set of sets) {
      const pods = counts.get(set) ?? 0
      if (set.deletion !== stays) return 'a ReplicaSet is never deleted'
      if (set.size !== pods) return `ReplicaSet ${set.template} of ${set.size} has ${pods} pods`
      if (set.observed !== current || set.pods !== pods || set.ready !== pods || set.terminating !== 0)
        return `the status of ReplicaSet ${set.template} stays wrong`
    }
    return undefined
  }

  #pausedProblem({ replicas }: DeploymentRecord, sets: readonly SetRecord[]): string | undefined {
    const active = sets.filter(({ size }) => size > 0)
    if (active.length === 0)
      return replicas > 0 && sets.some(({ desired }) => desired === 0) ? 'a paused Deployment is not scaled up from 0' : undefined
    const stale = active.find(({ desired }) => desired !== replicas && desired !== absent)
    if (stale !== undefined) return `ReplicaSet ${stale.template} of a paused Deployment has not received its share`
    const [only] = active
    if (active.length === 1 && only!.size !== replicas && only!.size < replicas) return 'a paused Deployment is not scaled'
    return undefined
  }

  #goalProblem(deployment: DeploymentRecord, sets: readonly SetRecord[]): string | undefined {
    const { replicas, template, policy } = deployment
    const now = sets.find((set) => set.template === template)
    if (now === undefined) return 'the new ReplicaSet does not exist'
    const wrong = sets.find((set) => set.size !== (set === now ? replicas : 0))
    if (wrong !== undefined) return `ReplicaSet ${wrong.template} has size ${wrong.size} for ever`
    if (replicas > 0 && now.asActive !== (countsAsActive(policy) ? 1 : 0)) return 'terminatingAsActive is not carried to the ReplicaSet'
    if (sets.length - 1 > this.#scope.historyLimit) return 'the history is not cleaned up'
    const { pods, updated, ready: available, terminating, reason } = deployment
    if (pods !== replicas || updated !== replicas || available !== replicas || terminating !== 0 || deployment.unavailable !== 0)
      return 'the status of the Deployment stays wrong'
    if (deployment.waits !== 0) return 'the Deployment says that it waits, for ever'
    if (reason !== complete) return `Progressing stays ${reasons[reason]}`
    return undefined
  }
}

export const nameOfPolicy = (policy: number): string => policies[policy]!.name
