// The invariant of the pacer: when it removes its gate from a pod, the workload has no more admitted pods than its cap allows.
// The rule reads stored objects only, and shares nothing with the planner.
//
// The pacer acts on what it has observed, at most `lagMs` ago: a cap that was in force meanwhile may have been the one it knew, and
// pods that came to the workload meanwhile without its doing may be unknown to it. What a pacer itself has released always counts,
// whichever replica it was. Two installations do not elect a leader between them: to each, what the other has released is like a pod that
// came without its doing.

import type { Deployment, Job, KubernetesObject, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { scaledValue } from '../../base/int-or-percent.ts'
import { SetMap } from '../../base/maps.ts'
import { isGated } from '../../cluster/pacer/in-process-pacer.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import type { CheckerTime } from './deployment-goal.ts'
import { isTerminal } from './object-state.ts'

interface CheckedPod {
  owner: string | undefined
  isGated: boolean
  isOver: boolean
  /** Since when it has no gate. */
  openMs: number
  wasGated: boolean
}

interface CheckedOwner {
  /** Of a ReplicaSet: the Deployment that it belongs to, and since when. */
  workload: string
  sinceMs: number
}

interface CheckedWorkload {
  readonly name: string
  /** Each holds until the next begins. */
  caps: readonly { readonly atMs: number; readonly cap: number }[]
  hasTimeout: boolean
}

const timeoutAnnotation = 'rollcall.dev/stuck-termination-timeout'
const paced: Readonly<Record<string, string>> = { deployments: 'Deployment', replicasets: 'ReplicaSet', jobs: 'Job' }

export interface PacerTime extends CheckerTime {
  /** The installations of the pacer that have sent a release of the pod. Default: there is only one installation. */
  releasersOf?(uid: string): ReadonlySet<string>
}

const onlyInstallation: ReadonlySet<string> = new Set(['pacer'])

export function checkPacer(time: PacerTime): (change: Change) => string | undefined {
  const releasersOf = (uid: string) => time.releasersOf?.(uid) ?? onlyInstallation
  const pods = new Map<string, CheckedPod>()
  const podsOf = new SetMap<string, string>()
  const owners = new Map<string, CheckedOwner>()
  const ownersOf = new SetMap<string, string>()
  const workloads = new Map<string, CheckedWorkload>()

  const noteWorkload = (kind: string, object: Stored<KubernetesObject>) => {
    const { uid, name, annotations } = object.metadata
    const cap = capOf(kind, object)
    const known = workloads.get(uid) ?? { name: `${kind} ${name}`, caps: [], hasTimeout: false }
    // A timeout that was removed a moment ago may still be the one that is known.
    known.hasTimeout ||= annotations?.[timeoutAnnotation] !== undefined
    if (known.caps.at(-1)?.cap !== cap) known.caps = [...known.caps, { atMs: time.now(), cap }]
    workloads.set(uid, known)
  }
  const noteOwner = (uid: string, workload: string) => {
    const known = owners.get(uid)
    if (known?.workload === workload) return
    if (known !== undefined) ownersOf.remove(known.workload, uid)
    owners.set(uid, { workload, sinceMs: time.now() })
    ownersOf.add(workload, uid)
  }
  /** Pods that an installation of the pacer has observed: it has released them, or they have existed for longer than the lag. */
  const countAdmitted = (workload: string, installation: string): number => {
    let count = 0
    for (const owner of ownersOf.get(workload) ?? []) {
      const { sinceMs } = owners.get(owner)!
      for (const uid of podsOf.get(owner) ?? []) {
        const pod = pods.get(uid)!
        if (pod.isGated || pod.isOver) continue
        const isOwnDoing = pod.wasGated && pod.openMs >= sinceMs && releasersOf(uid).has(installation)
        if (isOwnDoing || Math.max(sinceMs, pod.openMs) < time.now() - time.lagMs()) count++
      }
    }
    return count
  }
  const notePod = (object: Stored<Pod>, owner: string | undefined): CheckedPod | undefined => {
    const { uid } = object.metadata
    const gated = isGated(object)
    const isOver = isTerminal(object)
    const before = pods.get(uid)
    const pod = before ?? { owner: undefined, isGated: gated, isOver, openMs: time.now(), wasGated: gated }
    if (pod.owner !== owner) {
      if (pod.owner !== undefined) podsOf.remove(pod.owner, uid)
      if (owner !== undefined) podsOf.add(owner, uid)
      pod.owner = owner
    }
    const isReleased = before?.isGated === true && !gated && !isOver
    if (isReleased) pod.openMs = time.now()
    pod.isGated = gated
    pod.isOver = isOver
    pods.set(uid, pod)
    return isReleased ? pod : undefined
  }

  return ({ verb, kind, key, object, controller }) => {
    const { uid } = object.metadata
    if (kind.plural === 'pods') {
      if (verb === 'delete') {
        const owner = pods.get(uid)?.owner
        if (owner !== undefined) podsOf.remove(owner, uid)
        pods.delete(uid)
        return undefined
      }
      const released = notePod(object as Stored<Pod>, controller?.uid)
      const workloadUid = released?.owner === undefined ? undefined : owners.get(released.owner)?.workload
      const workload = workloadUid === undefined ? undefined : workloads.get(workloadUid)
      if (workload === undefined || workload.hasTimeout) return undefined
      const fromMs = time.now() - time.lagMs()
      const known = workload.caps.filter((_, index) => (workload.caps[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= fromMs)
      const cap = Math.max(...known.map((one) => one.cap))
      const releasers = [...releasersOf(uid)]
      // A user has removed the gate.
      if (releasers.length === 0) return undefined
      // Where two have sent a release of one pod, either may have been first: one of them must have been right.
      const admitted = Math.min(...releasers.map((one) => countAdmitted(workloadUid!, one)))
      return admitted > cap ? `pod ${key} is released as number ${admitted} of ${workload.name}, which may have ${cap}` : undefined
    }
    const name = paced[kind.plural]
    // Deleted workloads are kept: their pods may still exist.
    if (name === undefined || verb === 'delete') return undefined
    noteWorkload(name, object)
    // A Deployment controls the pods that it has taken over before their eviction.
    noteOwner(uid, (name === 'ReplicaSet' && controller?.uid) || uid)
    return undefined
  }
}

function capOf(kind: string, object: KubernetesObject): number {
  if (kind === 'Job') {
    const { spec } = object as Job
    return spec?.suspend ? 0 : (spec?.parallelism ?? 1)
  }
  const { spec } = object as Deployment & ReplicaSet
  const replicas = spec?.replicas ?? 1
  if (kind === 'ReplicaSet' || spec?.strategy?.type === 'Recreate') return replicas
  return replicas + (scaledValue(spec?.strategy?.rollingUpdate?.maxSurge ?? '25%', replicas, true) ?? 0)
}
