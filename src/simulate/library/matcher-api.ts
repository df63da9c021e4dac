// The public interface of the matchers. Types only.
import type { ObjectCalls, TestCluster, UntilOptions, WorkloadName } from './cluster-api.ts'

export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

export interface CapOptions {
  /** Default `default`. */
  readonly namespace?: string
}

export interface AvailableOptions extends CapOptions {
  /** Default 5m of cluster time. */
  readonly within?: NonNullable<UntilOptions['within']>
}

/** What the matchers need of a cluster. A server of `startServer` has no `peakOverCap`, and can only become available. */
export type MatchedCluster = Pick<ObjectCalls, 'get' | 'list'> & Pick<TestCluster, 'now' | 'until' | 'peakOverCap'>

/** The functions that `expect.extend` takes. A type and not an interface: `extend` takes objects with any names. */
export type Matchers = {
  toKeepCap(cluster: Pick<MatchedCluster, 'peakOverCap'>, workload: WorkloadName, options?: CapOptions): MatcherResult
  toBecomeAvailable(
    cluster: Pick<MatchedCluster, 'get' | 'list' | 'now' | 'until'>,
    workload: WorkloadName,
    options?: AvailableOptions,
  ): Promise<MatcherResult>
}

/** The matchers as they are called: `await expect(cluster).toBecomeAvailable('deployment/web')`. */
export interface ClusterMatchers<R = Promise<void>> {
  /** The workload never had more pods, terminating ones included, than its cap: replicas + maxSurge for a Deployment. Reads the run so far. */
  toKeepCap(workload: WorkloadName, options?: CapOptions): R
  /** Advances time until every desired pod of the workload has the current template and is available. */
  toBecomeAvailable(workload: WorkloadName, options?: AvailableOptions): Promise<void>
}
