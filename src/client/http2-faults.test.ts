// The client with an HTTP/2 server that ends connections, aborts responses and restarts.
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { configMaps } from '../api/kinds.ts'
import { realClock } from '../base/clock.ts'
import { VirtualClock } from '../base/virtual-clock.ts'
import { createCredentials, localHosts } from '../cluster/credentials.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { configMap } from './testing/client-contract.ts'

const credentials = createCredentials(localHosts, realClock.now())
const toClose: (() => void)[] = []
afterEach(() => {
  for (const close of toClose.splice(0).reverse()) close()
})

type Answer = (stream: ServerHttp2Stream, request: { readonly method: string; readonly path: string; readonly count: number }) => void

/** A server with scripted responses that can be restarted on its port. */
async function openServer(answer: Answer, maxConcurrentStreams?: number) {
  const sessions = new Set<ServerHttp2Session>()
  let opened = 0
  let count = 0
  let server: Http2SecureServer
  const listen = async (port: number) => {
    server = createSecureServer({
      key: credentials.server.key,
      cert: credentials.server.certificate,
      ...(maxConcurrentStreams !== undefined && { settings: { maxConcurrentStreams } }),
    })
    server.on('session', (session) => {
      opened++
      sessions.add(session)
      session.on('error', () => {})
      session.on('close', () => sessions.delete(session))
    })
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {})
      answer(stream, { method: headers[':method']!, path: headers[':path']!, count: ++count })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const stop = () => {
    for (const session of sessions) session.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  toClose.push(() => void stop())
  const clientOf = (more: Partial<HttpClientOptions> = {}): HttpClient => {
    const client = createHttpClient({
      connection: { server: `https://127.0.0.1:${port}`, certificateAuthority: credentials.authority.certificate },
      name: 'x',
      ...more,
    })
    toClose.push(client.close)
    return client
  }
  return {
    clientOf,
    opened: () => opened,
    sessions,
    async restart() {
      await stop()
      await listen(port)
    },
  }
}

const ref = (name: string) => ({ namespace: 'default', name })
const respond = (stream: ServerHttp2Stream, name = 'a') => {
  stream.respond({ ':status': 200, 'content-type': 'application/json' })
  stream.end(JSON.stringify({ metadata: { name, resourceVersion: '7' } }))
}

describe('the client with HTTP/2', () => {
  it('sends all requests on one connection', async () => {
    const server = await openServer((stream, { path }) => respond(stream, path.split('/').at(-1)!))
    const client = server.clientOf()
    const names = Array.from({ length: 200 }, (_, index) => `n-${index}`)
    const read = await Promise.all(names.map((name) => client.get(configMaps, ref(name))))
    expect(read.map(({ metadata }) => metadata.name)).toEqual(names)
    expect(server.opened()).toBe(1)
  })

  it('opens another connection when watches take all requests that the server allows on one', async () => {
    let watches = 0
    const server = await openServer((stream, { path }) => {
      if (!path.includes('watch=')) return respond(stream)
      stream.respond({ ':status': 200 })
      watches++
    }, 2)
    const client = server.clientOf({ hooks: { connections: 3 } })
    await client.get(configMaps, ref('a'))
    const watch = () => client.watch(configMaps, { resourceVersion: '1' }, { onEvents() {}, onEnd() {} })
    const closes = [watch(), watch()]
    await expect.poll(() => watches).toBe(2)
    expect((await client.get(configMaps, ref('a'))).metadata.name).toBe('a')
    expect(server.opened()).toBe(2)
    closes.push(watch(), watch(), watch(), watch())
    await expect.poll(() => watches).toBe(6)
    // No more connections than allowed: this one waits for the end of a watch.
    const reading = client.get(configMaps, ref('a'))
    closes[0]!()
    expect((await reading).metadata.name).toBe('a')
    expect(server.opened()).toBe(3)
  })

  it('sends large bodies, and reads large responses', async () => {
    const server = await openServer((stream) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        stream.respond({ ':status': 201 })
        stream.end(Buffer.concat(parts))
      })
    })
    const client = server.clientOf()
    const values = Array.from({ length: 8 }, (_, index) => `${index}ü✓`.repeat(150_000))
    const stored = await Promise.all(values.map((value) => client.create(configMaps, 'default', configMap('a', { value }))))
    expect(stored.map(({ data }) => data?.['value'])).toEqual(values)
  })

  it('does not finish a large write after it has lost the right to write', async () => {
    let mayWrite = true
    let received = 0
    let code: number | undefined
    const server = await openServer((stream) => {
      // Nothing is read: the window is used up.
      stream.pause()
      stream.on('close', () => {
        code = stream.rstCode
      })
      received++
      resume = () => stream.resume()
    })
    let resume = () => {}
    const beforeSend = (method: string) => {
      if (method !== 'GET' && !mayWrite) throw new Error('not the leader')
    }
    const client = server.clientOf({ hooks: { beforeSend } })
    const writing = client
      .create(configMaps, 'default', configMap('a', { value: 'x'.repeat(500_000) }))
      .catch((error: Error) => error.message)
    await expect.poll(() => received).toBe(1)
    mayWrite = false
    resume()
    expect(await writing).toBe('not the leader')
    await expect.poll(() => code).toBe(8)
  })

  it('opens another connection after the end of one was announced, and finishes what is under way', async () => {
    const finish: (() => void)[] = []
    const server = await openServer((stream, { count }) => {
      if (count > 1) return respond(stream)
      stream.session!.goaway(0, (stream as unknown as { id: number }).id)
      finish.push(() => respond(stream, 'first'))
    })
    const client = server.clientOf()
    const first = client.get(configMaps, ref('a'))
    await expect.poll(() => finish.length).toBe(1)
    // The announcement may arrive after this request was written: then it is sent again.
    expect((await client.create(configMaps, 'default', configMap('b'))).metadata.name).toBe('a')
    finish[0]!()
    expect((await first).metadata.name).toBe('first')
    expect(server.opened()).toBe(2)
  })

  it('sends a request again that the server refused unseen, whatever it does', async () => {
    const server = await openServer((stream, { count }) => (count <= 2 ? stream.close(7) : respond(stream)))
    expect((await server.clientOf().create(configMaps, 'default', configMap('a'))).metadata.name).toBe('a')
  })

  it('gives up when the server refuses for ever', async () => {
    const server = await openServer((stream) => stream.close(7))
    await expect(server.clientOf().get(configMaps, ref('a'))).rejects.toThrow('REFUSED_STREAM')
  })

  it('reports a response that is aborted, and keeps using the connection', async () => {
    const server = await openServer((stream, { count }) => {
      if (count > 1) return respond(stream)
      stream.respond({ ':status': 200 })
      stream.write('{"metadata":', () => stream.destroy(new Error('aborted')))
    })
    const client = server.clientOf()
    await expect(client.get(configMaps, ref('a'))).rejects.toThrow('INTERNAL_ERROR')
    expect((await client.get(configMaps, ref('a'))).metadata.name).toBe('a')
    expect(server.opened()).toBe(1)
  })

  it('does not repeat a write whose answer was lost', async () => {
    const methods: string[] = []
    const server = await openServer((stream, { method, count }) => {
      methods.push(method)
      if (count === 2) stream.session!.destroy()
      else respond(stream)
    })
    const client = server.clientOf()
    await client.get(configMaps, ref('a'))
    await expect(client.create(configMaps, 'default', configMap('a'))).rejects.toThrow(/closed the connection|ECONNRESET/)
    expect(methods).toEqual(['GET', 'POST'])
  })

  it('repeats a read when the server has closed the kept connection', async () => {
    const server = await openServer((stream, { count }) => (count === 2 ? stream.session!.destroy() : respond(stream)))
    const client = server.clientOf()
    await client.get(configMaps, ref('a'))
    expect((await client.get(configMaps, ref('a'))).metadata.name).toBe('a')
    expect(server.opened()).toBe(2)
  })

  it('survives a restart in the middle of responses: watches end, later requests succeed', async () => {
    const event = `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '2' } } })}\n`
    const half: ServerHttp2Stream[] = []
    const server = await openServer((stream, { path }) => {
      if (path.includes('watch=')) {
        stream.respond({ ':status': 200 })
        stream.write(event + event.slice(0, 20), () => half.push(stream))
      } else if (path.endsWith('/half')) {
        stream.respond({ ':status': 200 })
        stream.write('{"metadata":', () => half.push(stream))
      } else respond(stream)
    })
    const client = server.clientOf()
    let events = 0
    const ended = new Promise<Error | undefined>((resolve) => {
      const onEvents = (more: readonly unknown[]) => {
        events += more.length
      }
      client.watch(configMaps, { resourceVersion: '1' }, { onEvents, onEnd: resolve })
    })
    const cut = client.get(configMaps, ref('half')).catch((error: Error) => error)
    await expect.poll(() => half.length).toBe(2)
    await server.restart()
    expect(String(await ended)).toMatch(/closed the connection|ECONNRESET|aborted/)
    expect(String(await cut)).toMatch(/closed the connection|ECONNRESET|aborted/)
    expect(events).toBe(1)
    expect((await client.get(configMaps, ref('a'))).metadata.name).toBe('a')
  })

  it('times out one request without ending the others', async () => {
    const held: ServerHttp2Stream[] = []
    const server = await openServer((stream, { path }) => (path.endsWith('/slow') ? void held.push(stream) : respond(stream)))
    const client = server.clientOf({ requestMs: 200 })
    let isOver = false
    client.watch(configMaps, { resourceVersion: '1' }, { onEvents() {}, onEnd: () => (isOver = true) })
    await expect(client.get(configMaps, ref('slow'))).rejects.toThrow('did not answer within 0.2 seconds')
    await expect.poll(() => held[0]!.closed).toBe(true)
    expect((await client.get(configMaps, ref('a'))).metadata.name).toBe('a')
    expect([server.opened(), isOver]).toEqual([1, true])
  })

  it('fails everything when it is closed', async () => {
    const server = await openServer(() => {})
    const client = server.clientOf()
    const reading = client.get(configMaps, ref('a')).catch((error: Error) => error.message)
    await expect.poll(() => server.opened()).toBe(1)
    client.close()
    expect(await reading).toBe('the client was closed')
    await expect(client.get(configMaps, ref('a'))).rejects.toThrow('the client is closed')
  })

  it('sends nothing after it was closed that waited to be sent again, or for the rate limiter', async () => {
    const clock = new VirtualClock()
    let count = 0
    let refused = 0
    const server = await openServer((stream) => {
      count++
      stream.respond({ ':status': 429, 'retry-after': '5' })
      stream.end()
    })
    const onResponse = (_: string, code: number) => {
      if (code === 429) refused++
    }
    const client = server.clientOf({ clock, hooks: { onResponse, limiter: createRateLimiter({ clock, qps: 1, burst: 1 }) } })
    const results = ['a', 'b'].map((name) => client.get(configMaps, ref(name)).catch((error: Error) => error.message))
    await expect.poll(() => refused).toBe(1)
    client.close()
    await clock.advance(10_000)
    expect(await Promise.all(results)).toEqual(['the client was closed', 'the client was closed'])
    expect([server.opened(), count]).toEqual([1, 1])
  })
})

describe('a handshake that stalls', () => {
  it.each([false, true])('fails after 10 seconds, and another connection is opened (HTTP/1.1 only: %s)', async (disableHttp2) => {
    const secure = createSecureServer({ key: credentials.server.key, cert: credentials.server.certificate, allowHTTP1: true })
    secure.on('request', (_, response) => response.end(JSON.stringify({ metadata: { name: 'a' } })))
    const sockets: Socket[] = []
    let isStalling = true
    const server = createServer((socket) => {
      socket.on('error', () => {})
      sockets.push(socket)
      if (!isStalling) secure.emit('connection', socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    toClose.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const clock = new VirtualClock()
    const client = createHttpClient({
      connection: {
        server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
        certificateAuthority: credentials.authority.certificate,
        disableHttp2,
      },
      name: 'x',
      clock,
    })
    toClose.push(client.close)
    const stalled = client.get(configMaps, ref('a')).catch((error: Error) => error.message)
    await expect.poll(() => sockets.length).toBe(1)
    await clock.advance(9_999)
    isStalling = false
    await clock.advance(1)
    expect(await stalled).toBe('the server did not accept the connection within 10 seconds')
    expect((await client.get(configMaps, ref('a'))).metadata.name).toBe('a')
    expect(sockets).toHaveLength(2)
    // The deadline of a connection that is open has no effect.
    await clock.advance(20_000)
    expect((await client.get(configMaps, ref('a'))).metadata.name).toBe('a')
    expect(sockets).toHaveLength(2)
  })
})
