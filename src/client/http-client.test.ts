import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { configMaps, kinds, namespaces, pods } from '../api/kinds.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { Namespace } from '../api/types.ts'
import { realClock } from '../base/clock.ts'
import { createCredentials, localHosts } from '../cluster/credentials/credentials.ts'
import { createAuthenticator } from '../server/auth/authenticator.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { startServer } from '../server/server.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { Connection } from './connection.ts'
import { createHttpClient, type HttpClientOptions } from './http-client.ts'
import { configMap, describeClient } from './testing/client-contract.ts'

const credentials = createCredentials(localHosts, realClock.now())

async function openServer() {
  const store = openMemoryStore()
  const rest = createRest({ store })
  const { authenticate } = createAuthenticator([{ token: credentials.token, caller: { name: 'admin', groups: ['system:masters'] } }])
  const server = await startServer({
    rest,
    authorizer: rest.authorizer,
    kinds,
    authenticate,
    tls: { key: credentials.server.key, cert: credentials.server.certificate, ca: credentials.authority.certificate },
  })
  const connection: Connection = { server: server.url, certificateAuthority: credentials.authority.certificate }
  return {
    store,
    connection,
    async close() {
      await server.close()
      await store.close()
    },
  }
}

async function openClient(more: Partial<Connection>) {
  const { store, connection, close } = await openServer()
  const client = createHttpClient({ connection: { ...connection, ...more }, name: 'contract' })
  await client.create(namespaces, undefined, { metadata: { name: 'default' } } as Namespace)
  return {
    client,
    compact: () => store.compact(store.revision),
    async close() {
      client.close()
      await close()
    },
  }
}

describeClient('HTTP/2', () => openClient({ token: () => credentials.token }))
describeClient('HTTP/1.1', () => openClient({ token: () => credentials.token, disableHttp2: true }))

describe('createHttpClient()', () => {
  const toClose: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const close of toClose.splice(0)) await close()
  })

  it('authenticates with a client certificate', async () => {
    const { client, close } = await openClient({
      clientCertificate: credentials.admin.certificate,
      clientKey: credentials.admin.key,
    })
    toClose.push(close)
    expect((await client.list(configMaps)).items).toEqual([])
  })

  it('fails with a wrong token, and with a server that it does not trust', async () => {
    const { connection, close } = await openServer()
    toClose.push(close)
    const wrong = createHttpClient({ connection: { ...connection, token: () => 'wrong' }, name: 'x' })
    const distrustful = createHttpClient({ connection: { server: connection.server, token: () => credentials.token }, name: 'x' })
    toClose.push(wrong.close, distrustful.close)
    await expect(wrong.list(pods)).rejects.toMatchObject({ code: 401, reason: 'Unauthorized' })
    await expect(distrustful.list(pods)).rejects.toThrow(/certificate/)
  })

  /** A minimal server that can misbehave. */
  const openOdd = async (answer: Parameters<typeof createServer>[1], more: Partial<HttpClientOptions> = {}) => {
    const server: Server = createServer(answer as never)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = createHttpClient({
      connection: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix` },
      name: 'x',
      requestMs: 300,
      ...more,
    })
    toClose.push(client.close, () => new Promise<void>((resolve) => server.close(() => resolve())))
    toClose.push(() => server.closeAllConnections())
    return client
  }

  it('waits and retries when a busy server sends Retry-After', async () => {
    let requests = 0
    const client = await openOdd((request, response) => {
      expect(request.url).toBe('/prefix/api/v1/namespaces/default/configmaps/a')
      if (++requests < 3) response.writeHead(429, { 'retry-after': '0' }).end('busy')
      else response.end(JSON.stringify({ metadata: { name: 'a' } }))
    })
    expect((await client.get(configMaps, { namespace: 'default', name: 'a' })).metadata.name).toBe('a')
    expect(requests).toBe(3)
  })

  it('does not retry an eviction that a disruption budget forbids', async () => {
    let requests = 0
    const status = { kind: 'Status', code: 429, reason: 'TooManyRequests', details: { causes: [{ reason: 'DisruptionBudget' }] } }
    const client = await openOdd((_, response) => {
      requests++
      response.writeHead(429, { 'retry-after': '10' }).end(JSON.stringify(status))
    })
    const evicted = client.createSubresource(pods, { namespace: 'default', name: 'p' }, 'eviction', {})
    await expect(evicted).rejects.toMatchObject({ code: 429 })
    expect(requests).toBe(1)
  })

  it.each(['{"kind":"Status","details":{"causes":5}}', '{"kind":"Status","details":5,"message":{}}', 'null', '[]'])(
    'rejects a request whose error is malformed: %s',
    async (body) => {
      const client = await openOdd((_, response) => response.writeHead(429, { 'retry-after': '0' }).end(body))
      await expect(client.list(pods)).rejects.toThrow()
    },
  )

  it('makes a Status from a response without one', async () => {
    const client = await openOdd((_, response) => response.writeHead(503).end('<html>no</html>'))
    const error = await client.list(pods).catch((reason: unknown) => reason)
    expect(isStatusError(error, 'ServiceUnavailable')).toBe(true)
    expect((error as Error).message).toBe('<html>no</html>')
  })

  it('checks again whether to send when a request that waited for a connection gets one', async () => {
    const arrived: string[] = []
    const answers: (() => void)[] = []
    let mayWrite = true
    const hooks = {
      connections: 1,
      beforeSend(method: string) {
        if (method !== 'GET' && !mayWrite) throw new Error('not the leader')
      },
    }
    const client = await openOdd(
      (request, response) => {
        arrived.push(request.method!)
        answers.push(() => response.end('{}'))
      },
      { hooks, requestMs: 60_000 },
    )
    const ref = { namespace: 'default', name: 'a' }
    const reading = client.get(pods, ref)
    const writing = client.delete(pods, ref)
    await expect.poll(() => answers.length).toBe(1)
    mayWrite = false
    answers[0]!()
    await reading
    await expect(writing).rejects.toThrow('not the leader')
    expect(arrived).toEqual(['GET'])
  })

  it('closes the connection when the process was suspended while it wrote a request', async () => {
    let checks = 0
    const hooks = {
      beforeSend() {
        if (++checks === 3) throw new Error('not the leader')
      },
    }
    let noteClosed = () => {}
    const closed = new Promise<void>((resolve) => {
      noteClosed = resolve
    })
    const client = await openOdd((request) => void request.socket.on('close', noteClosed), { hooks, requestMs: 60_000 })
    await expect(client.delete(pods, { namespace: 'default', name: 'a' })).rejects.toThrow('not the leader')
    await closed
  })

  it('times out when the server does not respond', async () => {
    const client = await openOdd(() => {})
    await expect(client.list(pods)).rejects.toThrow('the server did not answer within 0.3 seconds')
  })

  it('repeats a read when the server has closed the kept connection', async () => {
    let requests = 0
    const client = await openOdd((request, response) => {
      requests++
      if (requests === 2) request.socket.resetAndDestroy()
      else response.end(JSON.stringify({ metadata: { name: 'a' } }))
    })
    const ref = { namespace: 'default', name: 'a' }
    await client.get(configMaps, ref)
    await client.get(configMaps, ref)
    expect(requests).toBe(3)
  })

  it('forgets what it has received of a response when it repeats the read', async () => {
    let requests = 0
    const client = await openOdd(
      (request, response) => {
        requests++
        if (requests === 1) response.end('{}')
        else {
          response.write('{"metadata":', () => {
            if (requests === 3) response.end('{"name":"a"}}')
          })
          if (requests === 2) sockets.push(request.socket)
        }
      },
      { requestMs: 60_000 },
    )
    const sockets: import('node:net').Socket[] = []
    const ref = { namespace: 'default', name: 'a' }
    await client.get(configMaps, ref)
    const reading = client.get(configMaps, ref)
    await expect.poll(() => sockets.length).toBe(1)
    sockets[0]!.resetAndDestroy()
    expect((await reading).metadata.name).toBe('a')
    expect(requests).toBe(3)
  })

  it('reports how a watch ended', async () => {
    const lines = (events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
    const added = { type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '2' } } }
    const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } }
    const answers: Record<string, (response: import('node:http').ServerResponse) => void> = {
      closed: (response) => response.end(lines([added])),
      expired: (response) => response.write(lines([added, gone])),
      broken: (response) => response.write(lines([added]), () => response.destroy()),
      garbled: (response) => response.end(`${lines([added])}{]\n`),
      refused: (response) => response.writeHead(403).end(JSON.stringify({ kind: 'Status', reason: 'Forbidden', code: 403 })),
    }
    const client = await openOdd((request, response) => {
      const how = new URL(request.url!, 'http://x').searchParams.get('labelSelector')!
      answers[how]!(response)
    })
    const endOf = (labelSelector: string) =>
      new Promise<string>((resolve) => {
        let events = 0
        client.watch(
          configMaps,
          { resourceVersion: '1', labelSelector },
          {
            onEvents: (more) => {
              events += more.length
            },
            onEnd: (error) => resolve(`${events} ${error === undefined ? 'end' : isStatusError(error) ? error.reason : error.message}`),
          },
        )
      })
    expect(await endOf('closed')).toBe('1 end')
    expect(await endOf('expired')).toBe('1 Expired')
    expect(await endOf('broken')).toMatch(/^1 (aborted|the server closed the connection)/)
    expect(await endOf('garbled')).toMatch(/^1 Cannot read a watch event/)
    expect(await endOf('refused')).toBe('0 Forbidden')
  })

  it('joins lines that were split anywhere', async () => {
    const text = ['a', 'ü', 'c']
      .map((name) => `${JSON.stringify({ type: 'ADDED', object: { metadata: { name, resourceVersion: '1' } } })}\n`)
      .join('')
    const bytes = Buffer.from(text)
    const client = await openOdd(async (_, response) => {
      for (let at = 0; at < bytes.length; at += 7) {
        response.write(bytes.subarray(at, at + 7))
        await new Promise<void>((resolve) => realClock.after(0, resolve))
      }
      response.end()
    })
    const names: string[] = []
    await new Promise<void>((resolve) =>
      client.watch(
        configMaps,
        { resourceVersion: '1' },
        {
          onEvents: (events) => names.push(...events.map(({ object }) => object.metadata.name)),
          onEnd: () => resolve(),
        },
      ),
    )
    expect(names).toEqual(['a', 'ü', 'c'])
  })

  it('refuses an empty name, which would address the collection', async () => {
    const client = await openOdd((_, response) => response.end('{}'))
    await expect(client.delete(configMaps, { namespace: 'default', name: '' })).rejects.toThrow('without a name')
    await expect(client.update(configMaps, configMap(''))).rejects.toThrow('without a name')
  })
})
