import { expect, it } from 'vitest'
import { addLatency } from './latency.ts'
import { configMapKind, input, openBench, options, shown } from './testing/rest-bench.ts'

it('writes after a while, and delivers changes to watchers after another', async () => {
  const { rest: own, clock, watch, create } = await openBench()
  await create(configMapKind, { metadata: { name: 'before' } })
  const rest = addLatency(own, clock, 5)
  const direct = watch(configMapKind, 'default')
  const events: Parameters<typeof shown>[0][number][] = []
  const close = rest.watch(configMapKind, 'default', {}, { onEvents: (more) => events.push(...more) })
  expect(shown(events)).toEqual(['ADDED before'])
  const body = (name: string) => input({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
  const write = rest.create(configMapKind, 'default', body('a'), options)
  expect(shown(direct.events)).toEqual(['ADDED before'])
  clock.pass(5)
  await write
  expect(shown(direct.events)).toEqual(['ADDED before', 'ADDED a'])
  expect(shown(events)).toEqual(['ADDED before'])
  clock.pass(1.25)
  expect(shown(events)).toEqual(['ADDED before', 'ADDED a'])
  close()
  const last = rest.create(configMapKind, 'default', body('b'), options)
  clock.pass(5)
  await last
  clock.pass(5)
  expect(shown(events)).toEqual(['ADDED before', 'ADDED a'])
})
