// Pods that are all alike fail alike: after one of them has found no place, the others need not look until something
// has changed. A thousand replicas that do not fit cost one search.
import { claimsOf } from './claims.ts'
import type { PodNeeds } from './pod-needs.ts'
import type { Rule } from './verdicts.ts'

export interface KnownRefusal {
  readonly message: string
  readonly rules: ReadonlySet<Rule> | undefined
}

export class RepeatedRefusals {
  readonly #known = new Map<string, KnownRefusal>()
  #version = -1

  /** `version` moves on with every change that may help. */
  find(needs: PodNeeds, version: number): KnownRefusal | undefined {
    if (version !== this.#version || this.#known.size === 0 || !isRepeatable(needs)) return undefined
    return this.#known.get(likenessOf(needs))
  }

  add(needs: PodNeeds, version: number, refusal: KnownRefusal): void {
    if (!isRepeatable(needs)) return
    if (version !== this.#version) this.#known.clear()
    this.#version = version
    this.#known.set(likenessOf(needs), refusal)
  }
}

/** Rules about other pods may be met by the next pod that finds its place, which is no change of the version. Claims are each pod's own. */
const isRepeatable = ({ spread, affinity, pod }: PodNeeds) =>
  spread.hard.length === 0 && affinity.required.length === 0 && claimsOf(pod).length === 0

function likenessOf({ look, priority, requests, ports, pod: { spec } }: PodNeeds): string {
  const { cpu, memory, storage, scalars } = requests
  const amounts = [cpu, memory, storage, ...(scalars ?? [])]
  return JSON.stringify([look.key, priority, amounts, ports, spec?.preemptionPolicy, spec?.tolerations, spec?.nodeSelector, spec?.affinity])
}
