// The result of a simulated, recorded or replayed rollout: the format of `--json`, and of the data inside a report.
// Times are milliseconds since the start of the run.

/**
 * `Pacer` is Kubernetes without the fields of the proposals, with `rollcall pacer` next to it; `Pacer+evictions` replaces pods before they
 * are evicted, too.
 */
export const policies = [
  'None',
  'TerminationStarted',
  'TerminationComplete',
  'TerminationComplete+terminatingAsActive',
  'Pacer',
  'Pacer+evictions',
] as const
export type Policy = (typeof policies)[number]

export const isPolicy = (name: string): name is Policy => (policies as readonly string[]).includes(name)

/** With `rollcall pacer` next to the controllers. */
export function isPaced(policy: Policy): boolean {
  return policy === 'Pacer' || policy === 'Pacer+evictions'
}

/** Those of `all`: without evictions, the last one is as the one before. */
export const rolloutPolicies: readonly Policy[] = policies.filter((policy) => policy !== 'Pacer+evictions')
/** Of a drain. */
export const drainPolicies: readonly Policy[] = ['None', 'Pacer+evictions']
/**
 * Those that are compared where none is named: what the users' controllers do today, and what they can have on any cluster. The field is
 * compared where the cluster has it, or where a workload already has it.
 */
export const comparedPolicies = (own: readonly Policy[], clusterHasPolicies = false): readonly Policy[] =>
  policies.filter(
    (policy) =>
      policy === 'None' ||
      policy === 'Pacer' ||
      own.includes(policy) ||
      (policy === 'TerminationComplete' && (clusterHasPolicies || own.some(isField))),
  )
/** Those that need fields of a Deployment. */
export const isField = (policy: Policy): boolean => policy !== 'None' && !isPaced(policy)

/** The expectation that every policy has to meet, unless another one is about completion. */
export const completes = 'completes'
/** The same of a rollout that completes, and leaves pods that are still terminating. */
export const ends = 'ends'

/**
 * In stacking order, from the bottom. `starting` pods have a node; `pending` pods have none; `terminating` pods were deleted
 * and have not terminated yet; `waiting` pods have the gate of the pacer, and take no room.
 */
export const podStates = ['ready', 'starting', 'pending', 'terminating', 'waiting', 'lost'] as const
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
  /** The load, in pods that work at their capacity. Absent: there was none. */
  readonly load?: readonly number[]
}

/** The series at other times, every line of it changed alike. */
export function mapSeries(
  { layers, desired, cap, available, nodes, load }: Series,
  times: readonly number[],
  change: (line: readonly number[]) => readonly number[],
): Series {
  return {
    times,
    layers: layers.map((layer) => ({ ...layer, values: change(layer.values) })),
    desired: change(desired),
    cap: change(cap),
    available: change(available),
    nodes: change(nodes),
    ...(load !== undefined && { load: change(load) }),
  }
}

/** An event on the time axis. */
export interface Mark {
  readonly atMs: number
  readonly type: 'step' | 'condition' | 'event' | 'fault'
  /** Like "Deployment/web". */
  readonly object: string
  readonly text: string
}

/** Absent where it does not apply, or did not happen within the run. */
export interface Measures {
  /** Running plus terminating. Pods that wait for the pacer do not count. */
  readonly peakPods: number
  /** The largest replicas + maxSurge of the run. */
  readonly cap: number
  /** By how many pods the current cap was exceeded. Pods that remain after a decrease of the cap do not count. */
  readonly peakOverCap: number
  /** From the first step until every pod of the new revision is available, and stays available. */
  readonly availableAfterMs?: number
  /** Until the last pod of an old revision, and the last terminating pod, has terminated. */
  readonly oldGoneAfterMs?: number
  /** Until the controller reports completion. */
  readonly completeAfterMs?: number
  /** Until the nodes of --drain have no pod any more, apart from those of DaemonSets. */
  readonly drainedAfterMs?: number
  /** How many nodes are drained. Absent: none. */
  readonly drains?: number
  /**
   * The fewest available pods, as a share of spec.replicas, from the moment at which all were available first; those that
   * a scale-up asks for count once all of them have been available. The worst of the workloads. 0 to 1. Absent where no
   * workload was ever available as a whole, and for Jobs.
   */
  readonly lowestAvailability?: number
  readonly podSeconds: number
  readonly peakNodes: number
  readonly nodeMinutes: number
  /** What the nodes cost, with --price. */
  readonly cost?: number
  /** Pods that waited for resources in use by other pods: cpu, memory, ports, a node without a pod of the same workload. */
  readonly waitedForRoom: number
  /** Pods that waited because no node matched them: nodeSelector, affinity, taints, claims. */
  readonly matchedNoNode: number
  /** How often the progress deadline passed. */
  readonly deadlinesPassed: number
  /** Pods with the gate of the pacer, at the highest moment. Absent here and below: there was none. */
  readonly peakWaiting?: number
  /** The longest time without progress of a Deployment that was not complete: progressDeadlineSeconds has to be more. */
  readonly neededDeadlineMs?: number
  /** The share of the load that no ready pod had the capacity for. Absent here and below: there was no load. 0 to 1. */
  readonly lostLoad?: number
  /** The same as a number of requests, where the load was given in requests a second. */
  readonly lostRequests?: number
  /** The smallest and the largest size that the autoscaler asked for. Absent here and below: there was none. */
  readonly smallestSize?: number
  readonly largestSize?: number
  /** How often the autoscaler changed the size. */
  readonly rescales?: number
  /** How often it went back the other way although the load had not. */
  readonly oscillations?: number
}

/** Of a time, those are absent that some runs never reach: `max` where one run does not complete, `p50` where more than half do not. */
export interface Percentiles {
  readonly min: number
  readonly p50?: number
  readonly p90?: number
  readonly p99?: number
  readonly max?: number
}

/** One of several workloads. The measures of nodes are not divided among them. */
export interface WorkloadOutcome {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly measures: Measures
  /** Over the seeds, with more than one run. */
  readonly spread?: Outcome['spread']
}

export interface Outcome {
  readonly policy: Policy
  /** A name, where the policy alone is ambiguous, such as the file of a trace. */
  readonly label?: string
  readonly measures: Measures
  /** Over the seeds, with more than one run. `series` and `marks` are those of the first. */
  readonly spread?: Readonly<Partial<Record<keyof Measures, Percentiles>>>
  readonly series: Series
  readonly marks: readonly Mark[]
  /** Each of several workloads. Absent: there is only one. */
  readonly workloads?: readonly WorkloadOutcome[]
  /** The kinds of the workloads. Absent in files of older versions. */
  readonly kinds?: readonly string[]
  /** Why the rollout did not complete or did not end in time; the first entry names the workload. Absent: it ended. */
  readonly stuck?: readonly string[]
  /** What most of the time is spent on. Absent: nothing dominates, or the rollout is short. */
  readonly cause?: string
  /** Expectations that were not met. */
  readonly failures: readonly string[]
  /** In how many of several runs an expectation was not met. Absent: there was one run. */
  readonly failedRuns?: number
}

/** The version that produced a result, and the time. */
export type Origin = Pick<SimulationResult, 'version' | 'createdAt'>

export interface SimulationResult {
  readonly format: 'rollcall.simulation/1'
  /** Such as "Deployment default/web". */
  readonly title: string
  /** The change, in words. Absent here and below: an older version wrote the file. */
  readonly change?: readonly string[]
  /** Assumptions about input that was not given. */
  readonly assumptions?: readonly string[]
  /** What was not computed exactly. */
  readonly approximations?: readonly string[]
  /** Objects that were left out, and why. */
  readonly ignored?: readonly string[]
  /** The version of Rollcall. */
  readonly version?: string
  /** RFC 3339. Everything else is reproducible. */
  readonly createdAt?: string
  /** The command that reproduces it. */
  readonly command: string
  /** The manifests or the scenario as they were read, without the data of Secrets. */
  readonly sources: readonly { readonly name: string; readonly text: string }[]
  readonly seed: number
  readonly runs: number
  readonly outcomes: readonly Outcome[]
  /** The recommended policy with the reason, in one sentence. Absent where there was only one. */
  readonly advice?: string
  /** How to get what the advice recommends: sentences, and commands that can be copied. */
  readonly how?: readonly string[]
}
