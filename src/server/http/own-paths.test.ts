import { afterEach, describe, expect, it } from 'vitest'
import { pods } from '../../api/kinds.ts'
import { badRequestError, failure } from '../../api/machinery/status-error.ts'
import { type Clock, realClock } from '../../base/clock.ts'
import { verbOf } from './request-faults.ts'
import { ask1, startTestServer, type TestServer } from './testing/test-server.ts'

describe('verbOf()', () => {
  const kind = pods as never
  for (const [name, route, method, isWatch, expected] of [
    ['a list', { type: 'collection', kind, namespace: '', watch: false }, 'GET', false, 'list'],
    ['a watch', { type: 'collection', kind, namespace: '', watch: false }, 'GET', true, 'watch'],
    ['a creation', { type: 'collection', kind, namespace: 'a', watch: false }, 'POST', false, 'create'],
    ['a deletion of all', { type: 'collection', kind, namespace: 'a', watch: false }, 'DELETE', false, 'deletecollection'],
    ['a deletion of one', { type: 'item', kind, namespace: 'a', name: 'b', watch: false }, 'DELETE', false, 'delete'],
    ['a patch of a status', { type: 'subresource', kind, namespace: 'a', name: 'b', subresource: 'status' }, 'PATCH', false, 'patch'],
    ['a path that is no resource', { type: 'path', path: '/healthz' }, 'GET', false, undefined],
  ] as const)
    it(`names ${name}`, () => expect(verbOf(route, method, isWatch)).toBe(expected))
})

describe('paths of our own', () => {
  let server: TestServer
  afterEach(() => server.close())
  const path = '/rollcall/v1/things'
  const json = { 'content-type': 'application/json' }

  it('are answered, with what was sent', async () => {
    server = await startTestServer({
      handleOwnPath: ({ method, path, body }) => (path === '/rollcall/v1/things' ? { code: 201, body: { method, body } } : undefined),
    })
    expect(await ask1(server, { method: 'POST', path, headers: json, body: '{"a":1}' })).toMatchObject({
      code: 201,
      json: { method: 'POST', body: { a: 1 } },
    })
    expect((await ask1(server, { path })).json).toEqual({ method: 'GET' })
    expect((await ask1(server, { path: '/rollcall/v1/others' })).code).toBe(404)
    expect(await ask1(server, { method: 'POST', path, headers: json, body: '{' })).toMatchObject({ code: 400, json: { kind: 'Status' } })
  })

  it('require system:masters', async () => {
    server = await startTestServer({ handleOwnPath: () => ({ body: {} }) })
    expect((await ask1(server, { path, headers: { authorization: undefined } })).code).toBe(403)
    expect((await ask1(server, { path, headers: { authorization: 'Bearer weak' } })).code).toBe(403)
    expect((await ask1(server, { path: '/' })).json.paths.join()).not.toContain('rollcall')
  })

  it('report why they refuse a request', async () => {
    server = await startTestServer({
      handleOwnPath() {
        throw badRequestError('no')
      },
    })
    expect((await ask1(server, { path })).json.message).toBe('no')
  })
})

describe('requests that run into a fault', () => {
  let server: TestServer
  afterEach(() => server.close())

  it('are refused, or wait; health and documents are still served', async () => {
    const judged: string[] = []
    const delays: number[] = []
    const clock: Clock = {
      now: realClock.now,
      after(delayMs, run) {
        delays.push(delayMs)
        return realClock.after(0, run)
      },
    }
    server = await startTestServer({
      clock,
      findFault({ verb, plural, agent }) {
        judged.push(`${verb} ${plural} ${agent}`)
        if (verb === 'list') return { delayMs: 0, error: failure(503, 'ServiceUnavailable', 'not now') }
        return { delayMs: 3_600_000 }
      },
    })
    const refused = await ask1(server, { path: '/api/v1/pods', headers: { 'user-agent': 'kubectl/v1' } })
    expect([refused.code, refused.json.message]).toEqual([503, 'not now'])
    expect(delays).not.toContain(3_600_000)
    expect((await ask1(server, { path: '/api/v1/namespaces/a/pods/x' })).code).toBe(404)
    expect(delays).toContain(3_600_000)
    expect((await ask1(server, { path: '/readyz' })).code).toBe(200)
    expect((await ask1(server, { path: '/version' })).code).toBe(200)
    expect(judged).toEqual(['list pods kubectl/v1', 'get pods '])
  })
  it('end with the code of the response, and with 0 where it was lost', async () => {
    const codes: [string, number][] = []
    server = await startTestServer({
      clock: realClock,
      findFault: ({ name = '' }) => ({
        delayMs: 0,
        ...(name === 'refused' && { error: failure(503, 'ServiceUnavailable', 'not now') }),
        ...(name === 'unheard' && { loses: 'request' }),
        ...(name === 'unanswered' && { loses: 'answer' }),
        ended: (code) => codes.push([name, code]),
      }),
    })
    for (const name of ['refused', 'missing', 'unheard', 'unanswered'])
      await ask1(server, { path: `/api/v1/namespaces/${name}` }).catch(() => {})
    const body = JSON.stringify({ metadata: { name: 'new' } })
    for (let i = 0; i < 2; i++) await ask1(server, { method: 'POST', path: '/api/v1/namespaces', body })
    expect(codes).toEqual([
      ['refused', 503],
      ['missing', 404],
      ['unheard', 0],
      ['unanswered', 0],
      ['', 201],
      ['', 409],
    ])
  })
})
