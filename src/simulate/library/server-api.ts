// The public interface of `startServer()`. Types only.
import type { Duration } from '../../base/duration.ts'
import type { Client } from '../../client/client.ts'
import type { Fault, FaultOrder } from '../../cluster/faults/fault-types.ts'
import type { CreateClusterOptions, ObjectCalls, UntilOptions } from './cluster-api.ts'

export interface StartServerOptions
  extends Pick<CreateClusterOptions, 'from' | 'nodes' | 'autoscale' | 'stages' | 'missingImages' | 'gates' | 'startTime'> {
  /**
   * `real`: time runs, `speed` times as fast as the wall clock. `virtual`: time is paused, and advances in `advance` and `until` only.
   * Default real.
   */
  readonly time?: 'real' | 'virtual'
  /** For real time. Default 1. */
  readonly speed?: number
  /** Default: random. */
  readonly seed?: number
  /** Default 0: any free port. */
  readonly port?: number
  /** Whether the pacer runs, for workloads and namespaces that opt in. Default false. */
  readonly pacer?: boolean
  /** Keeps credentials and objects here for the next start. Default: a temporary folder and objects in memory, until `stop`. */
  readonly dataDir?: string
  /** Called with one line for each failure inside the cluster. Default: failures are ignored. */
  log?(line: string): void
}

/** For virtual time, where controllers outside the process take part. */
export interface JoinOptions {
  /** Time advances by this much at once. Default: to the next event. */
  readonly step?: Duration
  /** How long a controller outside the process may react after each step, in milliseconds of the wall clock. Default 0. */
  readonly waitMs?: number
}

/** A cluster with a real port, for clients and controllers in any language. */
export interface TestServer extends ObjectCalls, AsyncDisposable {
  /** `https://127.0.0.1:41234`. */
  readonly url: string
  readonly port: number
  /** A bearer token of an administrator. */
  readonly token: string
  /** The path of a kubeconfig. */
  readonly kubeconfig: string
  /** The environment of this process, and KUBECONFIG: for the processes that a test starts. */
  readonly env: Readonly<Record<string, string>>
  /** Every verb of the API, inside the process. */
  readonly client: Client
  /** Milliseconds since 1970, in cluster time. */
  now(): number
  /** Resolves when that much cluster time has passed. */
  advance(duration: Duration, options?: JoinOptions): Promise<void>
  /** Resolves when the condition returns a truthy value, and returns it. Rejects after `within` (default 5m) of cluster time. */
  until<T>(condition: () => T | Promise<T>, options?: UntilOptions & JoinOptions): Promise<Exclude<T, undefined | null | false | 0 | ''>>
  /** Injects a fault, as `rollcall chaos` does: `{ target: 'client', agents: ['my-operator'], action: 'hold', kinds: ['pods'] }`. */
  fault(order: FaultOrder): Promise<Fault | undefined>
  /** The active faults. */
  faults(): readonly Fault[]
  /** Ends the fault of that id, or all of them. */
  endFaults(id?: string): Promise<void>
  stop(): Promise<void>
}
