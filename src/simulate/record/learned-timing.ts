// How long the pods of workloads take to start, to stop and to pull their images: learned from a recorded rollout, or from pods and
// events of a cluster. Pure.

import type { Pod, Stored } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import { defined } from '../../base/defined.ts'
import { readDurationMs } from '../../base/duration.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { PlannedTiming, Target } from '../rollout/plan.ts'
import type { Trace } from '../rollout/trace.ts'

/** Milliseconds. */
interface TimingSamples {
  /** From scheduled to ready, without pulling. */
  readonly startup: number[]
  /** From the deletion to the termination. */
  readonly stop: number[]
  readonly pull: number[]
}

/** By workload, such as `deployment/shop/web`. */
export type LearnedSamples = Map<string, TimingSamples>

const samplesOf = (learned: LearnedSamples, workload: string): TimingSamples =>
  getOrAdd(learned, workload, () => ({ startup: [], stop: [], pull: [] }))

/** With the namespace: two namespaces may have workloads of one name. */
export const timingKey = ({ kind, namespace, name }: Target): string => `${kind.toLowerCase()}/${namespace}/${name}`

/** As a plan has them. Workloads without samples are absent. */
export const timingsOf = (learned: LearnedSamples): Readonly<Record<string, PlannedTiming>> =>
  Object.fromEntries(
    [...learned].flatMap(([workload, { startup, stop, pull }]) => {
      const timing = defined({ startup: spreadOf(startup), stop: spreadOf(stop), pull: spreadOf(pull) })
      return Object.keys(timing).length === 0 ? [] : [[workload.toLowerCase(), timing]]
    }),
  )

const withoutNamespace = (key: string) => key.replace(/\/[^/]*\//, '/')

/** Pods that were scheduled, or deleted, while it was recorded. */
export function learnFromTrace({ changes }: Pick<Trace, 'changes'>, learned: LearnedSamples = new Map()): LearnedSamples {
  const workloads = new Map<string, string>()
  const sets = new Map<string, string>()
  for (const change of changes) {
    if ('workload' in change) workloads.set(change.workload.uid, timingKey(change.workload))
    else if ('set' in change && change.set.owner !== undefined) sets.set(change.set.uid, change.set.owner)
  }
  const workloadOf = (owner = '') => workloads.get(sets.get(owner) ?? owner)
  interface Seen {
    scheduledMs?: number
    deletedMs?: number
    isReady?: true
    samples: TimingSamples | undefined
  }
  const pods = new Map<string, Seen>()
  const end = (seen: Seen, atMs: number) => {
    if (seen.deletedMs === undefined) return
    seen.samples?.stop.push(atMs - seen.deletedMs)
    delete seen.deletedMs
  }
  for (const change of changes) {
    if ('gone' in change) {
      const seen = pods.get(change.gone.id)
      if (seen !== undefined) end(seen, change.atMs)
      continue
    }
    if (!('pod' in change)) continue
    const { pod, atMs } = change
    const workload = workloadOf(pod.owner)
    const seen = pods.get(pod.uid)
    if (seen === undefined) {
      const isNew = atMs > 0 && !pod.isTerminating
      const samples = workload === undefined ? undefined : samplesOf(learned, workload)
      pods.set(pod.uid, { samples, ...(isNew && pod.node !== undefined && { scheduledMs: atMs }), ...(pod.isReady && { isReady: true }) })
      continue
    }
    if (pod.node !== undefined && !seen.isReady && seen.scheduledMs === undefined && !pod.isReady) seen.scheduledMs = atMs
    if (pod.isReady && !seen.isReady) {
      seen.isReady = true
      if (seen.scheduledMs !== undefined && !pod.isTerminating) seen.samples?.startup.push(atMs - seen.scheduledMs)
    }
    if (pod.isTerminating) seen.deletedMs ??= atMs
    if (pod.hasEnded) end(seen, atMs)
  }
  return learned
}

interface PodEvent {
  readonly involvedObject?: { readonly uid?: string }
  readonly reason?: string
  readonly message?: string
}

/** Of the message of the kubelet, `Successfully pulled image "a" in 2.5s (3.1s including waiting)…`. */
function pullMs({ reason, message = '' }: PodEvent): number | undefined {
  const [, text] = reason === 'Pulled' ? (/ in ([0-9][0-9.a-z\u00b5]*)/.exec(message) ?? []) : []
  return text === undefined ? undefined : readDurationMs(text)
}

/**
 * Pods that became ready once and never restarted. Their times have whole seconds. `workloadOf` names the workload of a pod, such as
 * `deployment/shop/web`.
 */
export function learnFromPods(
  pods: readonly Stored<Pod>[],
  events: readonly PodEvent[],
  workloadOf: (pod: Stored<Pod>) => string | undefined,
  learned: LearnedSamples = new Map(),
): LearnedSamples {
  const pulls = new Map<string, number>()
  for (const event of events) {
    const [ms, uid] = [pullMs(event), event.involvedObject?.uid]
    if (ms !== undefined && uid !== undefined) pulls.set(uid, (pulls.get(uid) ?? 0) + ms)
  }
  for (const pod of pods) {
    const workload = workloadOf(pod)
    if (workload === undefined) continue
    const samples = samplesOf(learned, workload)
    const pull = pulls.get(pod.metadata.uid)
    if (pull !== undefined) samples.pull.push(pull)
    const timeOf = (type: string) => {
      const condition = pod.status?.conditions?.find((one) => one.type === type)
      return condition?.status === 'True' && condition.lastTransitionTime ? parseTime(condition.lastTransitionTime) : undefined
    }
    const [scheduledMs, readyMs] = [timeOf('PodScheduled'), timeOf('Ready')]
    const hasRestarted = (pod.status?.containerStatuses ?? []).some(({ restartCount = 0 }) => restartCount > 0)
    if (scheduledMs === undefined || readyMs === undefined || readyMs < scheduledMs || hasRestarted) continue
    samples.startup.push(Math.max(0, readyMs - scheduledMs - (pull ?? 0)))
  }
  for (const { startup } of learned.values()) dropLate(startup)
  return learned
}

const maxTimesMedian = 4
const maxStartupMs = 1_800_000

/** A pod that was unready for a while after its start has the time at which it was ready again. */
function dropLate(samples: number[]): void {
  const median = [...samples].sort((a, b) => a - b)[Math.floor((samples.length - 1) / 2)] ?? 0
  const kept = samples.filter((sample) => sample <= Math.min(maxStartupMs, Math.max(1000, maxTimesMedian * median)))
  samples.splice(0, samples.length, ...kept)
}

const fewSamples = 20

/** The middle and half the width of what was seen; of many samples without the outermost twentieth. */
function spreadOf(samples: readonly number[]): string | undefined {
  if (samples.length === 0) return undefined
  const sorted = [...samples].sort((a, b) => a - b)
  const cut = sorted.length < fewSamples ? 0 : Math.floor(sorted.length / 40)
  const [low, high] = [sorted[cut]!, sorted[sorted.length - 1 - cut]!]
  const [middle, half] = [Math.round((low + high) / 2), Math.round((high - low) / 2)]
  return half === 0 ? `${middle}ms` : `${middle}ms±${Math.min(half, middle)}ms`
}

const timingFormat = 'rollcall.timing/1'

/** The text of a timing file. A namespace is written where two have a workload of the same kind and name; otherwise times hold in any. */
export function formatTiming(learned: LearnedSamples, source: string): string {
  const counts = new Map<string, number>()
  for (const key of learned.keys()) counts.set(withoutNamespace(key), (counts.get(withoutNamespace(key)) ?? 0) + 1)
  const lines = [`# ${source}`, `format: ${timingFormat}`, 'workloads:']
  for (const [workload, samples] of [...learned].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const parts = (['startup', 'stop', 'pull'] as const).flatMap((name) => {
      const text = spreadOf(samples[name])
      return text === undefined ? [] : [`    ${name}: ${text}  # of ${samples[name].length} pods`]
    })
    if (parts.length > 0) lines.push(`  ${counts.get(withoutNamespace(workload)) === 1 ? withoutNamespace(workload) : workload}:`, ...parts)
  }
  return lines.length === 3 ? '' : `${lines.join('\n')}\n`
}
