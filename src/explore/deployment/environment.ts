// What happens around the controllers in the world of a Deployment: the kubelet, the garbage collector, other clients, and the user.
import { actions, codeOf } from './actions.ts'
import type { Records } from './deployment-step.ts'
import { complete, current, type DeploymentRecord, foreground, older, orphaning, type SetRecord, stays } from './records.ts'
import type { DeploymentScope } from './scope.ts'
import {
  byOthers,
  disrupted,
  gone,
  idOf,
  isActivePod,
  type Layout,
  pending,
  podOf,
  podOwner,
  podState,
  podTemplate,
  ready,
  type State,
  terminating,
  withPodState,
} from './state.ts'

/** Called with each state that a step leads to. */
type Reach = (next: State, code: number, isQuiet: boolean) => void

/** All versions of all ReplicaSets. */
export function recordsOf(state: State, { sets }: Records): SetRecord[] {
  const found: SetRecord[] = []
  for (let template = 0; template < state.sets.length; template++)
    for (const id of state.versionsOf(template)) if (id !== 0) found.push(sets.get(id))
  return found
}

const olderOf = ({ observed }: SetRecord): number => (observed === current ? older : observed)

export class Environment {
  readonly #scope: DeploymentScope
  readonly #layout: Layout
  readonly #records: Records

  constructor(scope: DeploymentScope, layout: Layout, records: Records) {
    this.#scope = scope
    this.#layout = layout
    this.#records = records
  }

  /** The kubelet: pods become ready, and terminate. */
  movePods(state: State, reach: Reach): void {
    for (let index = 0; index < state.pods.length; index++) {
      const pod = state.pod(index)
      if (pod === gone) continue
      const isEnding = !isActivePod(pod)
      if (!isEnding && podState(pod) !== pending) continue
      const next = state.clone(this.#layout)
      next.writePod(index, isEnding ? gone : withPodState(pod, ready), byOthers)
      reach(next, codeOf(isEnding ? actions.podTerminates : actions.podReady, index), true)
    }
  }

  /** The garbage collector. */
  collect(state: State, reach: Reach): void {
    const { sets } = this.#records
    for (let index = 0; index < state.pods.length; index++) {
      const pod = state.pod(index)
      if (pod === gone || podOwner(pod) === 0) continue
      const stored = state.set(podTemplate(pod))
      const owner = stored !== 0 && sets.get(stored).incarnation === podOwner(pod) ? sets.get(stored) : undefined
      if (owner !== undefined && owner.deletion === stays) continue
      const next = state.clone(this.#layout)
      if (owner?.deletion === orphaning) next.writePod(index, podOf(podState(pod), podTemplate(pod), 0), byOthers)
      else if (isActivePod(pod)) next.writePod(index, withPodState(pod, terminating), byOthers)
      else continue
      reach(next, codeOf(actions.collectPod, index), true)
    }
    for (let template = 0; template < this.#scope.templates; template++) {
      const stored = state.set(template)
      if (stored === 0 || sets.get(stored).deletion === stays) continue
      let isOwner = false
      for (let index = 0; index < state.pods.length; index++) {
        const pod = state.pod(index)
        if (pod !== gone && podTemplate(pod) === template && podOwner(pod) === sets.get(stored).incarnation) isOwner = true
      }
      if (isOwner) continue
      const next = state.clone(this.#layout)
      next.writeSet(template, 0, byOthers)
      reach(next, codeOf(actions.collectSet, template), true)
    }
  }

  /** What nature and other clients do. */
  disturb(state: State, reach: Reach): void {
    const { sets, deployments } = this.#records
    if (state.disruptions > 0)
      for (let index = 0; index < state.pods.length; index++) {
        const pod = state.pod(index)
        if (!isActivePod(pod)) continue
        const next = state.clone(this.#layout)
        next.disruptions--
        next.writePod(index, withPodState(pod, podOwner(pod) === 0 ? terminating : disrupted), byOthers)
        reach(next, codeOf(actions.disrupt, index), false)
      }
    if (state.deletions > 0)
      for (let template = 0; template < this.#scope.templates; template++) {
        const stored = state.set(template)
        if (stored === 0 || sets.get(stored).deletion !== stays) continue
        for (const mode of [stays, orphaning, foreground]) {
          const next = state.clone(this.#layout)
          next.deletions--
          const id = mode === stays ? 0 : sets.changed(stored, { deletion: mode, observed: olderOf(sets.get(stored)) })
          next.writeSet(template, id, byOthers)
          reach(next, codeOf(actions.deleteSet, template, mode), false)
        }
      }
    const { reason, isOverdue } = deployments.get(state.deployment)
    if (state.deadlines > 0 && reason !== 0 && reason !== complete && !isOverdue) {
      const next = state.clone(this.#layout)
      next.deadlines--
      next.deployments = next.deployments.map((version) => {
        const id = idOf(version)
        return version - id + (deployments.get(id).reason === 0 ? id : deployments.changed(id, { isOverdue: 1 }))
      })
      reach(next, codeOf(actions.deadline), false)
    }
    if (this.#scope.hasStops) {
      const next = state.clone(this.#layout)
      next.deliverAll()
      next.isUnchecked = 0
      reach(next, codeOf(actions.restart), false)
    }
  }

  /** The user changes the Deployment. */
  changeSpec(state: State, reach: Reach): void {
    if (state.users === 0) return
    const { policies, hasPauses, hasCombinedChanges } = this.#scope
    const record = this.#records.deployments.get(state.deployment)
    const write = (code: number, changes: Partial<DeploymentRecord>) => {
      const next = state.clone(this.#layout)
      next.users--
      next.writeDeployment(this.#records.deployments.changed(state.deployment, { ...changes, isObserved: 0 }), byOthers)
      reach(next, code, false)
    }
    const sizes = this.#scope.replicas.filter((replicas) => replicas !== record.replicas)
    for (const replicas of sizes) write(codeOf(actions.scale, replicas), { replicas })
    for (const template of this.#templatesFor(state)) {
      write(codeOf(actions.template, template), { template })
      if (hasCombinedChanges)
        for (const replicas of sizes) write(codeOf(actions.templateAndScale, template, replicas), { template, replicas })
    }
    if (hasPauses) write(codeOf(actions.pause), { isPaused: record.isPaused ? 0 : 1 })
    for (const policy of policies) {
      if (policy === record.policy) continue
      write(codeOf(actions.policy, policy), { policy })
      if (hasCombinedChanges) for (const replicas of sizes) write(codeOf(actions.policyAndScale, policy, replicas), { policy, replicas })
    }
  }

  /** Templates are interchangeable: the used ones, and the first unused one. */
  #templatesFor(state: State): number[] {
    const now = this.#records.deployments.get(state.deployment).template
    const used = new Set<number>(state.deployments.map((version) => this.#records.deployments.get(idOf(version)).template))
    for (const set of recordsOf(state, this.#records)) used.add(set.template)
    for (const pod of state.pods) if (pod !== gone) used.add(podTemplate(pod))
    for (const event of state.podEvents) if (((event >> 4) & 255) !== gone) used.add(podTemplate((event >> 4) & 255))
    const found: number[] = []
    for (let template = 0, isNew = true; template < this.#scope.templates; template++) {
      if (!used.has(template) && !isNew) continue
      if (!used.has(template)) isNew = false
      if (template !== now) found.push(template)
    }
    return found
  }
}
