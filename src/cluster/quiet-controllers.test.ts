// An unchanged status is not written, however often a controller looks: for the kinds without conditions of KEP-2804.
import { afterEach, describe, expect, it } from 'vitest'
import { cronJobs, podDisruptionBudgets, pods, resourceQuotas } from '../api/kinds.ts'
import type { Resource } from '../api/machinery/kind.ts'
import type { KubernetesObject, Pod } from '../api/types.ts'
import { startCronJobController } from '../controllers/cron-job/cron-job-controller.ts'
import { startDisruptionController } from '../controllers/disruption/disruption-controller.ts'
import { startPodGarbageCollector } from '../controllers/pod-gc/pod-garbage-collector.ts'
import { startResourceQuotaController } from '../controllers/resource-quota/resource-quota-controller.ts'
import { type ControllerBench, openControllerBench } from './testing/controller-bench.ts'

let bench: ControllerBench
const statusWrites: string[] = []
afterEach(() => bench.stop())

const rest = async () => {
  for (let i = 0; i < 3; i++) {
    await bench.settle()
    bench.pass(1000)
  }
  await bench.settle()
}

const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } } } }
const rows: readonly { readonly kind: string; readonly resource: Resource; readonly spec: object; readonly writes: number }[] = [
  // It has nothing to say before its first run.
  { kind: 'CronJob', resource: cronJobs, spec: { schedule: '0 3 * * *', jobTemplate }, writes: 0 },
  {
    kind: 'PodDisruptionBudget',
    resource: podDisruptionBudgets,
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
    writes: 1,
  },
  { kind: 'ResourceQuota', resource: resourceQuotas, spec: { hard: { pods: '10' } }, writes: 1 },
]

describe('an unchanged status', () => {
  for (const { kind, resource, spec, writes } of rows)
    it(`of a ${kind} is not written, and a new one at most once`, async () => {
      statusWrites.length = 0
      bench = await openControllerBench({
        start: (parts) => [
          startCronJobController(parts),
          startDisruptionController(parts),
          startResourceQuotaController(parts),
          startPodGarbageCollector(parts),
        ],
        wrapClient: (client) => ({
          ...client,
          updateStatus(written, object, options) {
            statusWrites.push(written.plural)
            return client.updateStatus(written, object, options)
          },
        }),
      })
      const { client, store } = bench
      const containers = [{ name: 'c', image: 'x' }]
      const pod = await client.create(pods, 'default', { metadata: { name: 'p', labels: { app: 'x' } }, spec: { containers } } as Pod)
      await bench.report(pod, 'ready')
      await rest()
      await client.create(resource, 'default', { metadata: { name: 'a' }, spec } as KubernetesObject)
      await rest()
      expect(statusWrites).toEqual(Array.from({ length: writes }, () => resource.plural))

      const { revision } = store
      await client.patch(resource, { namespace: 'default', name: 'a' }, 'merge', { metadata: { labels: { touched: 'yes' } } })
      await client.patch(pods, { namespace: 'default', name: 'p' }, 'merge', { metadata: { labels: { touched: 'yes' } } })
      await rest()
      bench.pass(30_000)
      await rest()
      expect(store.revision - revision).toBe(2)
      expect(statusWrites.length).toBe(writes)
    })
})
