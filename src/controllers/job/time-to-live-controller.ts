// Deletes finished Jobs, with their pods, when their ttlSecondsAfterFinished has expired.
// Kubernetes: pkg/controller/ttlafterfinished.Controller.processJob, Controller.processTTL
import { jobs as jobKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import { buildController } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import { splitKey } from '../../runtime/informer.ts'
import { expiresAtMs } from './plan/time-to-live.ts'

export function startTtlController(options: CommonParts): RunningController {
  const { clock } = options
  return buildController(options, {
    name: 'ttl_jobs_to_delete',
    for: jobKind,
    delayOf: (job) => (expiresAtMs(job) === undefined ? undefined : 0),
    workers: 5,
    async reconcile(cached, { key, client }) {
      const atMs = expiresAtMs(cached)
      if (atMs === undefined) return undefined
      if (atMs > clock.now()) return { requeueAfterMs: atMs - clock.now() }
      try {
        // The time to live may have been extended, and the cache may not have observed it yet.
        const fresh = await client.get(jobKind, splitKey(key))
        const freshAtMs = expiresAtMs(fresh)
        if (freshAtMs === undefined) return undefined
        if (freshAtMs > clock.now()) return { requeueAfterMs: freshAtMs - clock.now() }
        await client.delete(jobKind, splitKey(key), { propagationPolicy: 'Foreground', preconditions: { uid: fresh.metadata.uid } })
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
      }
      return undefined
    },
  })
}
