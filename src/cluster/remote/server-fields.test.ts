import { expect, it } from 'vitest'
import { VirtualClock } from '../../base/virtual-clock.ts'
import { readServerFields } from './server-fields.ts'

const schemas = { 'io.k8s.api.apps.v1.ReplicaSetStatus': { properties: { terminatingReplicas: {} } } }
const documentOf = (own: object) => JSON.stringify({ components: { schemas: own } })
const none = { terminatingReplicas: false, podReplacementPolicy: false }

it('reads the fields of the document', async () => {
  expect(await readServerFields(async () => documentOf(schemas))).toEqual({ ...none, terminatingReplicas: true })
  expect(await readServerFields(async () => documentOf({}))).toEqual(none)
})

it('retries on a server that does not have the document yet, but not for ever', async () => {
  const clock = new VirtualClock()
  let asked = 0
  const read = (missing: number) => async () => {
    if (++asked <= missing) throw new Error('not found')
    return documentOf(schemas)
  }
  const found = readServerFields(read(3), clock)
  await clock.advance(10_000)
  expect(await found).toEqual({ ...none, terminatingReplicas: true })
  asked = 0
  const never = readServerFields(read(100), clock)
  await clock.advance(20_000)
  expect([await never, asked]).toEqual([none, 10])
  asked = 0
  expect([await readServerFields(read(1)), asked]).toEqual([none, 1])
})
