// The messages are those of kube-apiserver v1.37.1.
import { expect, it } from 'vitest'
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { clusterTrustBundles } from './kind.ts'
import { authority, leaf, privateKey } from './testing/certificates.ts'
import { normalizeTrustAnchors } from './trust-anchors.ts'

const bundle: Subject = { type: 'certificates.ClusterTrustBundle', strategy: clusterTrustBundles.strategy, base: {} }
const refused = (problem: string) => `spec.trustBundle: Invalid value: "<value omitted>": ${problem}`
const named = (name: string, trustBundle: string, signerName?: string) => ({
  metadata: { name },
  spec: { ...(signerName && { signerName }), trustBundle },
})
const junk = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

const { validate, validateUpdate } = clusterTrustBundles.strategy!
creates(validate!, bundle, [
  ['one authority', named('x', authority), []],
  ['of a signer', named('a.b:c:x', authority, 'a.b/c'), []],
  ['text around it', named('x', `hello\n${authority}bye`), []],
  ['lines that end as on Windows', named('x', authority.replaceAll('\n', '\r\n')), []],
  ['no newline at the end', named('x', authority.trim()), []],
  ['nothing', named('x', ''), [refused('at least one trust anchor must be provided')]],
  ['a line that does not begin with it', named('x', ` ${authority}`), [refused('at least one trust anchor must be provided')]],
  ['broken base64', named('x', authority.replace('\nM', '\n!M')), [refused('at least one trust anchor must be provided')]],
  ['a certificate of no authority', named('x', leaf), [refused('entry 0 does not have the CA bit set')]],
  ['the same twice', named('x', authority + authority), [refused('duplicate trust anchor (indices [0 1])')]],
  [
    'headers',
    named('x', authority.replace('CERTIFICATE-----\n', 'CERTIFICATE-----\nA: b\n\n')),
    [refused('entry 0 has PEM block headers')],
  ],
  ['a key', named('x', privateKey), [refused('entry 0 has bad block type: PRIVATE KEY')]],
  [
    'several problems, without duplicates',
    named('x', leaf + junk + authority + authority),
    [refused('entry 0 does not have the CA bit set'), refused('entry 1 does not parse as X.509')],
  ],
  ['too much', named('x', 'x'.repeat(1048577)), ['spec.trustBundle: Too long: may not be more than 1048576 bytes']],
  [
    'a colon without a signer',
    named('a:x', authority),
    ['metadata.name: Invalid value: "a:x": ClusterTrustBundle without signer name must not have ":" in its name'],
  ],
  [
    'a name without its signer',
    named('x', authority, 'a.b/c'),
    ['metadata.name: Invalid value: "x": ClusterTrustBundle for signerName a.b/c must be named with prefix a.b:c:'],
  ],
  [
    'a signer without a domain',
    named('a:x', authority, 'a'),
    ['spec.signerName: Invalid value: "a": must be a fully qualified domain and path of the form \'example.com/signer-name\''],
  ],
])
updates(validateUpdate!, bundle, [
  ['an unchanged bundle that would be refused', named('x', leaf), named('x', leaf), []],
  ['a bad bundle', named('x', leaf), named('x', authority), [refused('entry 0 does not have the CA bit set')]],
  [
    'another signer',
    named('a.b:c:x', authority, 'a.b/d'),
    named('a.b:c:x', authority, 'a.b/c'),
    [
      'metadata.name: Invalid value: "a.b:c:x": ClusterTrustBundle for signerName a.b/d must be named with prefix a.b:d:',
      'spec.signerName: Invalid value: "a.b/d": field is immutable',
    ],
  ],
])

it('combines bundles to each trust anchor once', () => {
  expect(normalizeTrustAnchors([`text\n${authority}`, authority])).toBe(authority)
  expect(normalizeTrustAnchors([])).toBe('')
})
