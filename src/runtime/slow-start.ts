// Sends many requests that may all fail for the same reason, such as a quota: few at first, then in growing batches.
// Kubernetes: pkg/controller/replicaset.slowStartBatch

interface SlowStartResult {
  readonly successes: number
  /** The first failure. Requests after that batch were not sent. */
  readonly error?: unknown
}

/** Runs `run` `count` times, in batches of 1, 2, 4, …, each batch at once; stops after a batch with a failure. */
export async function runSlowStart(count: number, run: (index: number) => Promise<unknown>): Promise<SlowStartResult> {
  let started = 0
  let successes = 0
  for (let size = Math.min(1, count); size > 0; size = Math.min(2 * size, count - started)) {
    const batch: Promise<unknown>[] = []
    for (let i = 0; i < size; i++) batch.push(run(started++))
    const failures: unknown[] = []
    for (const result of await Promise.allSettled(batch)) {
      if (result.status === 'fulfilled') successes++
      else failures.push(result.reason)
    }
    if (failures.length > 0) return { successes, error: failures[0] }
  }
  return { successes }
}
