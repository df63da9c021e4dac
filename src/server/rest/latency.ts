// The latency of a real server, whose writes go to etcd: a write takes a while, and watchers observe it a little later.
import type { Clock } from '../../base/clock.ts'
import type { Rest, WatchEvent } from './rest.ts'

/** Watchers are much closer to a real server than etcd. */
const watchShare = 0.25

/**
 * The time between the mark of a deletion and the removal. A controller that reacts to the mark with a write has made it before the client
 * has its answer, as with a real server.
 */
export const betweenWritesMs = (latencyMs: number): number => 3 * latencyMs

/** The order of writes and of the events of a watch stays. */
export function addLatency(rest: Rest, clock: Clock, ms: number): Rest {
  const pause = () => new Promise<void>((resolve) => clock.after(ms, resolve))
  const later =
    <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      await pause()
      return write(...given)
    }
  return {
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
          else clock.after(ms * watchShare, () => isOpen && listener.onEvents(events))
        },
      })
      isStarting = false
      return () => {
        isOpen = false
        close()
      }
    },
  }
}
