// Events live for an hour after they last happened, so that a cluster that runs for long does not drown in them.
import { coreEvents } from '../api/kinds.ts'
import { isStatusError } from '../api/status-error.ts'
import type { CoreEvent } from '../api/types.ts'
import type { CancelTimer, Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { RunningController } from '../runtime/controller.ts'
import { Informer, keyOf, splitKey } from '../runtime/informer.ts'

export interface EventExpiryOptions {
  readonly client: Client
  readonly clock: Clock
  onFailure?(what: string, error: unknown): void
}

const lifeMs = 3_600_000
const sweepMs = 60_000

/** When the event was last written, as far as it tells. */
export function eventTimeMs({ metadata, lastTimestamp, eventTime, series }: CoreEvent, nowMs: number): number {
  for (const time of [series?.lastObservedTime, lastTimestamp, eventTime, metadata?.creationTimestamp]) {
    const ms = time ? Date.parse(time) : Number.NaN
    // An event may claim any time; one that claims the far past or future lives from its creation.
    if (ms <= nowMs && ms > nowMs - lifeMs) return ms
  }
  return metadata?.creationTimestamp ? Math.min(Date.parse(metadata.creationTimestamp), nowMs) : nowMs
}

export function startEventExpiry({ client, clock, onFailure }: EventExpiryOptions): RunningController {
  const due = new DueKeys()
  const informer = new Informer<CoreEvent>({
    client,
    clock,
    resource: coreEvents,
    keepsNothing: true,
    onFailure: (error) => onFailure?.('event expiry: watching events', error),
  })
  informer.onChange((event) => {
    if (event !== undefined) due.add(keyOf(event), eventTimeMs(event, clock.now()) + lifeMs)
  })

  let stopped = false
  let cancel: CancelTimer = () => {}
  const expire = async (key: string) => {
    const { namespace, name } = splitKey(key)
    const ref = { name, ...(namespace !== undefined && { namespace }) }
    try {
      const event = await client.get(coreEvents, ref)
      // It has happened again since; then it was added again.
      if (eventTimeMs(event, clock.now()) + lifeMs > clock.now()) return
      await client.delete(coreEvents, ref)
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) {
        onFailure?.(`event expiry: ${key}`, error)
        due.add(key, clock.now() + sweepMs)
      }
    }
  }
  const sweep = async () => {
    for (const key of due.take(clock.now())) {
      if (stopped) return
      await expire(key)
    }
  }
  const schedule = () => {
    cancel = clock.after(sweepMs, () => void sweep().finally(() => stopped || schedule()))
  }
  informer.start()
  schedule()
  return {
    synced: informer.synced,
    async stop() {
      stopped = true
      cancel()
      informer.stop()
    },
  }
}

const keysATime = 256

/**
 * Keys by the minute in which they are due. There may be half a million of them, so that they are kept in long texts, and one
 * that is due later than it was stays where it is as well.
 */
export class DueKeys {
  readonly #minutes = new Map<number, { readonly texts: string[]; keys: string[] }>()

  add(key: string, atMs: number): void {
    const minute = Math.ceil(atMs / sweepMs)
    let kept = this.#minutes.get(minute)
    if (kept === undefined) {
      kept = { texts: [], keys: [] }
      this.#minutes.set(minute, kept)
    }
    kept.keys.push(key)
    if (kept.keys.length < keysATime) return
    kept.texts.push(kept.keys.join('\n'))
    kept.keys = []
  }

  /** Those that are due, once. */
  *take(nowMs: number): Generator<string> {
    for (const [minute, { texts, keys }] of [...this.#minutes].sort(([a], [b]) => a - b)) {
      if (minute * sweepMs > nowMs) return
      this.#minutes.delete(minute)
      for (const text of texts) yield* text.split('\n')
      yield* keys
    }
  }
}
