import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signingRequests } from '../../api/testing/signing-requests.ts'
import { createAuthority, signRequest } from './certificates.ts'
import { readSigningRequest } from './signing-request.ts'

const request = signingRequests.alice

describe('signRequest()', () => {
  const nowMs = Date.UTC(2026, 0, 1)
  const authority = createAuthority('test', nowMs)
  const sign = (text: string) =>
    signRequest(authority, { request: text, usages: ['client auth', 'digital signature'], validMs: 3_600_000 }, nowMs)

  it('keeps the subject, the key and the alternative names of the request', () => {
    const certificate = new X509Certificate(sign(request))
    expect(certificate.subject).toBe('O=developers\nCN=alice')
    expect(certificate.subjectAltName).toBe('DNS:a.example.com')
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true)
    expect(certificate.publicKey.equals(readSigningRequest(request).publicKey)).toBe(true)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(new Date(certificate.validTo).getTime()).toBe(nowMs + 3_600_000)
  })

  it('ends no later than the authority', () => {
    const late = nowMs + 3649 * 86_400_000
    const certificate = signRequest(authority, { request, usages: ['client auth'], validMs: 365 * 86_400_000 }, late)
    expect(new X509Certificate(certificate).validTo).toBe(new X509Certificate(authority.certificate).validTo)
  })

  it.each([
    ['no PEM', 'hello', 'PEM block type must be CERTIFICATE REQUEST'],
    ['a damaged request', request.replace(/\n.{8}/, '\nAAAAAAAA'), /./],
    ['another signature', forged(request), 'the signature does not fit the key'],
  ])('refuses %s', (_what, text, message) => {
    expect(() => sign(text)).toThrow(message)
  })
})

/** The request with another subject. */
function forged(pem: string): string {
  const bytes = Buffer.from(pem.replace(/-----[^-]*-----/g, ''), 'base64')
  bytes.write('mallo', bytes.indexOf('alice'))
  return `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`
}
