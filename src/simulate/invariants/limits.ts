// Limits that hold at every creation: quotas of pods, the sizes of workloads, and one Job at a time for a CronJob.

import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { CronJob, Job, Pod, ReplicaSet, ResourceQuota, Stored } from '../../api/types.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { countsTerminatingAsActive, stuckTimeoutMsOf } from './deployment-goal.ts'
import { isFinished, isTerminal } from './object-state.ts'

/** Returns a line when the change breaks a limit. */
export type LimitCheck = (change: Change) => string | undefined

/** At each creation, the pods of the namespace that are neither finished nor terminating are at most the smallest quota. */
export function checkQuotas(): LimitCheck {
  const limits = new Map<string, Map<string, number>>()
  const counted = new Map<string, Set<string>>()
  return ({ verb, kind, key, object }) => {
    const { uid, namespace = '' } = object.metadata
    if (kind.plural === 'resourcequotas') {
      const own = getOrAdd(limits, namespace, () => new Map())
      const most = (object as Stored<ResourceQuota>).spec?.hard?.['pods']
      if (verb === 'delete' || most === undefined) own.delete(uid)
      else own.set(uid, Number(most))
      return undefined
    }
    if (kind.plural !== 'pods') return undefined
    const own = getOrAdd(counted, namespace, () => new Set())
    if (verb === 'delete' || object.metadata.deletionTimestamp !== undefined || isTerminal(object as Pod)) own.delete(uid)
    else own.add(uid)
    const most = Math.min(...(limits.get(namespace)?.values() ?? []))
    return verb === 'create' && own.size > most ? `pod ${key} is number ${own.size} where a quota allows ${most}` : undefined
  }
}

/** A CronJob with the concurrency policy Forbid or Replace has at most one active Job. */
export function checkConcurrency(): LimitCheck {
  const single = new Set<string>()
  const working = new Map<string, Set<string>>()
  return ({ verb, kind, key, object, controller: owner }) => {
    const { uid, deletionTimestamp } = object.metadata
    if (kind.plural === 'cronjobs') {
      const policy = (object as Stored<CronJob>).spec?.concurrencyPolicy
      if (verb !== 'delete' && (policy === 'Forbid' || policy === 'Replace')) single.add(uid)
      else single.delete(uid)
      return undefined
    }
    if (kind.plural !== 'jobs' || owner?.kind !== 'CronJob') return undefined
    const own = getOrAdd(working, owner.uid, () => new Set())
    if (verb === 'delete' || deletionTimestamp !== undefined || isFinished(object as Job)) own.delete(uid)
    else own.add(uid)
    return verb === 'create' && own.size > 1 && single.has(owner.uid)
      ? `Job ${key} is number ${own.size} at work where CronJob ${owner.name} wants one at a time`
      : undefined
  }
}

/**
 * A workload never has more pods than its largest number of replicas so far, whatever its controller has not observed yet. A workload
 * that has always counted terminating pods as active counts them here as well.
 */
export function checkSets(gates: FeatureGates): LimitCheck {
  const asked = new Map<string, { readonly most: number; readonly waits: boolean }>()
  const active = new Map<string, Set<string>>()
  const terminating = new Map<string, Set<string>>()
  /** The ReplicaSet that each pod is counted in. */
  const setOf = new Map<string, string>()
  return ({ verb, kind, key, object, controller: owner }) => {
    const { uid, deletionTimestamp } = object.metadata
    if (kind.plural === 'replicasets') {
      const set = object as Stored<ReplicaSet>
      const known = asked.get(uid)
      const waits = countsTerminatingAsActive(set, gates) && stuckTimeoutMsOf(set) === undefined && known?.waits !== false
      if (verb === 'delete') asked.delete(uid)
      else asked.set(uid, { most: Math.max(known?.most ?? 0, set.spec?.replicas ?? 1), waits })
      return undefined
    }
    if (kind.plural !== 'pods') return undefined
    // A pod that was orphaned or released is no longer one of its former ReplicaSet.
    const former = setOf.get(uid) ?? ''
    active.get(former)?.delete(uid)
    terminating.get(former)?.delete(uid)
    setOf.delete(uid)
    if (owner?.kind !== 'ReplicaSet') return undefined
    const own = getOrAdd(active, owner.uid, () => new Set())
    const leaving = getOrAdd(terminating, owner.uid, () => new Set())
    if (verb !== 'delete') setOf.set(uid, owner.uid)
    if (verb !== 'delete' && !isTerminal(object as Pod)) (deletionTimestamp === undefined ? own : leaving).add(uid)
    const known = asked.get(owner.uid)
    if (verb !== 'create' || known === undefined) return undefined
    if (own.size > known.most)
      return `pod ${key} is number ${own.size} of ReplicaSet ${owner.name}, which was never asked for more than ${known.most}`
    return known.waits && own.size + leaving.size > known.most
      ? `pod ${key} is created while ${leaving.size} of ReplicaSet ${owner.name} terminate, which counts them as active and has ${known.most} at most`
      : undefined
  }
}
