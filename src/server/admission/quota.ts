// ResourceQuota enforcement. Usage is computed from the store plus reservations for requests that are not stored yet: two
// requests never get the same last unit, and a failed request leaks nothing.
//
// Kubernetes charges the quota's status instead, which its controller corrects later. Here the status is informational, and a
// quota is enforced from the moment it is stored.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/resourcequota.QuotaAdmission.Validate, quotaEvaluator.checkQuotas
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/resourcequota.quotaEvaluator.checkRequest
import { addUsage, planCharges } from '../../api/kinds/core/resource-quota/admission.ts'
import { isQuotaFor, type QuotaMeasure, quotaMeasureOf } from '../../api/kinds/core/resource-quota/measures.ts'
import { kinds, resourceQuotas } from '../../api/kinds.ts'
import { compareNames } from '../../api/machinery/compare-names.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, ResourceQuota } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { getOrAdd, SetMap } from '../../base/maps.ts'
import { addQuantities, type Quantity, subtractQuantities, zeroQuantity } from '../../base/quantity.ts'
import type { Store, StoredRecord } from '../../store/store.ts'

type Amounts = ReadonlyMap<string, Quantity>

interface QuotaSource {
  readonly store: Store
  readonly clock: Clock
  read(kind: Kind, record: StoredRecord): KubernetesObject
  /** The key prefix of a kind, with a slash at the end. */
  prefixOf(kind: Kind, namespace: string): string
}

interface QuotaCharge {
  readonly kind: Kind
  readonly namespace: string
  /** The key of the object in the store. */
  readonly key: string
  readonly object: KubernetesObject
  readonly current?: KubernetesObject
  readonly subresource?: string | undefined
  readonly dryRun?: boolean | undefined
}

type ChargeResult = { readonly refusal: string } | { release(): void }

export class Quotas {
  readonly #source: QuotaSource
  /** The quotas of each namespace by name. Read once, then updated by a watch. */
  #byNamespace: Map<string, Map<string, Ledger>> | undefined

  constructor(source: QuotaSource) {
    this.#source = source
  }

  isEmpty(namespace: string): boolean {
    return !this.#known().has(namespace)
  }

  /** Undefined when no quota applies. Otherwise a refusal, or a reservation until `release`. */
  charge({ kind, namespace, key, object, current, subresource, dryRun }: QuotaCharge): ChargeResult | undefined {
    const ledgers = this.#known().get(namespace)
    if (ledgers === undefined) return undefined
    const measure = quotaMeasureOf(kind)
    if (measure === undefined || (current !== undefined && !measure.isChargedOnUpdate(object, current, subresource))) return undefined
    const nowMs = this.#source.clock.now()
    const all = [...ledgers.values()].filter((ledger) => ledger.limits(measure)).sort((a, b) => compareNames(a.quota, b.quota))
    if (all.length === 0) return undefined
    const states = all.map((ledger) => ({ quota: ledger.quota, used: ledger.used(nowMs) }))
    const verdict = planCharges(states, { measure, object, nowMs, ...(current && { current }) })
    if ('refusal' in verdict) return verdict
    if (dryRun) return undefined
    const releases = verdict.charges.flatMap((amounts, index) => (amounts === undefined ? [] : [all[index]!.reserve(key, amounts)]))
    if (releases.length === 0) return undefined
    return {
      release() {
        for (const release of releases) release()
      },
    }
  }

  #known(): Map<string, Map<string, Ledger>> {
    this.#byNamespace ??= this.#readAll()
    return this.#byNamespace
  }

  #readAll(): Map<string, Map<string, Ledger>> {
    const { store } = this.#source
    const byNamespace = new Map<string, Map<string, Ledger>>()
    const prefix = this.#source.prefixOf(resourceQuotas, '')
    const { records, revision } = store.list(prefix)
    for (const record of records) this.#put(byNamespace, record)
    store.watch(prefix, revision, (events) => {
      for (const { type, record } of events)
        if (type === 'put') this.#put(byNamespace, record)
        else this.#remove(byNamespace, record)
    })
    return byNamespace
  }

  #put(byNamespace: Map<string, Map<string, Ledger>>, record: StoredRecord): void {
    const quota = this.#source.read(resourceQuotas, record) as ResourceQuota
    const { namespace = '', name = '' } = quota.metadata ?? {}
    const ledgers = getOrAdd(byNamespace, namespace, () => new Map<string, Ledger>())
    const known = ledgers.get(name)
    if (known === undefined) ledgers.set(name, new Ledger(this.#source, namespace, quota))
    else known.replace(quota)
  }

  #remove(byNamespace: Map<string, Map<string, Ledger>>, record: StoredRecord): void {
    const { namespace = '', name = '' } = this.#source.read(resourceQuotas, record).metadata ?? {}
    const ledgers = byNamespace.get(namespace)
    ledgers?.get(name)?.close()
    ledgers?.delete(name)
    if (ledgers?.size === 0) byNamespace.delete(namespace)
  }
}

interface Entry {
  readonly kind: Kind
  readonly measure: QuotaMeasure
  readonly amounts: Amounts
}

/** The usage of one quota, computed when the first request needs it. */
class Ledger {
  readonly #source: QuotaSource
  readonly #namespace: string
  #quota: ResourceQuota
  /** The serialized spec, to recognise changes of the status alone. */
  #rules: string
  #isOpen = false
  readonly #used = new Map<string, Quantity>()
  readonly #entries = new Map<string, Entry>()
  readonly #reservations = new SetMap<string, Amounts>()
  /** When the usage of an object changes with time, by key; and the next such time. */
  readonly #timedChanges = new Map<string, number>()
  #nextChangeMs = Number.POSITIVE_INFINITY
  #closeWatches: (() => void)[] = []

  constructor(source: QuotaSource, namespace: string, quota: ResourceQuota) {
    this.#source = source
    this.#namespace = namespace
    this.#quota = quota
    this.#rules = JSON.stringify(quota.spec ?? {})
  }

  get quota(): ResourceQuota {
    return this.#quota
  }

  limits(measure: QuotaMeasure): boolean {
    return Object.keys(this.#quota.spec?.hard ?? {}).some(measure.tracks)
  }

  replace(quota: ResourceQuota): void {
    const rules = JSON.stringify(quota.spec ?? {})
    this.#quota = quota
    if (rules === this.#rules) return
    this.#rules = rules
    this.close()
  }

  close(): void {
    for (const close of this.#closeWatches) close()
    this.#closeWatches = []
    this.#isOpen = false
    this.#used.clear()
    this.#entries.clear()
    this.#timedChanges.clear()
    this.#nextChangeMs = Number.POSITIVE_INFINITY
  }

  /** The usage of every resource that the quota limits. */
  used(nowMs: number): Amounts {
    if (!this.#isOpen) this.#open(nowMs)
    if (nowMs >= this.#nextChangeMs) this.#applyTimedChanges(nowMs)
    return this.#used
  }

  /** Counts the amounts as used until the object is stored or the request has failed. */
  reserve(key: string, amounts: Amounts): () => void {
    this.#reservations.add(key, amounts)
    this.#add(amounts)
    return () => {
      if (!this.#reservations.get(key)?.has(amounts)) return
      this.#reservations.remove(key, amounts)
      this.#subtract(amounts)
    }
  }

  #open(nowMs: number): void {
    this.#isOpen = true
    const { store } = this.#source
    for (const kind of kinds) {
      const measure = quotaMeasureOf(kind)
      if (measure === undefined || !this.limits(measure)) continue
      addUsage(this.#used, this.#quota, measure, [], nowMs)
      const prefix = this.#source.prefixOf(kind, this.#namespace)
      const { records, revision } = store.list(prefix)
      for (const record of records) this.#setUsage(kind, measure, record.key, this.#source.read(kind, record), nowMs)
      this.#closeWatches.push(
        store.watch(prefix, revision, (events) => {
          const eventMs = this.#source.clock.now()
          for (const { type, record } of events) {
            // The object of that key is stored and counted itself.
            for (const amounts of this.#reservations.take(record.key)) this.#subtract(amounts)
            this.#setUsage(kind, measure, record.key, type === 'put' ? this.#source.read(kind, record) : undefined, eventMs)
          }
        }),
      )
    }
    for (const reservations of this.#reservations.values()) for (const amounts of reservations) this.#add(amounts)
  }

  #setUsage(kind: Kind, measure: QuotaMeasure, key: string, object: KubernetesObject | undefined, nowMs: number): void {
    const before = this.#entries.get(key)
    if (before !== undefined) this.#subtract(before.amounts)
    if (object === undefined || !isQuotaFor(this.#quota, measure, object)) {
      this.#entries.delete(key)
      this.#timedChanges.delete(key)
      return
    }
    const usage = measure.usage(object, nowMs)
    const amounts = new Map<string, Quantity>()
    for (const name of this.#used.keys()) {
      const amount = usage.get(name)
      if (amount !== undefined) amounts.set(name, amount)
    }
    this.#add(amounts)
    this.#entries.set(key, { kind, measure, amounts })
    const changesAtMs = measure.changesAtMs(object)
    if (changesAtMs > nowMs && changesAtMs < Number.POSITIVE_INFINITY) {
      this.#timedChanges.set(key, changesAtMs)
      this.#nextChangeMs = Math.min(this.#nextChangeMs, changesAtMs)
    } else this.#timedChanges.delete(key)
  }

  #applyTimedChanges(nowMs: number): void {
    this.#nextChangeMs = Number.POSITIVE_INFINITY
    for (const [key, atMs] of [...this.#timedChanges]) {
      if (atMs > nowMs) {
        this.#nextChangeMs = Math.min(this.#nextChangeMs, atMs)
        continue
      }
      const { kind, measure } = this.#entries.get(key)!
      const record = this.#source.store.get(key)
      this.#setUsage(kind, measure, key, record && this.#source.read(kind, record), nowMs)
    }
  }

  #add(amounts: Amounts): void {
    for (const [name, amount] of amounts) this.#used.set(name, addQuantities(this.#used.get(name) ?? zeroQuantity, amount))
  }

  #subtract(amounts: Amounts): void {
    if (!this.#isOpen) return
    for (const [name, amount] of amounts) this.#used.set(name, subtractQuantities(this.#used.get(name) ?? zeroQuantity, amount))
  }
}
