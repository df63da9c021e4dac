import { describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../store/memory-store.ts'
import type { ObjectResponse, WatchEvent } from './rest.ts'
import { configMap, configMapKind, input, openBench, options, podKind, refusal, shown } from './testing/rest-bench.ts'

const relabel = (name: string, k: string) => input(configMap(name, {}, { labels: { k } }))
const textsOf = (events: readonly WatchEvent[]) => events.map(({ object }) => (object as ObjectResponse).json)

describe('watch', () => {
  it('starts after a revision, or with what is there', async () => {
    const { create, store, watch } = await openBench()
    await create(configMapKind, configMap('a'))
    const revision = String(store.revision)
    await create(configMapKind, configMap('b'))
    expect(shown(watch(configMapKind, 'default', { resourceVersion: revision }).events)).toEqual(['ADDED b'])
    expect(shown(watch(configMapKind, 'default').events)).toEqual(['ADDED a', 'ADDED b'])
    expect(shown(watch(configMapKind, '', { resourceVersion: '0' }).events)).toEqual(['ADDED a', 'ADDED b'])
    const later = watch(configMapKind, 'default', {
      resourceVersion: '0',
      sendInitialEvents: false,
      resourceVersionMatch: 'NotOlderThan',
    })
    expect(later.events).toEqual([])
    await create(configMapKind, configMap('c'))
    expect(shown(later.events)).toEqual(['ADDED c'])
  })

  it('delivers every change once and in order, and none after it is closed', async () => {
    const { rest, create, watch } = await openBench()
    const { events, close } = watch(configMapKind, 'default')
    await create(configMapKind, configMap('w'))
    await rest.update(configMapKind, 'default', 'w', undefined, relabel('w', '2'), options)
    await rest.delete(configMapKind, 'default', 'w', options)
    close()
    await create(configMapKind, configMap('x'))
    expect(shown(events)).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w'])
  })

  it('shows a deletion with the revision of the deletion', async () => {
    const { rest, create, watch, store } = await openBench()
    await create(configMapKind, configMap('w'))
    const { events } = watch(configMapKind, 'default', { resourceVersion: String(store.revision) })
    await rest.delete(configMapKind, 'default', 'w', options)
    const { metadata } = (events[0]!.object as ObjectResponse).object
    expect(metadata?.resourceVersion).toBe(String(store.revision))
    expect(textsOf(events)[0]).toContain(`"resourceVersion":"${store.revision}"`)
  })

  it('takes coming to match for an addition and ceasing to match for a deletion', async () => {
    const { rest, create, watch, store } = await openBench()
    const { events } = watch(configMapKind, 'default', { labelSelector: 'k=1' })
    await create(configMapKind, configMap('w', {}, { labels: { k: '2' } }))
    for (const k of ['1', '1', '2', '3']) {
      const data = { data: { a: String(store.revision) } }
      await rest.update(configMapKind, 'default', 'w', undefined, input(configMap('w', data, { labels: { k } })), options)
    }
    await rest.delete(configMapKind, 'default', 'w', options)
    expect(shown(events)).toEqual(['ADDED w', 'MODIFIED w', 'DELETED w'])
    // The content that matched last, under the revision at which it ceased to.
    expect((events[2]!.object as ObjectResponse).object).toMatchObject({
      metadata: { labels: { k: '1' }, resourceVersion: '6' },
      data: (events[1]!.object as ObjectResponse & { object: { data: object } }).object.data,
    })
  })

  it('watches one name', async () => {
    const { create, watch } = await openBench()
    const { events } = watch(configMapKind, 'default', { fieldSelector: 'metadata.name=a' })
    for (const name of ['a', 'aa', 'b']) await create(configMapKind, configMap(name))
    expect(shown(events)).toEqual(['ADDED a'])
  })

  it('notifies the other watchers when one of them throws', async () => {
    const thrown: unknown[] = []
    const { rest, create } = await openBench({ store: openMemoryStore({ onListenerError: (error) => thrown.push(error) }) })
    const got: string[] = []
    const fault = new Error('no room')
    for (let i = 0; i < 3; i++)
      rest.watch(
        configMapKind,
        'default',
        {},
        {
          onEvents: (events) => {
            if (i === 1) throw fault
            got.push(`${i} ${shown(events)}`)
          },
        },
      )
    await create(configMapKind, configMap('a'))
    await create(configMapKind, configMap('b'))
    expect(got).toEqual(['0 ADDED a', '2 ADDED a', '0 ADDED b', '2 ADDED b'])
    expect(thrown).toEqual([fault, fault])
  })

  it('passes one array to all watchers of the same selection', async () => {
    const { rest, create } = await openBench()
    const got: (readonly WatchEvent[])[] = []
    for (let i = 0; i < 3; i++)
      rest.watch(configMapKind, 'default', { resourceVersion: '2', labelSelector: '!k' }, { onEvents: (events) => got.push(events) })
    await create(configMapKind, configMap('a'))
    expect(got).toHaveLength(3)
    expect(got[1]).toBe(got[0])
    expect(got[2]).toBe(got[0])
  })

  it('neither repeats nor loses a change for a watcher that joins during a notification', async () => {
    const { rest, create, watch, store } = await openBench()
    const late: string[] = []
    let joined = false
    rest.watch(
      configMapKind,
      'default',
      {},
      {
        onEvents() {
          if (joined) return
          joined = true
          const from = String(store.revision - 1)
          rest.watch(configMapKind, 'default', { resourceVersion: from }, { onEvents: (events) => late.push(...shown(events)) })
        },
      },
    )
    watch(configMapKind, 'default')
    await Promise.all(['a', 'b', 'c'].map((name) => create(configMapKind, configMap(name))))
    await create(configMapKind, configMap('d'))
    expect(late.at(-1)).toBe('ADDED d')
    expect(new Set(late).size).toBe(late.length)
  })

  it('ends the initial events with a bookmark', async () => {
    const { create, watch, store } = await openBench()
    await create(configMapKind, configMap('a'))
    const { events } = watch(configMapKind, 'default', {
      sendInitialEvents: true,
      allowWatchBookmarks: true,
      resourceVersionMatch: 'NotOlderThan',
    })
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK'])
    expect((events[1]!.object as ObjectResponse).object).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(store.revision), annotations: { 'k8s.io/initial-events-end': 'true' } },
    })
  })

  it.each(['', '0'])('takes a watch from "%s" for one that asks for the initial events', async (resourceVersion) => {
    const { create, watch } = await openBench()
    await create(configMapKind, configMap('a'))
    const { events } = watch(configMapKind, 'default', { allowWatchBookmarks: true, resourceVersion })
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK'])
  })

  it('sends a bookmark every minute and before the end, to watchers that request them', async () => {
    const { clock, watch, store } = await openBench()
    const from = { resourceVersion: String(store.revision) }
    const wants = watch(configMapKind, 'default', { ...from, allowWatchBookmarks: true, timeoutSeconds: 100 })
    const wantsNone = watch(configMapKind, 'default', from)
    const closed = watch(configMapKind, 'default', { ...from, allowWatchBookmarks: true })
    closed.close()
    clock.pass(60_000)
    expect(wants.events.map(({ type }) => type)).toEqual(['BOOKMARK'])
    clock.pass(38_000)
    clock.pass(600_000)
    expect(wants.events).toHaveLength(2)
    expect([...wantsNone.events, ...closed.events]).toEqual([])
  })

  it('says in an event that the revision is too old', async () => {
    const { create, watch, store } = await openBench()
    for (const name of ['a', 'b', 'c']) await create(configMapKind, configMap(name))
    store.compact(store.revision)
    const { events } = watch(configMapKind, 'default', { resourceVersion: '2' })
    expect(events).toEqual([
      {
        type: 'ERROR',
        object: expect.objectContaining({
          code: 410,
          reason: 'Expired',
          message: `too old resource version: 2 (${store.compactRevision})`,
        }),
      },
    ])
  })

  it('waits for a revision that is yet to come', async () => {
    const { create, watch, store } = await openBench()
    const { events } = watch(configMapKind, 'default', { resourceVersion: String(store.revision + 2) })
    for (const name of ['a', 'b', 'c']) await create(configMapKind, configMap(name))
    expect(shown(events)).toEqual(['ADDED c'])
  })

  it.each([
    [
      'initial events without a match',
      { sendInitialEvents: true },
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'a page with a match',
      { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', continue: 'x' },
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
  ])('refuses %s', async (_, query, message) => {
    const { rest } = await openBench()
    expect(await refusal(() => rest.watch(configMapKind, '', query, { onEvents() {} }))).toMatchObject({ code: 422, message })
  })

  it('refuses a bad version, and does not say why', async () => {
    const { rest } = await openBench()
    expect(await refusal(() => rest.watch(configMapKind, '', { resourceVersion: 'x' }, { onEvents() {} }))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
      code: 500,
    })
  })

  it('refuses selectors that cannot be read', async () => {
    const { rest } = await openBench()
    expect(await refusal(() => rest.watch(podKind, '', { fieldSelector: 'spec.image=x' }, { onEvents() {} }))).toMatchObject({ code: 400 })
  })
})
