// Why a rollout takes as long as it does: what it waits for during most of its time. Pure.
import { addCount } from '../../base/maps.ts'
import { formatLength } from './lengths.ts'
import type { Trace, TracedPod, TracedWorkload } from './trace.ts'

type Cause = 'refused' | 'room' | 'match' | 'terminating' | 'starting'

/** Shorter rollouts need no reason. */
const minLengthMs = 60_000
const minShare = 0.5
const maxMessage = 200

/** A sentence, where one cause dominates the time until the rollout is available. `untilMs`: since the first step. */
export function dominantCause({ changes }: Trace, untilMs: number | undefined): string | undefined {
  if (untilMs === undefined || untilMs < minLengthMs) return undefined
  const fromMs = changes.find((change) => 'step' in change)?.atMs ?? 0
  const spent = new Map<Cause, number>()
  const pods = new Map<string, TracedPod>()
  const workloads = new Map<string, TracedWorkload>()
  const counts = new Map<Cause, number>()
  let refusal: string | undefined
  let lastMs = fromMs
  for (const change of changes) {
    const atMs = Math.min(change.atMs, fromMs + untilMs)
    if (atMs > lastMs) {
      const refused = refusalAmong(workloads)
      refusal = refused ?? refusal
      const cause = refused === undefined ? currentCause(counts) : 'refused'
      if (cause !== undefined) addCount(spent, cause, atMs - lastMs)
      lastMs = atMs
    }
    if (change.atMs > fromMs + untilMs) break
    if ('pod' in change) setPod(change.pod.uid, change.pod)
    else if ('workload' in change) workloads.set(change.workload.uid, change.workload)
    else if ('gone' in change && change.gone.type === 'pod') setPod(change.gone.id, undefined)
    else if ('gone' in change && change.gone.type === 'workload') workloads.delete(change.gone.id)
  }
  const [cause, ms] = [...spent].sort(([, a], [, b]) => b - a)[0] ?? []
  return cause === undefined || ms! < minShare * untilMs ? undefined : sentenceOf(cause, ms!, untilMs, refusal)

  function setPod(uid: string, next: TracedPod | undefined): void {
    const before = causeOf(pods.get(uid))
    const after = causeOf(next)
    if (before !== undefined) addCount(counts, before, -1)
    if (after !== undefined) addCount(counts, after, 1)
    if (next === undefined) pods.delete(uid)
    else pods.set(uid, next)
  }
}

/** Undefined also where pods start while others terminate: neither of them dominates. */
function currentCause(counts: ReadonlyMap<Cause, number>): Cause | undefined {
  const has = (cause: Cause) => (counts.get(cause) ?? 0) > 0
  if (has('room')) return 'room'
  if (has('match')) return 'match'
  if (has('starting') && has('terminating')) return undefined
  return has('starting') ? 'starting' : has('terminating') ? 'terminating' : undefined
}

function causeOf(pod: TracedPod | undefined): Cause | undefined {
  if (pod === undefined || pod.hasEnded) return undefined
  if (pod.isTerminating) return 'terminating'
  if (pod.isReady || pod.isWaiting) return undefined
  return pod.isUnschedulable ? (pod.waitsFor ?? 'room') : 'starting'
}

function refusalAmong(workloads: ReadonlyMap<string, TracedWorkload>): string | undefined {
  for (const { conditions } of workloads.values()) {
    const failure = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')
    if (failure !== undefined) return failure.message ?? failure.reason ?? ''
  }
  return undefined
}

function sentenceOf(cause: Cause, ms: number, untilMs: number, refusal = ''): string {
  const share = `${formatLength(ms)} of ${formatLength(untilMs)}`
  const message = refusal.length > maxMessage ? `${refusal.slice(0, maxMessage)} …` : refusal
  return {
    refused: `pods are refused for ${share}, and the ReplicaSet tries again after waits that double: ${message}`,
    room: `pods wait for room on a node for ${share}`,
    match: `pods wait for a node that they match for ${share}`,
    terminating: `new pods wait for old ones to terminate for ${share}`,
    starting: `pods take long to start: ${share}`,
  }[cause]
}
