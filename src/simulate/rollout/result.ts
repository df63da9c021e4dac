// What a simulated, recorded or replayed rollout comes to: the shape of `--json`, and of the data inside a report.
// Times are milliseconds since the start of the run.

export const policies = ['None', 'TerminationStarted', 'TerminationComplete', 'TerminationComplete+terminatingAsActive'] as const
export type Policy = (typeof policies)[number]

/** The expectation that every policy has to meet, unless another one speaks of completion. */
export const completes = 'completes'

/**
 * In the order in which they are stacked, from the bottom. `ready` pods serve; `starting` ones have a node; `pending`
 * ones have none; `terminating` ones are on their way out and still there.
 */
export const podStates = ['ready', 'starting', 'pending', 'terminating'] as const
export type PodState = (typeof podStates)[number]

/** The pods of one revision in one state. `values[i]` holds from `times[i]` until the next time. */
export interface Layer {
  /** The number of the revision, 1 for the oldest. */
  readonly revision: number
  readonly state: PodState
  readonly values: readonly number[]
}

export interface Series {
  /** Ascending; the first is 0, the last is the end of the run. */
  readonly times: readonly number[]
  readonly layers: readonly Layer[]
  /** spec.replicas, summed over the workloads. */
  readonly desired: readonly number[]
  /** replicas + maxSurge: what the pods may add up to. */
  readonly cap: readonly number[]
  readonly available: readonly number[]
  readonly nodes: readonly number[]
}

/** Something that happened, for the time axis. */
export interface Mark {
  readonly atMs: number
  readonly type: 'step' | 'condition' | 'event' | 'fault'
  /** Like "Deployment/web". */
  readonly object: string
  readonly text: string
}

/** Absent where it does not apply, or did not happen within the run. */
export interface Measures {
  /** Running plus terminating. */
  readonly peakPods: number
  /** The largest replicas + maxSurge of the run. */
  readonly cap: number
  /** How far the pods grew over the cap of their moment. What a smaller cap leaves behind does not count: it goes by itself. */
  readonly peakOverCap: number
  /** Until every pod of the new revision is available, and they stay so: from the first step on. */
  readonly availableAfterMs?: number
  /** Until the last pod of an old revision, and the last that is terminating, is gone. */
  readonly oldGoneAfterMs?: number
  /** Until the controller calls it complete. */
  readonly completeAfterMs?: number
  /**
   * The fewest available pods, as a share of spec.replicas, from the moment at which all were available first; those that
   * a scale-up asks for count once all of them have been available. The worst of the workloads. 0 to 1. Absent where no
   * workload was ever available as a whole, and for Jobs.
   */
  readonly lowestAvailability?: number
  readonly podSeconds: number
  readonly peakNodes: number
  readonly nodeMinutes: number
  /** Pods that waited for what other pods took: cpu, memory, ports, a node without a pod of their own. */
  readonly waitedForRoom: number
  /** Pods that waited because no node matched them: nodeSelector, affinity, taints, claims. */
  readonly matchedNoNode: number
  /** Times that the progress deadline passed. */
  readonly deadlinesPassed: number
}

export interface Percentiles {
  readonly min: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

export interface Outcome {
  readonly policy: Policy
  /** What to call it where the policy alone does not tell, such as the file that a trace was read from. */
  readonly label?: string
  readonly measures: Measures
  /** Over the seeds, with more than one run. `series` and `marks` are those of the first. */
  readonly spread?: Readonly<Partial<Record<keyof Measures, Percentiles>>>
  readonly series: Series
  readonly marks: readonly Mark[]
  /** The kinds of the workloads. Absent in files of older versions. */
  readonly kinds?: readonly string[]
  /** Why it had not completed when its time was over, a line each; the first says what is not complete. Absent: it completed. */
  readonly stuck?: readonly string[]
  /** Expectations that were not met, a line each. */
  readonly failures: readonly string[]
}

/** Who made a result, and when. */
export type Origin = Pick<SimulationResult, 'version' | 'createdAt'>

export interface SimulationResult {
  readonly format: 'rollcall.simulation/1'
  /** What it is about, such as "Deployment default/web". */
  readonly title: string
  /** What was changed, in words. Absent here and below: the file was written by an older version. */
  readonly change?: readonly string[]
  /** What was assumed because nothing said it. */
  readonly assumptions?: readonly string[]
  /** Objects that were left out, and why. */
  readonly ignored?: readonly string[]
  /** The version of Rollcall. */
  readonly version?: string
  /** When it was made, RFC 3339: all else is the same when it is made again. */
  readonly createdAt?: string
  /** The command that makes it again. */
  readonly command: string
  /** The manifests or the scenario as they were read, without the data of Secrets. */
  readonly sources: readonly { readonly name: string; readonly text: string }[]
  readonly seed: number
  readonly runs: number
  readonly outcomes: readonly Outcome[]
  /** What it would choose, and why, in one sentence. Absent where there was nothing to choose. */
  readonly advice?: string
}
