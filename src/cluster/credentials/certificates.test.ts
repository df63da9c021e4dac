import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { createAuthority, createCertificate, encodeUsages } from './certificates.ts'

const now = Date.parse('2026-05-01T10:00:00Z')
const authority = createAuthority('rollcall', now)
const server = createCertificate(
  authority,
  { commonName: 'rollcall', use: 'server', hosts: ['localhost', '127.0.0.1', '::1', 'fe80::1:2'] },
  now,
)
const client = createCertificate(authority, { commonName: 'admin', organizations: ['system:masters', 'others'], use: 'client' }, now)

describe('createCertificate()', () => {
  it('is signed by its authority', () => {
    const root = new X509Certificate(authority.certificate)
    expect(root.ca).toBe(true)
    for (const { certificate } of [server, client]) {
      const leaf = new X509Certificate(certificate)
      expect(leaf.ca).toBe(false)
      expect(leaf.checkIssued(root)).toBe(true)
      expect(leaf.verify(root.publicKey)).toBe(true)
    }
  })

  it('names its hosts, its user and its groups', () => {
    const leaf = new X509Certificate(server.certificate)
    expect(leaf.checkHost('localhost')).toBe('localhost')
    for (const address of ['127.0.0.1', '::1', 'fe80::1:2']) expect(leaf.checkIP(address)).toBeDefined()
    expect(leaf.checkHost('example.com')).toBeUndefined()
    expect(new X509Certificate(client.certificate).subject.split('\n')).toEqual(['O=system:masters', 'O=others', 'CN=admin'])
  })

  it('lives for ten years, from a day ago', () => {
    const leaf = new X509Certificate(server.certificate)
    expect(Date.parse(leaf.validFrom)).toBe(now - 86_400_000)
    expect(Date.parse(leaf.validTo)).toBe(now + 3650 * 86_400_000)
  })

  it('carries a TLS connection that checks both sides', async () => {
    const real = { root: createAuthority('rollcall', Date.now()) }
    const serving = createCertificate(real.root, { commonName: 'rollcall', use: 'server', hosts: ['localhost'] }, Date.now())
    const calling = createCertificate(real.root, { commonName: 'admin', organizations: ['system:masters'], use: 'client' }, Date.now())
    const tlsServer = createServer({
      key: serving.key,
      cert: serving.certificate,
      ca: real.root.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    })
    tlsServer.listen(0, '127.0.0.1')
    await once(tlsServer, 'listening')
    const { port } = tlsServer.address() as { port: number }
    const accepted = once(tlsServer, 'secureConnection') as Promise<[TLSSocket]>
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      ca: real.root.certificate,
      key: calling.key,
      cert: calling.certificate,
    })
    await once(socket, 'secureConnect')
    const [peer] = await accepted
    expect(peer.authorized).toBe(true)
    expect(peer.getPeerCertificate().subject).toMatchObject({ CN: 'admin', O: 'system:masters' })
    socket.destroy()
    peer.destroy()
    tlsServer.close()
  })
})

const hex = (usages: readonly string[]) => encodeUsages(usages).map((one) => one.toString('hex'))
const clientAuth = '30130603551d25040c300a06082b06010505070302'

// The expected bytes are written by hand after RFC 5280, 4.2.1.3 and 4.2.1.12.
describe('encodeUsages()', () => {
  it.each([
    ['client auth alone, without a keyUsage', ['client auth'], [clientAuth]],
    ['a signature', ['digital signature', 'client auth'], ['300e0603551d0f0101ff040403020780', clientAuth]],
    ['the same bit twice', ['signing', 'digital signature'], ['300e0603551d0f0101ff040403020780']],
    ['a signature and encipherment', ['key encipherment', 'digital signature'], ['300e0603551d0f0101ff0404030205a0']],
    ['the ninth bit', ['decipher only'], ['300f0603551d0f0101ff040503030700' + '80']],
    ['the same purpose twice', ['s/mime', 'email protection'], ['30130603551d25040c300a06082b06010505070304']],
    ['none', [], []],
  ])('encodes %s', (_, usages, expected) => {
    expect(hex(usages)).toEqual(expected)
  })
})
