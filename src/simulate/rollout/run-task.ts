// One run of a plan, as a task for a thread, and the answer of the thread.
import { defined } from '../../base/defined.ts'
import { dominantCause } from './dominant-cause.ts'
import { lastPods } from './last-pods.ts'
import { type Measured, measureTrace } from './measure.ts'
import type { Plan } from './plan.ts'
import type { Policy, WorkloadOutcome } from './result.ts'
import { type RunOptions, runOnce } from './run-once.ts'
import { splitTrace } from './split-trace.ts'
import type { Trace } from './trace.ts'

/** One run. A plan is a list of these. */
export interface RunTask {
  readonly policy: Policy
  readonly seed: number
  /** Series and marks are needed only for the first run of a policy. */
  readonly isDrawn: boolean
  readonly isTraced: boolean
}

export interface RunAnswer {
  readonly measured: Pick<Measured, 'measures'> & Partial<Measured>
  /** What most of the time is spent on, of a run that is drawn. */
  readonly cause?: string
  readonly endMs: number
  /** At the end: they count on when a run is made as long as the others. */
  readonly pods: number
  readonly nodes: number
  readonly workloads?: readonly (WorkloadOutcome & { readonly pods: number })[]
  readonly unrest?: readonly string[]
  readonly breaches: readonly string[]
  readonly trace?: Trace
}

export async function runTask(
  plan: Plan,
  { policy, seed, isDrawn, isTraced }: RunTask,
  options: Pick<RunOptions, 'onProgress' | 'isCancelled'> = {},
): Promise<RunAnswer> {
  const { trace, unrest, breaches } = await runOnce({ plan, policy, seed, ...options })
  const { measures, series, marks, kinds } = measureTrace(trace)
  const workloads = splitTrace(trace)?.map(({ trace: own, ...workload }) => {
    const measured = measureTrace(own)
    return { ...workload, measures: measured.measures, pods: lastPods(measured.series) }
  })
  return {
    measured: isDrawn ? { measures, series, marks, kinds } : { measures },
    ...(isDrawn && defined({ cause: dominantCause(trace, measures.availableAfterMs ?? measures.completeAfterMs) })),
    endMs: trace.endMs,
    pods: lastPods(series),
    nodes: series.nodes.at(-1)!,
    breaches,
    ...(workloads !== undefined && { workloads }),
    ...(unrest !== undefined && { unrest }),
    ...(isTraced && { trace }),
  }
}
