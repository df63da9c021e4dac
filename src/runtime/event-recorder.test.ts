import { describe, expect, it } from 'vitest'
import { coreEvents, kinds, namespaces } from '../api/kinds.ts'
import type { Client } from '../client/client.ts'
import { createInProcessClient } from '../cluster/in-process-client.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { createEventRecorder, type EventRecorder } from './event-recorder.ts'

/** `settled` resolves when every event that was recorded before has been written. */
async function openClient(): Promise<{ client: Client; settled: () => Promise<void> }> {
  const inner = createInProcessClient({ rest: createRest({ store: openMemoryStore() }), kinds, name: 'tester' })
  await inner.create(namespaces, undefined, { metadata: { name: 'default' } })
  let begun = 0
  let ended = 0
  const counted = <T>(write: Promise<T>): Promise<T> => {
    begun++
    return write.finally(() => ended++)
  }
  const client: Client = {
    ...inner,
    create: (...args) => counted(inner.create(...args)),
    patch: (...args) => counted(inner.patch(...args)),
  }
  const settled = async () => {
    // A recorder starts the next write in the turn in which one ends: after a turn without a write, all are done.
    for (let before = -1; before !== begun || ended !== begun; ) {
      before = begun
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { client, settled }
}

describe('createEventRecorder()', () => {
  it('records the events of two recorders about one object in the same millisecond', async () => {
    const { client, settled } = await openClient()
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
    await settled()
    const { items } = await client.list(coreEvents, { namespace: 'default' })
    expect(items.map(({ reason, count }) => `${reason} ${count}`).sort()).toEqual(['First 2', 'Second 1'])
    expect(failures).toEqual([])
  })

  it('drops events beyond the longest queue, says so, and writes the others in their order', async () => {
    const { client: inner, settled } = await openClient()
    const clock = { now: () => Date.UTC(2026, 10, 1), after: () => () => {} }
    const written: string[] = []
    const client: Client = {
      ...inner,
      create(kind, namespace, object, options) {
        written.push(object.metadata!.name!.split('.')[0]!)
        return inner.create(kind, namespace, object, options)
      },
    }
    const failures: string[] = []
    const onFailure = (what: string, error: unknown) => failures.push(`${what}: ${(error as Error).message}`)
    const recorder = createEventRecorder({ client, clock, component: 'one', concurrentWrites: 1, maxQueueLength: 300, onFailure })
    const record = (name: string) =>
      recorder.record(
        { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', uid: name } },
        'Normal',
        'Started',
        'started',
      )
    const names = Array.from({ length: 400 }, (_, i) => `pod-${i}`)
    for (const name of names) record(name)
    await settled()
    // The first is being written while 300 wait.
    expect(written).toEqual(names.slice(0, 301))
    expect(failures).toEqual([])
    record('pod-399')
    record('later')
    await settled()
    expect(written.slice(301)).toEqual(['pod-399', 'later'])
    expect(failures).toEqual(['one: recording events: 99 events were dropped: the server does not take them as fast'])
    const { items } = await inner.list(coreEvents, { namespace: 'default' })
    expect(new Set(items.map(({ count }) => count))).toEqual(new Set([1]))
  })

  it('remembers 4,096 events, whatever the order in which they are repeated', async () => {
    const { client, settled } = await openClient()
    const clock = { now: () => Date.UTC(2026, 10, 1), after: () => () => {} }
    const recorder = createEventRecorder({ client, clock, component: 'one' })
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4096; i++)
        recorder.record(
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: `p${i}`, namespace: 'default', uid: `${i}` } },
          'Warning',
          'BackOff',
          'x',
        )
      await settled()
    }
    const { items } = await client.list(coreEvents, { namespace: 'default' })
    expect(items).toHaveLength(4096)
    expect(new Set(items.map(({ count }) => count))).toEqual(new Set([3]))
  })

  it('skips events that are not to be recorded', async () => {
    const { client, settled } = await openClient()
    const clock = { now: () => Date.UTC(2026, 10, 1), after: () => () => {} }
    const recorder = createEventRecorder({
      client,
      clock,
      component: 'one',
      isRecorded: (kind, reason) => kind !== 'Pod' && reason !== 'Dull',
    })
    const object = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'default', uid: 'u' } })
    recorder.record(object('Pod'), 'Normal', 'First', '')
    recorder.record(object('Node'), 'Normal', 'Dull', '')
    recorder.record(object('Node'), 'Normal', 'Second', '')
    await settled()
    expect((await client.list(coreEvents, {})).items.map(({ reason }) => reason)).toEqual(['Second'])
  })

  const record = async (tell: (recorder: EventRecorder) => void) => {
    const { client, settled } = await openClient()
    const clock = { now: () => Date.UTC(2026, 10, 1), after: () => () => {} }
    tell(createEventRecorder({ client, clock, component: 'one' }))
    await settled()
    return (await client.list(coreEvents, {})).items.map(({ type, message, count }) => `${type} ${message} ${count}`).sort()
  }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default', uid: 'u' } }

  it('combines events that differ only in their message, whichever part of the object they are about', async () => {
    const events = await record((recorder) => {
      for (let i = 1; i <= 12; i++)
        recorder.record(pod, 'Normal', 'Pulled', `image ${String(i).padStart(2, '0')}`, { fieldPath: `spec.containers{c${i}}` })
    })
    expect(events).toEqual([
      'Normal (combined from similar events): image 12 3',
      ...Array.from({ length: 9 }, (_, i) => `Normal image 0${i + 1} 1`),
    ])
  })

  it('counts a message that it remembers apart from the combined ones', async () => {
    const events = await record((recorder) => {
      for (let i = 1; i <= 10; i++) recorder.record(pod, 'Normal', 'Created', `pod ${i}`)
      recorder.record(pod, 'Normal', 'Created', 'pod 2')
      recorder.record(pod, 'Normal', 'Created', 'pod 10')
      recorder.record(pod, 'Normal', 'Created', 'pod 1')
    })
    expect(events).toContain('Normal pod 2 2')
    expect(events).toContain('Normal pod 10 1')
    expect(events).toContain('Normal (combined from similar events): pod 1 2')
  })

  it('gives a combined event a source, but no reporting component', async () => {
    const { client, settled } = await openClient()
    const clock = { now: () => Date.UTC(2026, 10, 1), after: () => () => {} }
    const recorder = createEventRecorder({ client, clock, component: 'one' })
    for (let i = 1; i <= 10; i++) recorder.record(pod, 'Normal', 'Created', `pod ${i}`)
    await settled()
    const { items } = await client.list(coreEvents, {})
    const shown = items.map(({ message, source, reportingComponent }) => [message, source?.component, reportingComponent])
    expect(shown).toContainEqual(['(combined from similar events): pod 10', 'one', ''])
    expect(shown).toContainEqual(['pod 9', 'one', 'one'])
  })

  it('includes dropped events in the count of the next one that is written', async () => {
    const { client, settled } = await openClient()
    let now = Date.UTC(2026, 10, 1)
    const recorder = createEventRecorder({ client, clock: { now: () => now, after: () => () => {} }, component: 'one' })
    for (let i = 0; i < 40; i++) recorder.record(pod, 'Normal', 'Reason', 'again')
    await settled()
    now += 300_000
    recorder.record(pod, 'Normal', 'Reason', 'again')
    await settled()
    expect((await client.list(coreEvents, {})).items.map(({ count }) => count)).toEqual([41])
  })

  it('creates an event that was deleted again, with its name, first time and count', async () => {
    const { client, settled } = await openClient()
    let now = Date.UTC(2026, 10, 1)
    const recorder = createEventRecorder({ client, clock: { now: () => now, after: () => () => {} }, component: 'one' })
    recorder.record(pod, 'Normal', 'Reason', 'again')
    await settled()
    const [before] = (await client.list(coreEvents, {})).items
    await client.delete(coreEvents, { namespace: 'default', name: before!.metadata.name })
    now += 3_600_000
    recorder.record(pod, 'Normal', 'Reason', 'again')
    await settled()
    const [after] = (await client.list(coreEvents, {})).items
    expect(after).toMatchObject({ metadata: { name: before!.metadata.name }, count: 2, firstTimestamp: before!.firstTimestamp })
  })

  it('drops events of one type after a burst of 25', async () => {
    const events = await record((recorder) => {
      for (let i = 0; i < 40; i++) recorder.record(pod, 'Normal', `Reason${i}`, `normal ${i}`, { fieldPath: `spec.containers{c${i}}` })
      recorder.record(pod, 'Warning', 'Failed', 'warning')
    })
    expect(events).toHaveLength(26)
    expect(events).toContain('Warning warning 1')
  })
})
