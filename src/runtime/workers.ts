// The workers of a controller: each takes a key from the queue, reconciles it, and puts it back when it failed or requested
// a requeue.
// Ours: one loop for the workers of every controller.
import type { Clock } from '../base/clock.ts'
import type { QueueMetrics } from './queue-metrics.ts'
import { WorkQueue } from './work-queue.ts'

interface WorkersOptions {
  readonly name: string
  readonly clock: Clock
  /** Counts what the queue does, under `name`. */
  readonly queues?: QueueMetrics | undefined
  /** How many keys are reconciled at a time. Default: 1. */
  readonly workers?: number
  /** How long after a reconcile the next one of the same key begins at the earliest. Default: 0. */
  readonly minIntervalMs?: number | undefined
  readonly retryDelays?: RetryDelays
  /** A rejection puts the key back after a delay that grows with each failure. */
  reconcile(key: string): Promise<ReconcileResult | undefined>
  /** Called for every failure, conflicts included. `failures` counts those in a row. */
  onFailure?(key: string, error: unknown, failures: number): void
}

/** How long a key waits after a failure: `firstMs`, and twice as long after each further one, up to `maxMs`. Default: 5 ms and 1000 s. */
export interface RetryDelays {
  readonly firstMs: number
  readonly maxMs: number
}

export interface ReconcileResult {
  /** Reconcile again after this time, even if nothing changes until then. */
  readonly requeueAfterMs?: number
}

/** A requeue at a moment, which may have passed; none for undefined. */
export const requeueAt = (atMs: number | undefined, clock: Clock): ReconcileResult | undefined =>
  atMs === undefined ? undefined : { requeueAfterMs: Math.max(atMs - clock.now(), 0) }

interface Workers {
  readonly queue: WorkQueue
  /** Takes no more keys; resolves when the reconciles under way have ended. */
  stop(): Promise<void>
}

// Limits of one batch. Between two batches the event loop runs, so that I/O is served: on a store in memory, keys may be
// reconciled one after the other without a single turn of the event loop.
const maxKeysPerBatch = 64
const maxBatchMs = 10

export function startWorkers(options: WorkersOptions): Workers {
  const { name, clock, queues, workers = 1, minIntervalMs = 0, retryDelays, reconcile, onFailure } = options
  const queue = new WorkQueue({
    clock,
    minIntervalMs,
    ...(retryDelays && { firstDelayMs: retryDelays.firstMs, maxDelayMs: retryDelays.maxMs }),
    ...(queues && { observer: queues.observe(name) }),
  })
  let stopped = false
  let startedInBatch = 0
  let batchStartedAtMs = 0
  let pumpPending = false
  let onIdle: (() => void) | undefined

  const pump = () => {
    while (!stopped && queue.working < workers && queue.length > 0) {
      if (!mayContinue()) return schedulePump()
      startedInBatch++
      void work(queue.take()!)
    }
  }

  const mayContinue = () => startedInBatch === 0 || (startedInBatch < maxKeysPerBatch && clock.now() - batchStartedAtMs < maxBatchMs)

  // A reconcile never starts inside the call that added its key.
  const schedulePump = () => {
    if (pumpPending || stopped) return
    pumpPending = true
    clock.after(0, () => {
      pumpPending = false
      startedInBatch = 0
      batchStartedAtMs = clock.now()
      pump()
    })
  }

  const work = async (key: string) => {
    try {
      const result = await reconcile(key)
      queue.forget(key)
      if (result?.requeueAfterMs !== undefined) queue.addAfter(key, result.requeueAfterMs)
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
