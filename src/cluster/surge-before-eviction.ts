// Surge before eviction in a cluster of this process: the settings of its controllers, and its decision about requests.
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import type { Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { EvictionSettings } from '../controllers/deployment/deployment-controller.ts'
import { isReplacedBeforeEviction } from '../controllers/deployment/evictions.ts'
import { EvictionCounts } from '../controllers/eviction/eviction-counts.ts'
import { type EvictionRequest, type EvictionReview, reviewEviction } from '../controllers/eviction/review-eviction.ts'

interface SurgeBeforeEviction {
  readonly settings: EvictionSettings
  review(request: EvictionRequest): Promise<EvictionReview>
}

interface SurgeOptions {
  readonly gates: FeatureGates
  readonly clock: Clock
  readClient(): Client
}

/** `timeoutMs`: how long the eviction of a pod waits for its replacement. Undefined: evictions do not wait. */
export function surgeBeforeEviction(
  timeoutMs: number | undefined,
  { gates, clock, readClient }: SurgeOptions,
): SurgeBeforeEviction | undefined {
  if (timeoutMs === undefined) return undefined
  const isOptedIn = isReplacedBeforeEviction(gates)
  return {
    settings: { timeoutMs, counts: new EvictionCounts() },
    review: (request) => reviewEviction(readClient(), request, clock.now(), isOptedIn),
  }
}
