import { expect, it } from 'vitest'
import { addLatency } from './latency.ts'
import { configMapKind, input, openBench, options, shown } from './testing/rest-bench.ts'

type Events = Parameters<typeof shown>[0][number][]
const turn = () => new Promise((resolve) => void setImmediate(resolve))
const body = (name: string) => input({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

async function openSlow() {
  const { rest: own, clock, watch, create } = await openBench()
  await create(configMapKind, { metadata: { name: 'before' } })
  const { rest, beforeRead } = addLatency(own, clock, 8)
  const seen: string[] = []
  const note = (what: string) => () => void seen.push(what)
  return { rest, beforeRead, clock, direct: watch(configMapKind, 'default'), seen, note }
}

it('stores a write after a while, and reports it to watchers and then to the client after another', async () => {
  const { rest, clock, direct, seen, note } = await openSlow()
  const events: Events = []
  const close = rest.watch(
    configMapKind,
    'default',
    {},
    {
      onEvents: (more) => {
        events.push(...more)
        note(shown(more).join())()
      },
    },
  )
  expect(shown(events)).toEqual(['ADDED before'])
  void rest.create(configMapKind, 'default', body('a'), options).then(note('answered'))
  clock.pass(5)
  await turn()
  expect(shown(direct.events)).toEqual(['ADDED before'])
  clock.pass(1)
  await turn()
  expect(shown(direct.events)).toEqual(['ADDED before', 'ADDED a'])
  expect(seen).toEqual(['ADDED before'])
  clock.pass(2)
  await turn()
  expect(seen).toEqual(['ADDED before', 'ADDED a', 'answered'])
  close()
  void rest.create(configMapKind, 'default', body('b'), options)
  clock.pass(20)
  expect(shown(events)).toEqual(['ADDED before', 'ADDED a'])
})

it.each([
  ['at once when nothing is written', 0, false],
  ['after a write that is under way', 1, true],
])('answers a read %s', async (_, writes, waits) => {
  const { rest, clock, beforeRead, seen, note } = await openSlow()
  clock.pass(10)
  void beforeRead().then(note('read'))
  clock.pass(1)
  for (let n = 0; n < writes; n++) void rest.create(configMapKind, 'default', body(`a${n}`), options).then(note('written'))
  clock.pass(5)
  await turn()
  expect(seen.includes('read')).toBe(!waits)
  clock.pass(2)
  await turn()
  expect(seen).toEqual(['read'])
})

it('does not let a read wait for ever for a write that waits for it', async () => {
  const { rest: own, clock } = await openBench()
  const { rest, beforeRead } = addLatency({ ...own, create: () => new Promise(() => {}) }, clock, 8)
  void rest.create(configMapKind, 'default', body('a'), options)
  let isRead = false
  void beforeRead().then(() => {
    isRead = true
  })
  clock.pass(6)
  await turn()
  expect(isRead).toBe(false)
  clock.pass(16)
  await turn()
  expect(isRead).toBe(true)
})
