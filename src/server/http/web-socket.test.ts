import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { acceptWebSocket, type WebSocketConnection } from './web-socket.ts'

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function open(protocols: string[] = ['one', 'two']) {
  const messages: string[] = []
  let connection: WebSocketConnection | undefined
  let ended = () => {}
  const closed = new Promise<void>((resolve) => {
    ended = resolve
  })
  const server = createServer()
  servers.push(server)
  server.on('upgrade', (request, socket, head) => {
    connection = acceptWebSocket({ request, socket, head }, 'two', {
      onMessage(message) {
        messages.push(message.toString())
        connection!.send(message)
      },
      onClose: ended,
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, protocols)
  await new Promise((resolve) => client.once('open', resolve))
  return { client, messages, closed, connection: connection! }
}

const nextMessage = (client: WebSocket) => new Promise<Buffer>((resolve) => client.once('message', resolve))
const closeCode = (client: WebSocket) => new Promise<number>((resolve) => client.once('close', resolve))

describe('acceptWebSocket()', () => {
  it('takes and sends messages in the protocol that was chosen', async () => {
    const { client, messages } = await open()
    expect(client.protocol).toBe('two')
    client.send(Buffer.from('hello'))
    expect((await nextMessage(client)).toString()).toBe('hello')
    expect(messages).toEqual(['hello'])
  })

  it('reports its end once, whichever side ends it', async () => {
    const first = await open()
    first.client.close()
    await first.closed
    const second = await open()
    second.connection.close()
    expect(await closeCode(second.client)).toBe(1000)
    await second.closed
    second.connection.send(Buffer.from('too late'))
  })

  it('ends at a message that is too long', async () => {
    const { client, messages, closed } = await open()
    client.on('error', () => {})
    client.send(Buffer.alloc(1024 * 1024 + 1))
    expect(await closeCode(client)).toBe(1009)
    await closed
    expect(messages).toEqual([])
  })
})
