// Invariants of Jobs about terminating pods (KEP-3939): if the Job's policy says so, no pod is replaced before it has
// terminated, and the Job does not finish before all of them have.

import type { Job, Pod, Stored } from '../../api/types.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { isFinished, isTerminal } from './object-state.ts'

const completionIndex = 'batch.kubernetes.io/job-completion-index'

interface CheckedJob {
  readonly waitsForTerminating: boolean
  readonly hasEnded: boolean
  /** The largest parallelism so far. */
  readonly parallelism: number
}

/** Returns a line when the change breaks a rule. */
export function checkJobs(): (change: Change) => string | undefined {
  const jobs = new Map<string, CheckedJob>()
  /** The pods of each Job that have not terminated, with their index. */
  const podsOf = new Map<string, Map<string, string | undefined>>()

  const onJob = (verb: Change['verb'], key: string, job: Stored<Job>) => {
    const { uid } = job.metadata
    if (verb === 'delete') return void jobs.delete(uid)
    const known = jobs.get(uid)
    const ended = isFinished(job)
    jobs.set(uid, {
      waitsForTerminating: job.spec?.podReplacementPolicy === 'Failed' || job.spec?.terminatingAsActive === true,
      hasEnded: ended,
      parallelism: Math.max(known?.parallelism ?? 0, job.spec?.parallelism ?? 1),
    })
    const left = podsOf.get(uid)?.size ?? 0
    return ended && known?.hasEnded !== true && left > 0 ? `Job ${key} has ended while ${left} of its pods have not terminated` : undefined
  }

  const onPod = (verb: Change['verb'], key: string, pod: Stored<Pod>, owner: Change['controller']) => {
    if (owner?.kind !== 'Job') return undefined
    const those = getOrAdd(podsOf, owner.uid, () => new Map())
    const index = pod.metadata.annotations?.[completionIndex]
    if (verb === 'delete' || isTerminal(pod)) return void those.delete(pod.metadata.uid)
    those.set(pod.metadata.uid, index)
    const job = jobs.get(owner.uid)
    if (verb !== 'create' || job?.waitsForTerminating !== true) return undefined
    if (those.size > job.parallelism)
      return `pod ${key} is number ${those.size} of Job ${owner.name}, terminating ones included, where ${job.parallelism} run at a time`
    const same = [...those.values()].filter((one) => one === index).length
    return index !== undefined && same > 1 ? `pod ${key} is created before the last one of index ${index} has terminated` : undefined
  }

  return ({ verb, kind, key, object, controller }) =>
    kind.plural === 'jobs'
      ? onJob(verb, key, object as Stored<Job>)
      : kind.plural === 'pods'
        ? onPod(verb, key, object as Stored<Pod>, controller)
        : undefined
}
