import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isFinalStatus, readResponse } from './received-response.ts'

/** What a client with this limit reads of the response of such a server. */
async function read(respond: (response: ServerResponse) => void, maxBytes?: number): Promise<string> {
  const server = createServer((_, response) => respond(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const outgoing = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
    outgoing.end()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    outgoing.on('error', () => {})
    return await readResponse(response, maxBytes)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('readResponse()', () => {
  it('reads a response of the maximum size', async () => {
    expect(await read((response) => response.end('12345'), 5)).toBe('12345')
  })

  it('rejects a larger one', async () => {
    await expect(read((response) => response.end('123456'), 5)).rejects.toThrow('the response is larger than 5 bytes')
  })

  it('rejects one that never ends, as soon as it is too large', async () => {
    await expect(read((response) => response.write('123456'), 5)).rejects.toThrow('the response is larger than 5 bytes')
  })

  it('rejects one that breaks off', async () => {
    await expect(read((response) => response.write('half', () => response.destroy()))).rejects.toThrow('aborted')
  })
})

describe('isFinalStatus()', () => {
  it.each([
    [undefined, false],
    [0, false],
    [101, false],
    [199, false],
    [200, true],
    [599, true],
    [600, false],
  ])('%s: %s', (code, isFinal) => {
    expect(isFinalStatus(code)).toBe(isFinal)
  })
})
