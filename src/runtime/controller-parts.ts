// What every controller is given, and what its caller gets back.
// Ours: what every controller is given.
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import type { KubernetesObject } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { EventRecorder } from './event-recorder.ts'
import type { QueueMetrics } from './queue-metrics.ts'
import type { SharedInformers } from './shared-informers.ts'

export interface CommonParts {
  readonly client: Client
  readonly clock: Clock
  /** Metrics of the work queue. */
  readonly queues?: QueueMetrics
  /** Not started yet: the caller starts them when all controllers have added their handlers, so that no object is missed. */
  readonly informers: SharedInformers
  /** How many objects are reconciled at a time. */
  readonly workers?: number
  /** How long after a reconcile the next one of the same object begins at the earliest. Default: 0. */
  readonly minIntervalMs?: number
  /** Objects that the controller never touches. Default: none. */
  isIgnored?(object: KubernetesObject): boolean
  /** How long the controller does not touch the object from now on. Undefined: it is reconciled. */
  leftAloneMs?(object: KubernetesObject): number | undefined
  onFailure?(what: string, error: unknown): void
}

/** For controllers that record Events. */
export interface RecordingControllerParts extends CommonParts {
  readonly recorder: EventRecorder
}

/** For controllers of workloads. */
export interface WorkloadControllerParts extends RecordingControllerParts {
  readonly gates: FeatureGates
}

export interface RunningController {
  /** Resolves when the caches contain every object that existed at the start. */
  readonly synced: Promise<void>
  /** Resolves when the reconciles under way have ended. */
  stop(): Promise<void>
}
