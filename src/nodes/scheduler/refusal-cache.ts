// Equivalent pods are refused for the same reasons: after one failed, the others are not tried until something changes. A thousand
// replicas that do not fit cost one search.
// Ours: a cache of decisions about equivalent pods.
import { claimsOf } from './pod-claims.ts'
import type { PodNeeds } from './pod-needs.ts'
import type { PluginName } from './refusals.ts'

export interface CachedRefusal {
  readonly message: string
  readonly plugins: ReadonlySet<PluginName> | undefined
}

export class RefusalCache {
  readonly #known = new Map<string, CachedRefusal>()
  #version = -1

  /** `version` increases with every change that may help. */
  find(needs: PodNeeds, version: number): CachedRefusal | undefined {
    if (version !== this.#version || this.#known.size === 0 || !isCacheable(needs)) return undefined
    return this.#known.get(equivalenceKey(needs))
  }

  add(needs: PodNeeds, version: number, refusal: CachedRefusal): void {
    if (!isCacheable(needs)) return
    if (version !== this.#version) this.#known.clear()
    this.#version = version
    this.#known.set(equivalenceKey(needs), refusal)
  }
}

/**
 * Excludes pods with rules about other pods, which the placement of any pod may satisfy without a new version, and pods with
 * claims, which are individual.
 */
const isCacheable = ({ spread, affinity, pod }: PodNeeds) =>
  spread.hard.length === 0 && affinity.required.length === 0 && claimsOf(pod).length === 0

function equivalenceKey({ traits, priority, requests, ports, pod: { spec } }: PodNeeds): string {
  const { cpu, memory, storage, scalars } = requests
  const amounts = [cpu, memory, storage, ...(scalars ?? [])]
  return JSON.stringify([
    traits.key,
    priority,
    amounts,
    ports,
    spec?.preemptionPolicy,
    spec?.tolerations,
    spec?.nodeSelector,
    spec?.affinity,
  ])
}
