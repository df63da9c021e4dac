// The public interface of `simulate()`. Types only.
import type { Policy } from '../rollout/result.ts'

export type * from '../rollout/result.ts'

/** As the flags of `rollcall simulate` of the same names. */
export interface SimulateOptions {
  /** Manifests, or a scenario: YAML, an object, or several objects. */
  readonly manifests?: string | object | readonly object[]
  /** Files and folders with manifests, or a scenario. */
  readonly files?: readonly string[]
  /** What to roll out: `image=web:2`, `container=image`, `restart`, or a file with new manifests. */
  readonly to?: string | readonly string[]
  /** Numbers of replicas and their times: `3@1m,12@5m`. */
  readonly scale?: string | readonly string[]
  /** Default: None and Pacer, where there is a Deployment; also those that a manifest has. */
  readonly policies?: readonly Policy[]
  /** `5x4cpu16Gi`. Default: enough for all pods. */
  readonly nodes?: string
  /** `3..10`; true chooses a maximum. */
  readonly autoscale?: string | true
  /** The price of a node for an hour: `4cpu16Gi=0.19/h`. */
  readonly price?: string | readonly string[]
  /** How long a pod takes from scheduled to ready: `20s±5s`. */
  readonly startup?: string
  /** How long a deleted pod takes to terminate: `45s±15s`. */
  readonly stop?: string
  /** A file with how long the pods of each workload take, as `rollcall record --learn` writes it. */
  readonly timing?: string
  /** What a workload has to serve: `100rps, 400rps@2m..10m`, `60%, 90%@5m`, or a CSV file. */
  readonly load?: string | readonly string[]
  /** The requests a second that a pod serves at most: `50rps`. */
  readonly capacity?: string | readonly string[]
  /** `node-2:down@3m..8m`, `web:evict=3@1m`. */
  readonly fault?: string | readonly string[]
  /** Default 1. */
  readonly seed?: number
  /** The number of runs, each with its own seed. Default 1. */
  readonly runs?: number
  /** A rollout that has not ended after this time, with the termination of its pods, has failed. Default 1h. */
  readonly within?: string
  /** What must hold: `peakPods <= 13`. What does not is in the `failures` of an outcome. */
  readonly expect?: string | readonly string[]
  /** Refuse manifests whose pods need objects that no manifest contains, instead of assuming these objects. */
  readonly strict?: boolean
  /** The number of additional threads. Default: as many as are worth starting. */
  readonly workers?: number
  /** The share that is done, from 0 to 1. */
  onProgress?(share: number): void
}
