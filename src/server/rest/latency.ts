// The latency of a real server, whose writes go to etcd. Shares of the time that a write takes, as measured on kube-apiserver:
//   0     the write arrives
//   3/4   it is stored
//   1     watchers observe it, and then the client has its answer
// A read takes seven tenths, and then sees the writes that are under way: etcd answers it when it has applied what was proposed before.
// Ours: the latency of a real server, as a fault.
import type { Clock } from '../../base/clock.ts'
import type { Rest, WatchEvent } from './rest.ts'

const storedShare = 0.75
const readShare = 0.7
/** A read does not wait longer for a write: it may come from a webhook that the write waits for. */
const maxWaitShare = 2

/**
 * The time between the mark of a deletion and the removal. A controller that reacts to the mark with a write has made it before the client
 * has its answer, as with a real server.
 */
export const betweenWritesMs = (latencyMs: number): number => 3 * latencyMs

interface Latency {
  /** The verbs with the latency. The order of writes and of the events of a watch stays. */
  readonly rest: Rest
  /** Resolves when a read that arrives now may be answered. */
  beforeRead(): Promise<void>
}

export function addLatency(rest: Rest, clock: Clock, ms: number): Latency {
  const pause = (share: number) => new Promise<void>((resolve) => void clock.after(ms * share, resolve))
  const underWay = new Set<Promise<unknown>>()
  const later =
    <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const stored = pause(storedShare).then(() => write(...given))
      underWay.add(stored)
      try {
        return await stored
      } finally {
        underWay.delete(stored)
        await pause(1 - storedShare)
      }
    }
  return {
    rest: {
      ...rest,
      create: later(rest.create),
      update: later(rest.update),
      patch: later(rest.patch),
      delete: later(rest.delete),
      deleteCollection: later(rest.deleteCollection),
      createSubresource: later(rest.createSubresource),
      watch(kind, namespace, query, listener) {
        let isOpen = true
        // The initial events are there at once, as from a cache.
        let isStarting = true
        const close = rest.watch(kind, namespace, query, {
          ...listener,
          onEvents(events: readonly WatchEvent[]) {
            if (isStarting) listener.onEvents(events)
            else clock.after(ms * (1 - storedShare), () => isOpen && listener.onEvents(events))
          },
        })
        isStarting = false
        return () => {
          isOpen = false
          close()
        }
      },
    },
    async beforeRead() {
      await pause(readShare)
      if (underWay.size > 0) await Promise.race([Promise.allSettled(underWay), pause(maxWaitShare)])
    },
  }
}
