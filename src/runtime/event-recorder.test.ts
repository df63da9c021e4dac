import { describe, expect, it } from 'vitest'
import { coreEvents, kinds, namespaces } from '../api/kinds.ts'
import { createInProcessClient } from '../cluster/in-process-client.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { openMemoryStore } from '../store/memory.ts'
import { createEventRecorder } from './event-recorder.ts'

describe('createEventRecorder()', () => {
  it('tells what two have to say of one object in the same millisecond', async () => {
    const client = createInProcessClient({ rest: createRest({ store: openMemoryStore() }), kinds, name: 'tester' })
    await client.create(namespaces, undefined, { metadata: { name: 'default' } })
    const clock = { now: () => Date.UTC(2026, 10, 1), after: () => () => {} }
    const failures: string[] = []
    const onFailure = (what: string, error: unknown) => failures.push(`${what}: ${(error as Error).message}`)
    const [one, other] = ['one', 'other'].map((component) => createEventRecorder({ client, clock, component, onFailure })) as [
      ReturnType<typeof createEventRecorder>,
      ReturnType<typeof createEventRecorder>,
    ]
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default', uid: 'u' } }
    one.record(object, 'Normal', 'First', 'said by one')
    other.record(object, 'Normal', 'Second', 'said by the other')
    one.record(object, 'Normal', 'First', 'said by one')
    await new Promise((resolve) => setTimeout(resolve, 20))
    const { items } = await client.list(coreEvents, { namespace: 'default' })
    expect(items.map(({ reason, count }) => `${reason} ${count}`).sort()).toEqual(['First 2', 'Second 1'])
    expect(failures).toEqual([])
  })

  it('leaves out what nobody wants to read', async () => {
    const client = createInProcessClient({ rest: createRest({ store: openMemoryStore() }), kinds, name: 'tester' })
    await client.create(namespaces, undefined, { metadata: { name: 'default' } })
    const clock = { now: () => Date.UTC(2026, 10, 1), after: () => () => {} }
    const recorder = createEventRecorder({ client, clock, component: 'one', tells: (kind, reason) => kind !== 'Pod' && reason !== 'Dull' })
    const object = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'default', uid: 'u' } })
    recorder.record(object('Pod'), 'Normal', 'First', '')
    recorder.record(object('Node'), 'Normal', 'Dull', '')
    recorder.record(object('Node'), 'Normal', 'Second', '')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await client.list(coreEvents, {})).items.map(({ reason }) => reason)).toEqual(['Second'])
  })
})
