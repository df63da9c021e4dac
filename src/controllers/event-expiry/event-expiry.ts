// Deletes Events an hour after their last occurrence, as in Kubernetes, and the oldest ones earlier when there are too many, to
// bound the memory of a long-running cluster.
// Ours: kube-apiserver gives Events a lease of etcd, which this store does not have.

import { coreEvents } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { CoreEvent } from '../../api/types.ts'
import type { CancelTimer } from '../../base/clock.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import { Informer } from '../../runtime/informer.ts'
import type { ControllerDefinition } from '../controller-definition.ts'

type EventExpiryParts = Pick<CommonParts, 'client' | 'clock' | 'onFailure'>

const ttlMs = 3_600_000
const sweepIntervalMs = 60_000
const maxEvents = 20_000
/** The fraction by which the limit may be exceeded before the oldest are deleted: selecting them is expensive. */
const slack = 0.05
const maxConcurrentDeletes = 64

/** When the event last occurred. */
export function eventTimeMs({ metadata, lastTimestamp, eventTime, series }: CoreEvent, nowMs: number): number {
  for (const time of [series?.lastObservedTime, lastTimestamp, eventTime, metadata?.creationTimestamp]) {
    const ms = time ? Date.parse(time) : Number.NaN
    // Clients may set any time; implausible ones are ignored.
    if (ms <= nowMs && ms > nowMs - ttlMs) return ms
  }
  return metadata?.creationTimestamp ? Math.min(Date.parse(metadata.creationTimestamp), nowMs) : nowMs
}

export const eventExpiry: ControllerDefinition = {
  name: 'event-expiry',
  start: startEventExpiry,
}

function startEventExpiry({ client, clock, onFailure }: EventExpiryParts): RunningController {
  const known = new EventTimes()
  let stopped = false
  let cancel: CancelTimer = () => {}
  let sweeping: Promise<void> | undefined

  const informer = new Informer<CoreEvent>({
    client,
    clock,
    resource: coreEvents,
    withoutCache: true,
    onFailure: (error) => onFailure?.('event expiry: watching events', error),
  })
  informer.onChange((event, last) => {
    if (event !== undefined) known.set(event.metadata.namespace ?? '', event.metadata.name!, eventTimeMs(event, clock.now()))
    else if (last !== undefined) known.delete(last.metadata.namespace ?? '', last.metadata.name!)
    if (known.size > maxEvents * (1 + slack)) sweep()
  })

  const expire = async ({ namespace, name, timeMs }: TimedEvent) => {
    const ref = { namespace, name }
    try {
      const nowTimeMs = eventTimeMs(await client.get(coreEvents, ref), clock.now())
      if (nowTimeMs <= timeMs) await client.delete(coreEvents, ref)
      // It has occurred again.
      else known.set(namespace, name, nowTimeMs)
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return
      onFailure?.(`event expiry: ${namespace}/${name}`, error)
      known.set(namespace, name, timeMs)
    }
  }
  const runSweep = async () => {
    const due = known.take(clock.now() - ttlMs, maxEvents)
    for (let start = 0; start < due.length && !stopped; start += maxConcurrentDeletes) {
      await Promise.all(due.slice(start, start + maxConcurrentDeletes).map(expire))
    }
  }
  const sweep = () => {
    sweeping ??= runSweep().finally(() => {
      sweeping = undefined
    })
  }
  const schedule = () => {
    cancel = clock.after(sweepIntervalMs, () => {
      sweep()
      if (!stopped) schedule()
    })
  }
  informer.start()
  schedule()
  return {
    synced: informer.synced,
    async stop() {
      stopped = true
      cancel()
      informer.stop()
      await sweeping
    },
  }
}

export interface TimedEvent {
  readonly namespace: string
  readonly name: string
  readonly timeMs: number
}

/** The time of the last occurrence of each event. */
export class EventTimes {
  readonly #namespaces = new Map<string, Map<string, number>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  set(namespace: string, name: string, timeMs: number): void {
    const times = getOrAdd(this.#namespaces, namespace, () => new Map())
    this.#size -= times.size
    times.set(name, timeMs)
    this.#size += times.size
  }

  delete(namespace: string, name: string): void {
    const times = this.#namespaces.get(namespace)
    if (!times?.delete(name)) return
    this.#size--
    if (times.size === 0) this.#namespaces.delete(namespace)
  }

  /**
   * Removes and returns the events up to `endMs`, and the oldest of the others until `max` are left. A namespace with fewer events
   * than its share of `max` loses none because of others with more.
   */
  take(endMs: number, max: number): TimedEvent[] {
    const taken: TimedEvent[] = []
    const takeFrom = (namespace: string, name: string, timeMs: number) => {
      taken.push({ namespace, name, timeMs })
      this.delete(namespace, name)
    }
    for (const [namespace, times] of [...this.#namespaces]) {
      for (const [name, timeMs] of times) if (timeMs <= endMs) takeFrom(namespace, name, timeMs)
    }
    if (this.#size <= max) return taken
    const share = largestShare(
      [...this.#namespaces.values()].map(({ size }) => size),
      max,
    )
    for (const [namespace, times] of [...this.#namespaces]) {
      if (times.size <= share) continue
      const oldestFirst = [...times].sort(([, a], [, b]) => a - b)
      for (const [name, timeMs] of oldestFirst.slice(0, times.size - share)) takeFrom(namespace, name, timeMs)
    }
    return taken
  }
}

/** The largest share for which the sizes, each reduced to the share if larger, add up to at most `max`. */
function largestShare(sizes: readonly number[], max: number): number {
  let left = max
  const ascending = [...sizes].sort((a, b) => a - b)
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at))
    if (size > share) return share
    left -= size
  }
  return max
}
