// One sync of the ReplicaSet controller: the shipped planners, in the order in which `replica-set-controller.ts` calls them.
import type { Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { planClaims } from '../../controllers/replica-set/plan/claim.ts'
import { planReplicas, type ReplicasPlan, sortTerminating } from '../../controllers/replica-set/plan/replicas.ts'
import { settingsOf } from '../../controllers/replica-set/plan/settings.ts'
import { nextStatus } from '../../controllers/replica-set/plan/status.ts'
import { isStatusDue } from '../../controllers/replica-set/plan/status-writes.ts'
import { gates, podObject, type Records } from './deployment-step.ts'
import { absent, current, nowMs, replicaSetOf, type SetRecord } from './records.ts'
import { visiblePod } from './state.ts'

interface ReplicaSetStep {
  /** How many pods to create. */
  readonly create: number
  /** Which of the given pods to delete, by their place: two choices where only their names decide. */
  readonly deletions: readonly (readonly number[])[]
  /** The ReplicaSet with its new status; 0 if nothing changes. */
  readonly status: number
  /** Whether that is written although pods were. */
  readonly isStatusDue: boolean
  /** The same after a sync whose pods could not be created. */
  readonly failedStatus: number
  readonly problem: string | undefined
}

export class ReplicaSetSteps {
  readonly #records: Records
  readonly #known = new Map<string, ReplicaSetStep>()

  constructor(records: Records) {
    this.#records = records
  }

  /**
   * `owned`: the cached pods that name the ReplicaSet as their controller; `adopted`: orphans that it has adopted in this sync, as the API
   * server returned them.
   */
  plan(set: number, owned: readonly number[], adopted: readonly number[]): ReplicaSetStep {
    let key = String.fromCharCode(set & 0xffff, set >> 16, adopted.length)
    for (const pod of owned) key += String.fromCharCode(visiblePod(pod))
    for (const pod of adopted) key += String.fromCharCode(visiblePod(pod))
    let step = this.#known.get(key)
    if (step === undefined) {
      step = this.#plan(set, owned.map(visiblePod), adopted.map(visiblePod))
      this.#known.set(key, step)
    }
    return step
  }

  #plan(setId: number, owned: readonly number[], adopted: readonly number[]): ReplicaSetStep {
    const record = this.#records.sets.get(setId)
    const set = replicaSetOf(record)
    const first = this.#planNamed(set, owned, adopted, (index) => index)
    const last = this.#planNamed(set, owned, adopted, (index) => 14 - index)
    const written =
      first.plan.action === 'none' ? undefined : { count: first.plan.action === 'create' ? first.plan.count : first.plan.pods.length }
    const result = { plan: first.plan, written }
    return {
      create: first.plan.action === 'create' ? first.plan.count : 0,
      deletions: first.plan.action === 'delete' ? [first.deleted, last.deleted] : [],
      status: this.#statusOf(record, setId, first.status()),
      isStatusDue: isStatusDue(result, set, first.active, adopted.length),
      failedStatus: first.plan.action === 'create' ? this.#statusOf(record, setId, first.status('refused')) : 0,
      problem: first.problem,
    }
  }

  #planNamed(set: Stored<ReplicaSet>, owned: readonly number[], adopted: readonly number[], nameOf: (index: number) => number) {
    const settings = settingsOf('ReplicaSet', set, gates)
    const objects = owned.map((pod, index) => podObject(pod, nameOf(index)))
    const claims = planClaims(settings, objects, [])
    const active = [...claims.active, ...adopted.map((pod, index) => podObject(pod, 20 + index))]
    const { holding } = sortTerminating(settings, claims.terminating, nowMs)
    const terminating = claims.terminating.length
    const plan = planReplicas({ settings, active, terminating: holding, related: () => objects, usesDeletionCost: true, nowMs })
    const all = [...objects, ...active.slice(claims.active.length)]
    return {
      plan,
      active: active.length,
      deleted: plan.action === 'delete' ? plan.pods.map((pod) => all.indexOf(pod)) : [],
      status: (failure?: string) =>
        nextStatus(set, { settings, active, terminating, nowMs, ...(failure !== undefined && { failure }) }).status,
      problem: problemOf(plan, set.spec?.replicas ?? 1, active),
    }
  }

  #statusOf(record: SetRecord, setId: number, status: ReplicaSet['status'] | undefined): number {
    if (status === undefined) return 0
    const next = this.#records.sets.idOf({
      ...record,
      observed: status.observedGeneration === 2 ? current : record.observed,
      pods: status.replicas,
      ready: status.readyReplicas ?? 0,
      terminating: status.terminatingReplicas ?? absent,
      hasFailure: status.conditions?.some(({ type }) => type === 'ReplicaFailure') ? 1 : 0,
    })
    return next === setId ? 0 : next
  }
}

/** A ReplicaSet deletes no more pods than it has to, and no ready one before one that is not. */
function problemOf(plan: ReplicasPlan, size: number, active: readonly Stored<Pod>[]): string | undefined {
  if (plan.action !== 'delete') return undefined
  if (active.length - plan.pods.length < size) return `a ReplicaSet of ${size} deletes ${plan.pods.length} of ${active.length} pods`
  const countReady = (pods: readonly Stored<Pod>[]) => pods.filter(({ status }) => status?.conditions !== undefined).length
  const before = countReady(active)
  return before - countReady(plan.pods) < Math.min(size, before) ? `a ReplicaSet of ${size} deletes a ready pod before others` : undefined
}
