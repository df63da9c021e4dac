// Says in the status of each ResourceQuota what is used of it.
import { addUsage } from '../../api/admission/quota.ts'
import type { QuotaMeasure } from '../../api/admission/quota-measures.ts'
import { resourceQuotas } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Quantity } from '../../base/quantity.ts'
import { nextQuotaStatus } from '../../planners/resource-quota/status.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { CommonParts } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { CountedObjects } from './counted-objects.ts'

export type ResourceQuotaControllerOptions = CommonParts

const usualWorkers = 5
/** A count is corrected after this time at the latest, whatever was missed. */
const againAfterMs = 300_000

/** How long changes gather: a count costs time in proportion to the objects of the namespace. */
const gatherMs = (objects: number) => (objects < 200 ? 0 : Math.min(objects / 200, 50))

export function startResourceQuotaController(options: ResourceQuotaControllerOptions): RunningController {
  const { client, clock, informers, onFailure } = options
  const quotas = informers.get(resourceQuotas)
  /** How many objects a quota counted last. */
  const objectCounts = new Map<string, number>()
  let isSynced = false

  const addQuotasOf = (measure: QuotaMeasure, namespace: string) => {
    if (!isSynced) return
    for (const quota of quotas.byIndex('namespace', namespace)) {
      if (!Object.keys(quota.spec?.hard ?? {}).some(measure.tracks)) continue
      const key = keyOf(quota)
      controller.queue.addAfter(key, gatherMs(objectCounts.get(key) ?? 0))
    }
  }

  const counted = new CountedObjects({ client, clock, informers, onChange: addQuotasOf, ...(onFailure && { onFailure }) })

  const controller = startController({
    queues: options.queues,
    name: 'resourcequota_primary',
    clock,
    workers: usualWorkers,
    async reconcile(key) {
      if (quotas.get(key) === undefined) return undefined
      const counts = await counted.read(Object.keys(quotas.get(key)?.spec?.hard ?? {}))
      // It may have changed while its kinds were read for the first time.
      const quota = quotas.get(key)
      if (quota === undefined || counts === undefined) return undefined
      const nowMs = clock.now()
      const used = new Map<string, Quantity>()
      let changesAtMs = nowMs + againAfterMs
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
      return { againAfterMs: Math.max(changesAtMs - clock.now(), 1) }
    },
    onFailure: (key, error, failures) => {
      const isOrdinary = isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')
      if (!isOrdinary || failures >= 10) onFailure?.(`ResourceQuota ${key}`, error)
    },
  })

  quotas.onChange((current, previous) => {
    if (current === undefined) objectCounts.delete(keyOf(previous!))
    else if (isSynced) controller.queue.add(keyOf(current))
  })

  return {
    synced: quotas.synced.then(() => {
      isSynced = true
      for (const quota of quotas.values()) controller.queue.add(keyOf(quota))
    }),
    async stop() {
      counted.stop()
      await controller.stop()
    },
  }
}
