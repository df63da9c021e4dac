// The loop of every controller: take a key, reconcile it, and put it back when it failed or asked for it.
import type { Clock } from '../base/clock.ts'
import type { QueueMetrics } from './queue-metrics.ts'
import { WorkQueue } from './work-queue.ts'

export interface ControllerOptions {
  readonly name: string
  readonly clock: Clock
  /** Counts what the queue does, under `name`. */
  readonly queues?: QueueMetrics
  /** How many keys are worked on at a time. */
  readonly workers?: number
  /** Brings one object closer to what it should be. Throwing puts the key back after a growing delay. */
  reconcile(key: string): Promise<ReconcileResult | undefined>
  /** Told of every failure; a conflict is ordinary, anything else is worth a line in the log. */
  onFailure?(key: string, error: unknown, failures: number): void
}

export interface ReconcileResult {
  /** Look again after this time, although nothing may have changed. */
  readonly againAfterMs?: number
}

export interface Controller {
  readonly name: string
  readonly queue: WorkQueue
  /** Ends the loop; resolves when the work under way has ended. */
  stop(): Promise<void>
}

/** A controller as whoever started it sees it: the loop with everything that feeds it. */
export interface RunningController {
  /** Resolves when it has seen everything that was there at the start. */
  readonly synced: Promise<void>
  stop(): Promise<void>
}

// After so many keys, or so long, in one go the loop lets input and output have their turn: on a store in memory the work
// of one key may end, and the next begin, without the event loop having turned.
const keysInOneGo = 64
const longestGoMs = 10

export function startController({ name, clock, queues, workers = 1, reconcile, onFailure }: ControllerOptions): Controller {
  const queue = new WorkQueue({ clock, ...(queues && { observer: queues.observe(name) }) })
  let stopped = false
  let startedInThisGo = 0
  let goStartedAtMs = 0
  let pumpPending = false
  let onIdle: (() => void) | undefined

  const pump = () => {
    while (!stopped && queue.working < workers && mayGoOn()) {
      const key = queue.take()
      if (key === undefined) return
      startedInThisGo++
      void work(key)
    }
    if (queue.length > 0 && !mayGoOn()) schedulePump()
  }

  const mayGoOn = () => startedInThisGo < keysInOneGo && clock.now() - goStartedAtMs < longestGoMs

  // Work starts after the code that added the key has ended, never inside it.
  const schedulePump = () => {
    if (pumpPending || stopped) return
    pumpPending = true
    clock.after(0, () => {
      pumpPending = false
      startedInThisGo = 0
      goStartedAtMs = clock.now()
      pump()
    })
  }

  const work = async (key: string) => {
    try {
      const result = await reconcile(key)
      queue.forget(key)
      if (result?.againAfterMs !== undefined) queue.addAfter(key, result.againAfterMs)
    } catch (error) {
      if (!stopped) onFailure?.(key, error, queue.failures(key) + 1)
      queue.addAfterFailure(key)
    } finally {
      queue.done(key)
      if (stopped && queue.working === 0) onIdle?.()
      pump()
    }
  }

  queue.onReady = schedulePump
  return {
    name,
    queue,
    stop() {
      stopped = true
      queue.close()
      if (queue.working === 0) return Promise.resolve()
      return new Promise((resolve) => {
        onIdle = resolve
      })
    },
  }
}
