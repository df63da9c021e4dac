import { expect, it } from 'vitest'
import { configMaps } from '../api/kinds.ts'
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { realClock } from '../base/clock.ts'
import { ForkableCluster } from './forked-cluster.ts'

it('forks a prepared cluster; the forks do not see each other', async () => {
  const clusters = new ForkableCluster({
    gates: defaultFeatureGates,
    nodes: [{ name: 'node-1' }],
    controllers: 'all',
    seed: 1,
    version: 'v0',
    log: () => {},
  })
  const base = await clusters.fork(undefined, realClock.now())
  await base.client.create(configMaps, 'default', { metadata: { name: 'prepared' } })
  await base.clock.stepBy(60_000)
  const content = base.content()
  await base.stop()
  const startMs = realClock.now()
  const forks = await Promise.all([1, 2].map(() => clusters.fork(content, startMs)))
  await forks[0]!.client.create(configMaps, 'default', { metadata: { name: 'own' } })
  const names = await Promise.all(
    forks.map(async ({ client }) => (await client.list(configMaps, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)),
  )
  expect(names).toEqual([
    ['kube-root-ca.crt', 'own', 'prepared'],
    ['kube-root-ca.crt', 'prepared'],
  ])
  await Promise.all(forks.map((fork) => fork.stop()))
})
