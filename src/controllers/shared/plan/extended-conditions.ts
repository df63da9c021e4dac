// KEP-2804: the conditions of StatefulSets and DaemonSets, computed together.
// Ours: the conditions are those of KEP-2804.
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { IntOrString, KubernetesObject, Pod, Stored } from '../../../api/types.ts'
import { operationalThresholdOf } from './annotations.ts'
import { defaultOperationalThreshold, nextOperational, type WorkloadCondition } from './operational.ts'
import { lastProgressAtMs } from './pod-state.ts'
import { nextProgressing, type ProgressInput, progressDeadlineOf, withCondition } from './progressing.ts'

interface Snapshot {
  readonly set: KubernetesObject & {
    readonly spec?: { readonly progressDeadlineSeconds?: number; readonly operationalThreshold?: IntOrString }
    readonly status?: { readonly conditions?: readonly WorkloadCondition[] }
  }
  readonly pods: Iterable<Stored<Pod>>
  readonly gates: Pick<FeatureGates, 'ExtendedWorkloadConditions'>
  readonly nowMs: number
}

interface ExtendedInput extends Omit<ProgressInput, 'deadlineSeconds' | 'lastProgressAtMs' | 'nowMs'> {
  readonly kind: string
  readonly desired: number
  /** The count that the same status publishes, so that Operational never changes without it. */
  readonly available: number
}

interface NextConditions {
  readonly conditions: readonly WorkloadCondition[] | undefined
  /** When the progress deadline has to be checked. */
  readonly requeueAtMs?: number
}

/** While the gate is off, the conditions are preserved. */
export function nextExtendedConditions({ set, pods, gates, nowMs }: Snapshot, readInput: () => ExtendedInput): NextConditions {
  const stored = set.status?.conditions
  if (!gates.ExtendedWorkloadConditions) return { conditions: stored }
  const { kind, desired, available, ...progress } = readInput()
  const threshold = operationalThresholdOf(set).value ?? defaultOperationalThreshold
  const operational = nextOperational(stored, { kind, desired, available, threshold, nowMs })
  const { condition, requeueAtMs } = nextProgressing(stored, {
    ...progress,
    deadlineSeconds: progressDeadlineOf(set).value,
    lastProgressAtMs: lastProgressAtMs(pods),
    nowMs,
  })
  return {
    conditions: withCondition(withCondition(stored ?? [], condition), operational),
    ...(requeueAtMs !== undefined && { requeueAtMs }),
  }
}
