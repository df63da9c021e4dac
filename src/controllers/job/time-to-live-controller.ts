// Deletes finished Jobs that have outlived their ttlSecondsAfterFinished, with their pods.
import { jobs as jobKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import { expiresAtMs } from '../../planners/job/time-to-live.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { CommonParts } from '../../runtime/controller-parts.ts'
import { keyOf, splitKey } from '../../runtime/informer.ts'

export type TtlControllerOptions = CommonParts

const usualWorkers = 5

export function startTtlController({
  client,
  clock,
  queues,
  informers,
  workers = usualWorkers,
  onFailure,
}: TtlControllerOptions): RunningController {
  const jobs = informers.get(jobKind)

  const controller = startController({
    queues,
    name: 'ttl_jobs_to_delete',
    clock,
    workers,
    async reconcile(key) {
      const cached = jobs.get(key)
      const atMs = cached === undefined ? undefined : expiresAtMs(cached)
      if (atMs === undefined) return undefined
      if (atMs > clock.now()) return { againAfterMs: atMs - clock.now() }
      try {
        // The copy may not know of a longer life yet.
        const fresh = await client.get(jobKind, splitKey(key))
        const freshAtMs = expiresAtMs(fresh)
        if (freshAtMs === undefined) return undefined
        if (freshAtMs > clock.now()) return { againAfterMs: freshAtMs - clock.now() }
        await client.delete(jobKind, splitKey(key), { propagationPolicy: 'Foreground', preconditions: { uid: fresh.metadata.uid } })
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
      }
      return undefined
    },
    onFailure: (key, error, failures) => {
      if (!isStatusError(error, 'Conflict') || failures >= 10) onFailure?.(`Job ${key} past its time to live`, error)
    },
  })

  jobs.onChange((current) => {
    if (current !== undefined && expiresAtMs(current) !== undefined) controller.queue.add(keyOf(current))
  })

  return { synced: jobs.synced, stop: () => controller.stop() }
}
