// The client with an HTTP/2 server that ends connections, aborts responses and restarts.
import { createSecureServer, type Http2SecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { configMaps } from '../api/kinds.ts'
import { realClock } from '../base/clock.ts'
import { VirtualClock } from '../base/virtual-clock.ts'
import { createCredentials, localHosts } from '../cluster/credentials/credentials.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { configMap } from './testing/client-contract.ts'

const credentials = createCredentials(localHosts, realClock.now())
const toClose: (() => void)[] = []
afterEach(() => {
  for (const close of toClose.splice(0).reverse()) close()
})

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly count: number
}

type Answer = (stream: ServerHttp2Stream, request: Received) => void

/** A server with scripted responses that can be restarted on its port. */
async function openServer(answer: Answer, maxConcurrentStreams?: number) {
  const sockets = new Set<TLSSocket>()
  let opened = 0
  let count = 0
  let server: Http2SecureServer
  const listen = async (port: number) => {
    server = createSecureServer({
      key: credentials.server.key,
      cert: credentials.server.certificate,
      ...(maxConcurrentStreams !== undefined && { settings: { maxConcurrentStreams } }),
    })
    server.on('secureConnection', (socket: TLSSocket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    server.on('session', (session) => {
      opened++
      session.on('error', () => {})
    })
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {})
      answer(stream, { method: headers[':method']!, path: headers[':path']!, headers, count: ++count })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  toClose.push(() => void stop())
  const connection = { server: `https://127.0.0.1:${port}`, certificateAuthority: credentials.authority.certificate }
  const clientOf = (more: Partial<HttpClientOptions> = {}): HttpClient => {
    const client = createHttpClient({ connection, name: 'x', ...more })
    toClose.push(client.close)
    return client
  }
  return {
    clientOf,
    connection,
    opened: () => opened,
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

  it('sends the headers that a server needs', async () => {
    const received: IncomingHttpHeaders[] = []
    const server = await openServer((stream, { headers }) => {
      received.push(headers)
      respond(stream)
    })
    let token = 'first'
    const impersonate = { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'example.com/Scope': ['x', 'y'] } }
    const client = server.clientOf({
      connection: { ...server.connection, server: `${server.connection.server}/prefix`, token: () => token, impersonate },
    })
    await client.get(configMaps, ref('a'))
    token = 'second'
    await client.create(configMaps, 'default', configMap('a'))
    const common = {
      ':scheme': 'https',
      ':authority': new URL(server.connection.server).host,
      accept: 'application/json',
      'user-agent': 'x',
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': 'a, b',
      'impersonate-extra-example.com%2fscope': 'x, y',
    }
    const path = '/prefix/api/v1/namespaces/default/configmaps'
    expect(received.map((headers) => Object.fromEntries(Object.entries(headers)))).toEqual([
      { ...common, ':method': 'GET', ':path': `${path}/a`, authorization: 'Bearer first' },
      {
        ...common,
        ':method': 'POST',
        ':path': `${path}?fieldManager=x&fieldValidation=Ignore`,
        authorization: 'Bearer second',
        'content-type': 'application/json',
      },
    ])
    token = 'a\nb'
    await expect(client.get(configMaps, ref('a'))).rejects.toThrow(
      'the value of the header authorization has a character that HTTP does not allow',
    )
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

  it('sends nothing of a write that lost the right to write while Node.js held it', async () => {
    let writes = 0
    const server = await openServer((stream, { method }) => {
      if (method === 'POST') writes++
      respond(stream)
    })
    let checks = 0
    const beforeSend = (method: string) => {
      // The first two are before Node.js is given the request.
      if (method !== 'GET' && ++checks > 2) throw new Error('not the leader')
    }
    const client = server.clientOf({ hooks: { beforeSend } })
    await client.get(configMaps, ref('a'))
    const error = await client.create(configMaps, 'default', configMap('a')).catch((reason: Error) => reason.message)
    // The next request has another connection.
    await client.get(configMaps, ref('a'))
    expect([error, writes, server.opened()]).toEqual(['not the leader', 0, 2])
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

const frame = (type: number, flags: number, stream: number, payload = Buffer.alloc(0)) => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
const uint32 = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer).swap32()
const emptySettings = frame(4, 0, 0)
const headers = 1

/** A server that speaks TLS, says that it speaks HTTP/2, and sends what the test gives it. */
async function openRawServer(
  onRequest: (socket: TLSSocket, count: number) => void,
  onConnection: (socket: TLSSocket) => void = (socket) => socket.write(emptySettings),
) {
  const received: Buffer[] = []
  let count = 0
  const sockets: TLSSocket[] = []
  /** How many frames of that type the clients have sent, each on a connection of its own. */
  const framesOf = (type: number) => {
    let found = 0
    for (let bytes = Buffer.concat(received); bytes.length >= 9; ) {
      if (bytes.toString('latin1', 0, 3) === 'PRI') bytes = bytes.subarray(24)
      if (bytes[3] === type) found++
      bytes = bytes.subarray(9 + bytes.readUIntBE(0, 3))
    }
    return found
  }
  const { key, certificate } = credentials.server
  const server = createTlsServer({ key, cert: certificate, ALPNProtocols: ['h2'] }, (socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    const before = framesOf(headers)
    let hasRequest = false
    socket.on('data', (bytes) => {
      received.push(bytes)
      if (hasRequest || framesOf(headers) === before) return
      hasRequest = true
      onRequest(socket, ++count)
    })
    onConnection(socket)
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
    },
    name: 'x',
    clock,
  })
  toClose.push(client.close)
  return { client, clock, framesOf, count: () => count, sockets }
}

describe('a server that breaks HTTP/2', () => {
  it('is pinged when it is silent, and given up without an answer', async () => {
    const { client, clock, framesOf, sockets } = await openRawServer(() => {})
    const ended = new Promise<Error | undefined>((resolve) => {
      client.watch(configMaps, { resourceVersion: '1' }, { onEvents() {}, onEnd: resolve })
    })
    // The request has arrived.
    await expect.poll(() => framesOf(headers)).toBe(1)
    await clock.advance(29_000)
    expect(framesOf(6)).toBe(0)
    await clock.advance(2_000)
    await expect.poll(() => framesOf(6)).toBe(1)
    sockets[0]!.write(frame(6, 1, 0, Buffer.alloc(8)))
    sockets[0]!.write(frame(6, 0, 0, Buffer.alloc(8)))
    // The answer to the ping of the server.
    await expect.poll(() => framesOf(6)).toBe(2)
    await clock.advance(20_000)
    await clock.advance(30_000)
    await expect.poll(() => framesOf(6)).toBe(3)
    await clock.advance(15_000)
    expect((await ended)?.message).toBe('nothing was received from the server for 45 seconds')
  })

  it.each([
    ['a frame that is too large', frame(0, 0, 1, Buffer.alloc(20_000))],
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a pushed request', frame(5, 4, 1, Buffer.concat([uint32(2), Buffer.from([0x82])]))],
    ['headers of a stream that nobody opened', frame(1, 4, 99, Buffer.from([0x88]))],
    ['headers that are no HPACK', frame(1, 4, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))],
    [
      'endless headers',
      Buffer.concat([frame(1, 0, 1, Buffer.from([0x88])), ...new Array<Buffer>(100).fill(frame(9, 0, 1, Buffer.alloc(16_000)))]),
    ],
    ['a window that is too large', frame(8, 0, 0, uint32(0x7fff_ffff))],
  ])('fails requests after %s', async (_name, bytes) => {
    const server = await openRawServer((socket) => void socket.write(bytes))
    let message = ''
    server.client.create(configMaps, 'default', configMap('a')).catch((error: Error) => {
      message = error.message
    })
    // Where Node.js reports nothing, the silence that follows is noticed.
    await expect
      .poll(async () => {
        await server.clock.advance(5_000)
        return message
      })
      .not.toBe('')
    expect(message).not.toContain('did not answer within')
  })

  it('fails requests when it closes each connection before it is ready', async () => {
    const { client, sockets } = await openRawServer(
      () => {},
      (socket) => socket.destroy(),
    )
    await expect(client.get(configMaps, ref('a'))).rejects.toThrow(/closed the connection|ECONNRESET/)
    expect(sockets).toHaveLength(1)
  })

  it('is sent again what it has not seen when it ends the connection with an error', async () => {
    // `:status: 201` from the static table by literal, and the body.
    const answer = Buffer.concat([
      frame(1, 4, 1, Buffer.from('0803323031', 'hex')),
      frame(0, 1, 1, Buffer.from('{"metadata":{"name":"a"}}')),
    ])
    const server = await openRawServer((socket, count) => void socket.write(count === 1 ? frame(7, 0, 0, uint32(0, 11)) : answer))
    expect((await server.client.create(configMaps, 'default', configMap('a'))).metadata.name).toBe('a')
    expect(server.count()).toBe(2)
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
