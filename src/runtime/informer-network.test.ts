// The informer over HTTP, against a server that misbehaves as real networks and servers do.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { configMaps } from '../api/kinds.ts'
import type { ConfigMap } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import { realClock } from '../base/clock.ts'
import { seededRandom } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { createHttpClient } from '../client/http-client.ts'
import { Informer } from './informer.ts'

type Answer = (response: ServerResponse, query: URLSearchParams, request: IncomingMessage) => void

const object = (name: string, resourceVersion: number, value = 'a') => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  data: { value },
})
const listOf = (items: readonly object[], resourceVersion: number, next?: string) =>
  JSON.stringify({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(resourceVersion), ...(next && { continue: next }) },
    items,
  })
const line = (type: string, content: object) => `${JSON.stringify({ type, object: content })}\n`
const bookmark = (version: number) => line('BOOKMARK', { metadata: { name: '', resourceVersion: String(version) } })
const expired = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired', message: 'too old resource version' }

const answerList =
  (items: readonly object[], version: number): Answer =>
  (response) =>
    void response.end(listOf(items, version))
/** A watch that stays open. */
const answerWatch =
  (...lines: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(lines.join(''))
  }
const refuseExpired: Answer = (response) => void response.writeHead(410).end(JSON.stringify(expired))
const hangUp: Answer = (_response, _query, request) => void request.socket.destroy()

const toClose: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** The n-th list gets the n-th answer, the last one again and again; watches likewise. */
async function openInformer(lists: readonly Answer[], watches: readonly Answer[], random = seededRandom(1)) {
  const requests: string[] = []
  let [listed, watched] = [0, 0]
  let server: Server
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const query = new URL(request.url ?? '', 'http://server').searchParams
    const isWatch = query.get('watch') === 'true'
    requests.push(
      isWatch
        ? `watch ${query.get('resourceVersion')}`
        : `list${query.has('limit') ? '' : ' all'}${query.has('continue') ? ` ${query.get('continue')}` : ''}`,
    )
    const answers = isWatch ? watches : lists
    const index = isWatch ? watched++ : listed++
    answers[Math.min(index, answers.length - 1)]!(response, query, request)
  }
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer(handle).listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    })
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  const port = await listen(0)
  toClose.push(close)
  /** Waits are noted and not waited for. */
  const waits: number[] = []
  let isHeld = false
  const held: (() => void)[] = []
  const clock: Clock = {
    now: () => realClock.now(),
    after(delayMs, run) {
      if (delayMs > 0) waits.push(delayMs)
      if (isHeld && delayMs > 0) {
        held.push(run)
        return () => {}
      }
      return realClock.after(0, run)
    },
  }
  const client = createHttpClient({ connection: { server: `http://127.0.0.1:${port}` }, name: 'test', random })
  const failures: unknown[] = []
  const informer = new Informer({ client, resource: configMaps, clock, random, onFailure: (error) => failures.push(error) })
  const seen: string[] = []
  informer.onChange((current, previous) => {
    const { name } = (current ?? previous)!.metadata
    seen.push(current === undefined ? `-${name}` : previous === undefined ? `+${name}` : `~${name}`)
  })
  toClose.push(() => {
    informer.stop()
    client.close()
  })
  informer.start()
  return {
    informer,
    requests,
    waits,
    failures,
    seen,
    names: () => [...informer.values()].map(({ metadata }) => metadata.name).sort(),
    async restartServer() {
      isHeld = true
      await close()
      await listen(port)
      isHeld = false
      for (const run of held.splice(0)) run()
    },
  }
}

const eventually = <T>(read: () => T) => expect.poll(read, { interval: 5 })

describe('an informer over HTTP', () => {
  it('reads everything in one piece when the next page has expired, and forgets no deletion', async () => {
    const pages: Answer = (response, query) => {
      if (query.has('continue')) refuseExpired(response, query, undefined as never)
      else if (query.has('limit')) response.end(listOf([object('a', 1), object('b', 2)], 5, 'page-2'))
      else response.end(listOf([object('a', 1), object('c', 3)], 9))
    }
    const { names, requests, informer } = await openInformer([pages], [answerWatch()])
    await informer.synced
    await eventually(() => requests).toEqual(['list', 'list page-2', 'list all', 'watch 9'])
    expect(names()).toEqual(['a', 'c'])
  })

  it('reads slow pages one after the other', async () => {
    const pages: Answer = (response, query) => {
      const page = Number(query.get('continue') ?? 0)
      realClock.after(30, () => response.end(listOf([object(`p${page}`, page + 1)], 9, page < 2 ? String(page + 1) : undefined)))
    }
    const { names, requests, informer } = await openInformer([pages], [answerWatch()])
    await informer.synced
    await eventually(() => requests).toEqual(['list', 'list 1', 'list 2', 'watch 9'])
    expect(names()).toEqual(['p0', 'p1', 'p2'])
  })

  it.each([
    ['as the answer', refuseExpired],
    ['as an event', answerWatch(line('ERROR', expired))],
  ])('lists again when the version of a watch has expired: 410 %s', async (_name, gone) => {
    const lists = [answerList([object('a', 1), object('b', 2)], 5), answerList([object('b', 7, 'z'), object('c', 8)], 9)]
    const { names, requests, seen } = await openInformer(lists, [gone, answerWatch()])
    await eventually(() => requests).toEqual(['list', 'watch 5', 'list', 'watch 9'])
    expect(names()).toEqual(['b', 'c'])
    expect(seen).toEqual(['+a', '+b', '~b', '+c', '-a'])
  })

  it('backs off from a server that answers every watch with 410', async () => {
    const { requests, waits } = await openInformer([answerList([], 5)], [refuseExpired])
    await eventually(() => requests.length).toBeGreaterThan(12)
    // At once the first time, then each wait is longer, up to 30 seconds and as much again at random.
    expect(waits.slice(0, 4).map((ms, index) => ms >= 100 * 2 ** index && ms <= 200 * 2 ** index)).toEqual([true, true, true, true])
  })

  it('resumes a dropped watch from the last event or bookmark', async () => {
    const cut =
      (...lines: readonly string[]): Answer =>
      (response, query, request) => {
        answerWatch(...lines)(response, query, request)
        realClock.after(20, () => request.socket.destroy())
      }
    const watches = [cut(line('ADDED', object('b', 6))), cut(bookmark(20)), answerWatch(line('ADDED', object('c', 21)))]
    const { names, requests } = await openInformer([answerList([object('a', 1)], 5)], watches)
    await eventually(names).toEqual(['a', 'b', 'c'])
    expect(requests).toEqual(['list', 'watch 5', 'watch 6', 'watch 20'])
  })

  it('takes no event whose line was cut off', async () => {
    const whole = line('MODIFIED', object('a', 6, 'new'))
    const cut: Answer = (response, query, request) => {
      answerWatch(line('ADDED', object('b', 5)), whole.slice(0, whole.length / 2))(response, query, request)
      realClock.after(20, () => request.socket.destroy())
    }
    const { informer, requests } = await openInformer([answerList([object('a', 1)], 4)], [cut, answerWatch(whole)])
    await eventually(() => informer.get('default/a')?.data?.['value']).toBe('new')
    expect(requests).toEqual(['list', 'watch 4', 'watch 5'])
  })

  it.each<[string, Answer]>([
    ['a connection that is closed', hangUp],
    [
      'a body that is shorter than announced',
      (response, _query, request) => {
        response.writeHead(200, { 'content-length': '5000' })
        response.write(listOf([object('x', 1)], 5).slice(0, 40))
        realClock.after(20, () => request.socket.destroy())
      },
    ],
    ['a body that is no JSON', (response) => void response.end(listOf([object('x', 1)], 5).slice(0, 40))],
    ['a proxy that knows no server', (response) => void response.writeHead(502).end('<html>Bad Gateway</html>')],
  ])('lists again after %s, without a change until then', async (_name, broken) => {
    const { names, seen, failures, waits } = await openInformer([broken, broken, answerList([object('a', 1)], 5)], [answerWatch()])
    await eventually(names).toEqual(['a'])
    expect(seen).toEqual(['+a'])
    expect(failures).toHaveLength(2)
    expect(waits.map((ms, index) => ms >= 100 * 2 ** index && ms <= 200 * 2 ** index)).toEqual([true, true])
  })

  it('continues after the server was restarted', async () => {
    const watches = [answerWatch(line('ADDED', object('b', 6))), answerWatch(line('DELETED', object('a', 7)))]
    const { names, requests, restartServer } = await openInformer([answerList([object('a', 1)], 5)], watches)
    await eventually(names).toEqual(['a', 'b'])
    await restartServer()
    await eventually(names).toEqual(['b'])
    expect(requests).toEqual(['list', 'watch 5', 'watch 6'])
  })

  it('lists again when a watch could not be resumed five times, and keeps backing off', async () => {
    const { requests, waits } = await openInformer([answerList([], 5)], [hangUp])
    // At least: requests may follow the third list before the count is read.
    await eventually(() => requests.filter((request) => request === 'list').length).toBeGreaterThanOrEqual(3)
    expect(requests.slice(0, 8)).toEqual(['list', ...Array.from({ length: 6 }, () => 'watch 5'), 'list'])
    // The list worked, the watches did not: the waits go on growing.
    expect(waits[8]).toBeGreaterThanOrEqual(100 * 2 ** 8)
  })

  it('cancels the retry when it is stopped, so that a process can end', async () => {
    const pending = new Set<object>()
    const clock: Clock = {
      now: () => 0,
      after: () => {
        const timer = {}
        pending.add(timer)
        return () => void pending.delete(timer)
      },
    }
    const client = { list: () => Promise.reject(new Error('no server')) } as unknown as Client
    let informer!: Informer<ConfigMap>
    await new Promise<void>((resolve) => {
      informer = new Informer({ client, resource: configMaps, clock, onFailure: () => resolve() })
      informer.start()
    })
    expect(pending.size).toBe(1)
    informer.stop()
    expect(pending.size).toBe(0)
  })

  it('spreads the retries of many clients', async () => {
    const first = async (seed: number) => {
      const { waits } = await openInformer([hangUp], [hangUp], seededRandom(seed))
      await eventually(() => waits.length).toBeGreaterThan(0)
      return waits[0]!
    }
    const all = [await first(1), await first(2), await first(3), await first(4)]
    expect(new Set(all).size).toBe(4)
    for (const ms of all) expect(ms).toBeGreaterThanOrEqual(100)
  })
})
