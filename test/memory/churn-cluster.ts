// The process of the churn test: virtual time in which pods are created and deleted without end, so many a second for so many minutes. Six
// times it prints the live heap, which is what is left after a full garbage collection. Needs --expose-gc.

import { coreEvents, pods } from '../../src/api/kinds.ts'
import { defaultFeatureGates } from '../../src/api/machinery/feature-gates.ts'
import { VirtualClock } from '../../src/base/virtual-clock.ts'
import { startVirtualCluster } from '../../src/cluster/virtual-cluster.ts'
import { readClusterOptions } from '../../src/simulate/library/cluster-options.ts'

const [podsASecond, minutes] = process.argv.slice(2).map(Number) as [number, number]
const samples = 6
const lifeSeconds = 20
const namespace = 'default'
const collect = (globalThis as unknown as { gc(): void }).gc

const clock = new VirtualClock()
const cluster = await startVirtualCluster({
  clock,
  seed: 1,
  gates: defaultFeatureGates,
  nodes: (await readClusterOptions({ nodes: 5 })).groups,
  heartbeats: { leaseMs: 60_000, statusMs: 300_000 },
  onFailure: (what, error) => console.error(what, error),
})
await clock.runUntilSettled(cluster.startControllers(), 600_000)
const { client } = cluster

const podOf = (number: number) => ({
  metadata: { name: `churn-${number}`, labels: { app: `app-${number % 20}`, number: String(number) } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'main',
        image: `registry.test/app-${number % 20}:${number % 7}`,
        env: Array.from({ length: number % 10 }, (_, at) => ({ name: `VALUE_${at}`, value: `${number}-${at}` })),
      },
    ],
  },
})

let created = 0
for (let second = 1; second <= minutes * 60; second++) {
  for (let count = 0; count < podsASecond; count++) await client.create(pods, namespace, podOf(created++))
  const end = (second - lifeSeconds) * podsASecond
  for (let at = Math.max(0, end - podsASecond); at < end; at++) await client.delete(pods, { namespace, name: `churn-${at}` })
  await clock.advance(1000)
  if (second % ((minutes * 60) / samples) === 0) {
    collect()
    const liveBytes = process.memoryUsage().heapUsed
    const events = (await client.list(coreEvents)).items.length
    console.log(JSON.stringify({ minute: second / 60, liveBytes, created, events }))
  }
}
await cluster.stop()
