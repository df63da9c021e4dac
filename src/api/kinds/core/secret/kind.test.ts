import { describe, expect, it } from 'vitest'
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import type { Secret } from '../../../types.ts'
import { secrets, secretWarnings, validateSecret, validateSecretUpdate } from './kind.ts'

const frozen = 'field is immutable when `immutable` is set'
const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const secret: Subject = { type: 'core.Secret', strategy: secrets.strategy, base: { metadata } }
creates(validateSecret, secret, [
  ['a plain one', { data: { a: 'AAAA' } }, []],
  ['a wrong key', { data: { 'a b': 'AAAA' } }, [`data[a b]: Invalid value: "a b": ${key}`]],
  ['too much', { data: { a: 'A'.repeat(1_400_000) } }, ['data: Too long: may not be more than 1048576 bytes']],
  [
    'a token without a service account',
    { type: 'kubernetes.io/service-account-token' },
    ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ],
  ['half a key pair', { type: 'kubernetes.io/tls', data: { 'tls.crt': 'AAAA' } }, ['data[tls.key]: Required value']],
  ['no credentials', { type: 'kubernetes.io/basic-auth' }, ['data[username]: Required value', 'data[password]: Required value']],
  ['no private key', { type: 'kubernetes.io/ssh-auth' }, ['data[ssh-privatekey]: Required value']],
  ['good registries', { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{"auths":{}}') } }, []],
  [
    'registries that cannot be read',
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{') } },
    ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
  ],
  [
    'registries of another form',
    { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': btoa('[]') } },
    [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ],
])
updates(validateSecretUpdate, secret, [
  ['another type', { type: 'b' }, { type: 'a' }, [`type: Invalid value: "b": ${immutable}`]],
  ['a change of what is immutable', { immutable: true, data: { a: 'AAAA' } }, { immutable: true }, [`data: Forbidden: ${frozen}`]],
])

describe('warnings', () => {
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
})
