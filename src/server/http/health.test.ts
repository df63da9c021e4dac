// Health, and the certificates of a server that runs.
import { connect, type TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { ask1, startTestServer } from './testing/test-server.ts'

describe('health', () => {
  it('fails where a check does, and names it', async () => {
    let problem: string | undefined
    const server = await startTestServer({ healthChecks: [{ name: 'store', paths: ['healthz', 'readyz'], check: () => problem }] })
    expect((await ask1(server, { path: '/readyz?verbose' })).text).toBe('[+]ping ok\n[+]store ok\nreadyz check passed\n')
    problem = 'the disk is full'
    expect(await ask1(server, { path: '/readyz' })).toMatchObject({
      code: 500,
      text: '[+]ping ok\n[-]store failed: reason withheld\nreadyz check failed\n',
    })
    expect(await ask1(server, { path: '/readyz/store' })).toMatchObject({ code: 500, text: 'internal server error: the disk is full\n' })
    expect((await ask1(server, { path: '/readyz?exclude=store' })).code).toBe(200)
    expect((await ask1(server, { path: '/livez?verbose' })).text).toBe('[+]ping ok\nlivez check passed\n')
    problem = undefined
    expect((await ask1(server, { path: '/readyz' })).code).toBe(200)
    for (const path of ['/readyz/', '/healthz/', '/readyz/none', '/livez/store', '/readyz/store/'])
      expect(await ask1(server, { path })).toMatchObject({ code: 404, text: '404 page not found\n' })
    await server.close()
  })
})

describe('renewTls()', () => {
  it('gives new connections the new certificate, and leaves the old ones open', async () => {
    const server = await startTestServer()
    const { client, ca } = server.certificates
    const open = () =>
      new Promise<TLSSocket>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false }, () => resolve(socket))
      })
    const before = await open()
    server.renewTls({ key: client.private, cert: client.cert, ca: ca.cert })
    const after = await open()
    expect(after.getPeerCertificate().subject.CN).toBe('alice')
    before.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const answer = await new Promise((resolve) => before.once('data', (piece) => resolve(String(piece))))
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
    before.destroy()
    after.destroy()
    await server.close()
  })
})
