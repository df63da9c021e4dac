// The ResourceQuota controller: updates the usage in the status.
// Kubernetes: pkg/controller/resourcequota.Controller.syncResourceQuotaFromKey, Controller.syncResourceQuota, Controller.replenishQuota
import { addUsage } from '../../api/kinds/core/resource-quota/admission.ts'
import type { QuotaMeasure } from '../../api/kinds/core/resource-quota/measures.ts'
import { resourceQuotas } from '../../api/kinds.ts'
import type { Quantity } from '../../base/quantity.ts'
import { buildController } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { batchDelayMs } from '../shared/plan/pod-changes.ts'
import { CountedObjects } from './counted-objects.ts'
import { nextQuotaStatus } from './plan/status.ts'

/** Each quota is counted again at least this often. */
const resyncMs = 300_000

export const resourceQuotaController: ControllerDefinition = {
  name: 'resourcequota-controller',
  start: startResourceQuotaController,
}

export function startResourceQuotaController(options: CommonParts): RunningController {
  const { client, clock, informers, onFailure } = options
  const quotas = informers.get(resourceQuotas)
  /** By key of the quota: the number of objects at the last sync. */
  const objectCounts = new Map<string, number>()

  const enqueueQuotas = (measure: QuotaMeasure, namespace: string) => {
    for (const quota of quotas.byIndex('namespace', namespace)) {
      if (!Object.keys(quota.spec?.hard ?? {}).some(measure.tracks)) continue
      const key = keyOf(quota)
      controller.enqueue(key, batchDelayMs(objectCounts.get(key) ?? 0))
    }
  }
  const counted = new CountedObjects({ client, clock, informers, onChange: enqueueQuotas, ...(onFailure && { onFailure }) })

  const controller = buildController(options, {
    name: 'resourcequota_primary',
    for: resourceQuotas,
    workers: 5,
    async reconcile(cached, { key, client }) {
      const counts = await counted.read(Object.keys(cached.spec?.hard ?? {}))
      // The quota may have changed during the first lists.
      const quota = quotas.get(key)
      if (quota === undefined || counts === undefined) return undefined
      const nowMs = clock.now()
      const used = new Map<string, Quantity>()
      let changesAtMs = nowMs + resyncMs
      let objectCount = 0
      for (const { measure, informer } of counts) {
        const objects = informer.byIndex('namespace', quota.metadata.namespace ?? '')
        objectCount += objects.length
        addUsage(used, quota, measure, objects, nowMs)
        for (const object of objects) {
          const atMs = measure.changesAtMs(object)
          if (atMs > nowMs && atMs < changesAtMs) changesAtMs = atMs
        }
      }
      objectCounts.set(key, objectCount)
      const status = nextQuotaStatus(quota, used)
      if (status !== undefined) await client.updateStatus(resourceQuotas, { ...quota, status })
      return { requeueAfterMs: Math.max(changesAtMs - clock.now(), 1) }
    },
    state: [objectCounts],
  })

  return {
    synced: controller.synced,
    async stop() {
      counted.stop()
      await controller.stop()
    },
  }
}
