// What controllers are given, whatever they control.
import type { FeatureGates } from '../api/feature-gates.ts'
import type { KubernetesObject } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { EventRecorder } from './event-recorder.ts'
import type { QueueMetrics } from './queue-metrics.ts'
import type { SharedInformers } from './shared-informers.ts'

export interface CommonParts {
  readonly client: Client
  readonly clock: Clock
  /** Counts what its queue does. */
  readonly queues?: QueueMetrics
  /** Not started yet: whoever made them starts them when all controllers listen, so that these hear of every object. */
  readonly informers: SharedInformers
  /** How many objects are worked on at a time. */
  readonly workers?: number
  /** Objects that are left alone, whatever they ask for. Absent: none. */
  isIgnored?(object: KubernetesObject): boolean
  onFailure?(what: string, error: unknown): void
}

/** Those of a controller that tells users what it does, under a name of its own. */
export interface TellingControllerParts extends CommonParts {
  readonly recorder: EventRecorder
}

/** Those of a controller of workloads. */
export interface WorkloadControllerParts extends TellingControllerParts {
  readonly gates: FeatureGates
}
