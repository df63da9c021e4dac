import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pods } from '../../api/kinds.ts'
import { expiredError } from '../../api/machinery/status-error.ts'
import type { RunningServer } from '../server.ts'
import { answerOf, ask1, ask2, startTestServer, type TestServer, token, until } from './testing/test-server.ts'

const path = '/api/v1/namespaces/a/pods'
const pod = (name: string, text = '') => answerOf(pods, JSON.stringify({ metadata: { name, resourceVersion: '7' }, status: { text } }))
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** A connection that records its bytes, and reads only on demand. */
async function openWatch(server: RunningServer, query = 'watch=1&resourceVersion=5') {
  const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
  let received = ''
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write(`GET ${path}?${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
  socket.on('data', (piece) => {
    received += piece
  })
  await until(() => received.includes('\r\n\r\n'))
  return { socket, closed, received: () => received }
}

describe.each([
  ['HTTP/1.1', ask1],
  ['HTTP/2', ask2],
])('a watch over %s', (_name, ask) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())
  const end = () => server.rest.emit([{ type: 'ERROR', object: expiredError('').status }])

  it('sends events as lines until its time is over', async () => {
    const watching = ask(server, { path: `${path}?watch=true&timeoutSeconds=1&resourceVersion=5&allowWatchBookmarks=true` })
    await until(() => server.rest.listeners.size === 1)
    server.rest.emit([
      { type: 'ADDED', object: pod('x', 'é') },
      { type: 'MODIFIED', object: pod('x') },
    ])
    server.rest.emit([{ type: 'DELETED', object: pod('x') }])
    server.rest.emit([{ type: 'BOOKMARK', object: answerOf(pods, '{"metadata":{"resourceVersion":"9"}}') }])
    const answer = await watching
    expect(answer.code).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(lines(answer.text).map(({ type, object }) => [type, object.kind, object.metadata.name ?? null])).toEqual([
      ['ADDED', 'Pod', 'x'],
      ['MODIFIED', 'Pod', 'x'],
      ['DELETED', 'Pod', 'x'],
      ['BOOKMARK', 'Pod', null],
    ])
    expect(server.rest.calls.at(-1)?.query).toEqual({ resourceVersion: '5', allowWatchBookmarks: true })
    expect(server.rest.listeners.size).toBe(0)
  })

  it('names the columns of a table once', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const watching = ask(server, { path: `${path}?watch=true&resourceVersion=5`, headers: { accept } })
    await until(() => server.rest.listeners.size === 1)
    server.rest.emit([
      { type: 'ADDED', object: pod('x') },
      { type: 'ADDED', object: pod('y') },
    ])
    server.rest.emit([{ type: 'ADDED', object: pod('z') }])
    end()
    const events = lines((await watching).text).slice(0, -1)
    expect(events.map(({ object }) => [object.kind, object.rows[0].cells[0], object.columnDefinitions !== null])).toEqual([
      ['Table', 'x', true],
      ['Table', 'y', false],
      ['Table', 'z', false],
    ])
    expect(events[0].object.metadata).toEqual({ resourceVersion: '7' })
  })

  it('shows metadata alone', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
    const watching = ask(server, { path: `${path}?watch=true&resourceVersion=5`, headers: { accept } })
    await until(() => server.rest.listeners.size === 1)
    server.rest.emit([{ type: 'ADDED', object: pod('x') }])
    end()
    expect(lines((await watching).text)[0].object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'x', resourceVersion: '7' },
    })
  })

  it('ends after an error', async () => {
    const watching = ask(server, { path: `${path}?watch=true&resourceVersion=5` })
    await until(() => server.rest.listeners.size === 1)
    server.rest.emit([{ type: 'ERROR', object: expiredError('too old resource version').status }])
    expect(lines((await watching).text)).toEqual([{ type: 'ERROR', object: expect.objectContaining({ kind: 'Status', code: 410 }) }])
    expect(server.rest.listeners.size).toBe(0)
  })

  it('starts with all existing objects, for any number of them', async () => {
    for (let i = 0; i < 700; i++) server.rest.put(pods, { metadata: { name: `p${i}`, namespace: 'a' }, status: { text: 'x'.repeat(2000) } })
    const watching = ask(server, { path: `${path}?watch=true` })
    await until(() => server.rest.listeners.size === 1)
    end()
    const answer = await watching
    server.rest.objects.clear()
    const names = lines(answer.text)
      .slice(0, -1)
      .map(({ object }) => object.metadata.name)
    expect(names).toEqual(Array.from({ length: 700 }, (_, i) => `p${i}`))
  })
})

describe('many watches', () => {
  it('get every event in order, in few pieces', async () => {
    const server = await startTestServer()
    const watches = await Promise.all(Array.from({ length: 20 }, () => openWatch(server)))
    for (let i = 0; i < 300; i++) {
      server.rest.emit([{ type: 'MODIFIED', object: pod(`p${i}`, 'y'.repeat(500)) }])
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => watches.every(({ received }) => received().includes('"p299"')))
    const expected = Array.from({ length: 300 }, (_, i) => `p${i}`)
    for (const { received } of watches) {
      expect([...received().matchAll(/"name":"(p\d+)"/g)].map(([, name]) => name)).toEqual(expected)
      // Each chunk is a length and a line end; 300 events in one turn of fifty make few of them.
      expect(received().match(/\r\n[0-9a-f]+\r\n/g)!.length).toBeLessThan(30)
    }
    await server.close()
    await Promise.all(watches.map(({ closed }) => closed))
    expect(server.rest.listeners.size).toBe(0)
  })

  it('do not suffer from one that cannot be written', async () => {
    const server = await startTestServer()
    const other = await openWatch(server)
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const broken = ask1(server, { path: `${path}?watch=1&resourceVersion=5`, headers: { accept } }).catch((error: Error) => error.message)
    await until(() => server.rest.listeners.size === 2)
    const cells = () => {
      throw new Error('no cells')
    }
    const kind = { ...pods, columns: { definitions: [], cells } } as typeof pods
    server.rest.emit([{ type: 'ADDED', object: answerOf(kind as never, pod('x').json) }])
    expect(await broken).toMatch(/aborted|hang up|reset/)
    await until(() => other.received().includes('"x"'))
    expect(server.lines).toEqual([expect.stringMatching(/^Cannot write watch events: Error: no cells/)])
    await server.close()
  })

  it('are limited', async () => {
    const server = await startTestServer({ limits: { watches: 2 } })
    const watches = [await openWatch(server), await openWatch(server)]
    const refused = await ask1(server, { path: `${path}?watch=1&resourceVersion=5` })
    expect(refused.code).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    watches[0]!.socket.destroy()
    await until(() => server.rest.listeners.size === 1)
    expect((await openWatch(server)).received()).toContain('200 OK')
    await server.close()
  })
})

describe('a watcher that does not read', () => {
  it('is dropped when it is too far behind, and the others are not', async () => {
    const server = await startTestServer({ limits: { watchPendingCharacters: 2_000_000 } })
    const slow = await openWatch(server)
    const quick = await openWatch(server)
    slow.socket.pause()
    // How much the buffers between the two hold depends on the machine.
    for (let i = 0; i < 4000 && server.rest.listeners.size === 2; i++) {
      server.rest.emit([{ type: 'MODIFIED', object: pod(`p${i}`, 'z'.repeat(50_000)) }])
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(server.rest.listeners.size).toBe(1)
    server.rest.emit([{ type: 'MODIFIED', object: pod('last') }])
    await until(() => quick.received().includes('"last"'))
    slow.socket.destroy()
    await server.close()
  })

  it('is dropped when it has not read for long', async () => {
    let now = 0
    const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
    const clock = {
      now: () => now,
      after(delayMs: number, run: () => void) {
        const timer = { atMs: now + delayMs, run }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    }
    const advance = (ms: number) => {
      now += ms
      for (const timer of [...timers]) if (timer.atMs <= now && timers.delete(timer)) timer.run()
    }
    const server = await startTestServer({ clock })
    const slow = await openWatch(server)
    slow.socket.pause()
    // More than the buffers between the two can hold.
    for (let i = 0; i < 30; i++) {
      server.rest.emit([{ type: 'MODIFIED', object: pod(`p${i}`, 'z'.repeat(1_000_000)) }])
      await new Promise((resolve) => setImmediate(resolve))
    }
    advance(29_000)
    expect(server.rest.listeners.size).toBe(1)
    // The buffers may take more meanwhile, which counts as reading.
    await until(() => {
      advance(6000)
      return server.rest.listeners.size === 0
    })
    slow.socket.destroy()
    const closing = server.close()
    advance(2000)
    await closing
  })
})
