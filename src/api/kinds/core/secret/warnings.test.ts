import { expect, it } from 'vitest'
import type { Secret } from '../../../types.ts'
import { secretWarnings } from './warnings.ts'

const pem = (...types: readonly string[]) => types.map((type) => `-----BEGIN ${type}-----\nTUlJ\nQUJD\n-----END ${type}-----\n`).join('')
const warningsOf = (certificate: string, key: string, type = 'kubernetes.io/tls') =>
  secretWarnings({ type, data: { 'tls.crt': btoa(certificate), 'tls.key': btoa(key) } } as unknown as Secret)

const certificate = pem('CERTIFICATE')
const key = pem('RSA PRIVATE KEY')

it.each([
  ['a certificate and a key', certificate, key, []],
  ['no certificate', 'a', key, ['tls: failed to find any PEM data in certificate input']],
  ['no key', certificate, 'a', ['tls: failed to find any PEM data in key input']],
  [
    'both, switched',
    key,
    certificate,
    ['tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'],
  ],
  ['a certificate as the key', certificate, certificate, ['tls: found a certificate rather than a key in the PEM for the private key']],
  [
    'other blocks before the certificate',
    pem('X509 CRL', 'CERTIFICATE REQUEST'),
    key,
    [
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [X509 CRL CERTIFICATE REQUEST]',
    ],
  ],
])('a TLS secret with %s', (_, first, second, warnings) => {
  expect(warningsOf(first, second)).toEqual(warnings)
})

it('says nothing about other secrets', () => {
  expect(warningsOf('a', 'a', 'Opaque')).toEqual([])
})

it('reads a long text in time that grows with its length', () => {
  const text = `-----BEGIN X-----\n${'\n'.repeat(300_000)}-----END Y-----\n`
  const startedAt = performance.now()
  expect(warningsOf(text, key)).toEqual(['tls: failed to find any PEM data in certificate input'])
  expect(performance.now() - startedAt).toBeLessThan(5000)
})
