// Queues of lost nodes whose pods are to be evicted, one per zone, with a rate limit each.
// Kubernetes: pkg/controller/nodelifecycle/scheduler.RateLimitedTimedQueue.*, UniqueQueue.*

import type { Node, Stored } from '../../api/types.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import { getOrAdd } from '../../base/maps.ts'
import {
  type DisruptionPlan,
  isAllowed,
  isExcluded,
  limitAfterUse,
  limitAtRate,
  normalRate,
  planDisruption,
  type RateLimit,
  type ZoneState,
  zoneOf,
} from './plan/zones.ts'

interface ZoneQueuesOptions {
  readonly clock: Clock
  /** Called when the rate limit allows this node. Resolves to false if it has to be retried. */
  onDue(name: string): Promise<boolean>
}

interface Zone {
  limit: RateLimit
  ready: number
  notReady: number
  readonly waiting: Set<string>
}

interface Counted {
  readonly zone: string
  readonly isReady: boolean
  readonly isExcluded: boolean
}

const pumpDelayMs = 100
const retryMs = 100

export class ZoneQueues {
  readonly #options: ZoneQueuesOptions
  readonly #zones = new Map<string, Zone>()
  readonly #nodes = new Map<string, Counted>()
  #states: ReadonlyMap<string, ZoneState> = new Map()
  #isChanged = false
  #pumping: Promise<void> | undefined
  #cancel: CancelTimer = () => {}
  #isStopped = false

  constructor(options: ZoneQueuesOptions) {
    this.#options = options
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#pumping
  }

  /** Updates the counts with the current state of the node. */
  count(node: Stored<Node>, readyStatus: string | undefined): void {
    const { name } = node.metadata
    const next: Counted = { zone: zoneOf(node), isReady: readyStatus === 'True', isExcluded: isExcluded(node) }
    const before = this.#nodes.get(name)
    if (before?.zone === next.zone && before.isReady === next.isReady && before.isExcluded === next.isExcluded) return
    const isWaiting = before !== undefined && this.#zone(before.zone).waiting.has(name)
    this.remove(name)
    this.#nodes.set(name, next)
    this.#change(next, 1)
    if (isWaiting) this.add(name)
  }

  remove(name: string): void {
    const before = this.#nodes.get(name)
    if (before === undefined) return
    this.cancel(name)
    this.#nodes.delete(name)
    this.#change(before, -1)
  }

  add(name: string): void {
    const counted = this.#nodes.get(name)
    if (counted !== undefined) this.#zone(counted.zone).waiting.add(name)
  }

  cancel(name: string): void {
    const counted = this.#nodes.get(name)
    if (counted !== undefined) this.#zone(counted.zone).waiting.delete(name)
  }

  /** Updates the rates from the current state of the zones. */
  nextDisruption(): DisruptionPlan['fullDisruption'] {
    if (!this.#isChanged) return undefined
    this.#isChanged = false
    const counted = new Map([...this.#zones].filter(([, { ready, notReady }]) => ready + notReady > 0))
    const plan = planDisruption(this.#states, counted)
    this.#states = plan.states
    for (const [name, rate] of plan.rates) {
      const zone = this.#zone(name)
      zone.limit = limitAtRate(zone.limit, rate, this.#options.clock.now())
    }
    return plan.fullDisruption
  }

  /** Processes the queues after a short delay: NoSchedule taints are written first. */
  pumpSoon(): void {
    if (this.#isStopped) return
    this.#cancel()
    this.#cancel = this.#options.clock.after(pumpDelayMs, () => this.#pumpNow())
  }

  #pumpNow(): void {
    if (this.#pumping !== undefined || this.#isStopped) return
    this.#pumping = this.#pump().finally(() => {
      this.#pumping = undefined
    })
  }

  async #pump(): Promise<void> {
    const { clock, onDue } = this.#options
    this.#cancel()
    let nextMs = Number.POSITIVE_INFINITY
    for (const zone of this.#zones.values())
      for (const name of zone.waiting) {
        if (this.#isStopped) return
        if (!isAllowed(zone.limit, clock.now())) {
          if (zone.limit.rate > 0) nextMs = Math.min(nextMs, zone.limit.nextMs)
          break
        }
        zone.limit = limitAfterUse(zone.limit, clock.now())
        if (await onDue(name)) zone.waiting.delete(name)
        else nextMs = Math.min(nextMs, Math.max(zone.limit.nextMs, clock.now() + retryMs))
      }
    if (Number.isFinite(nextMs)) this.#cancel = clock.after(Math.max(0, nextMs - clock.now()), () => this.#pumpNow())
  }

  #zone(name: string): Zone {
    const limit = { rate: normalRate, nextMs: 0 }
    return getOrAdd(this.#zones, name, () => ({ limit, ready: 0, notReady: 0, waiting: new Set() }))
  }

  #change(counted: Counted, by: number): void {
    if (counted.isExcluded) return
    const zone = this.#zone(counted.zone)
    if (counted.isReady) zone.ready += by
    else zone.notReady += by
    this.#isChanged = true
  }
}
