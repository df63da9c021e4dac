// Events live for an hour after they last happened, so that a cluster that runs for long does not drown in them.
import { coreEvents } from '../api/kinds.ts'
import { isStatusError } from '../api/status-error.ts'
import type { CoreEvent, Stored } from '../api/types.ts'
import type { CancelTimer, Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { RunningController } from '../runtime/controller.ts'
import { Informer, type Kept, keyOf, splitKey } from '../runtime/informer.ts'

export interface EventExpiryOptions {
  readonly client: Client
  readonly clock: Clock
  onFailure?(what: string, error: unknown): void
}

const lifeMs = 3_600_000
const sweepMs = 60_000

interface KeptEvent extends Kept {
  readonly atMs: number
}

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
  const expireAt = new Map<string, number>()
  const informer = new Informer<CoreEvent, KeptEvent>({
    client,
    clock,
    resource: coreEvents,
    keep: (event: Stored<CoreEvent>) => {
      const { name, namespace, uid, resourceVersion } = event.metadata
      return {
        metadata: { name, uid, resourceVersion, ...(namespace !== undefined && { namespace }) },
        atMs: eventTimeMs(event, clock.now()),
      }
    },
    onFailure: (error) => onFailure?.('event expiry: watching events', error),
  })
  informer.onChange((current, previous) => {
    const key = keyOf((current ?? previous)!)
    if (current === undefined) expireAt.delete(key)
    else expireAt.set(key, current.atMs + lifeMs)
  })

  let stopped = false
  let cancel: CancelTimer = () => {}
  const sweep = async () => {
    const now = clock.now()
    for (const [key, atMs] of expireAt) {
      if (stopped) return
      if (atMs > now) continue
      const { namespace, name } = splitKey(key)
      try {
        await client.delete(coreEvents, { name, ...(namespace !== undefined && { namespace }) })
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) onFailure?.(`event expiry: ${key}`, error)
      }
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
