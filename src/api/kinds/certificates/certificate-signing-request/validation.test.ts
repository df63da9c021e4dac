// The messages are those of kube-apiserver v1.36.4.
import { describe, expect, it } from 'vitest'
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import type { CertificateSigningRequest } from '../../../types.ts'
import { certificateSigningRequests } from './kind.ts'
import { validateCertificateSigningRequest, validateSigning } from './validation.ts'

const request = btoa('-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n')
const subject: Subject = {
  type: 'certificates.CertificateSigningRequest',
  strategy: certificateSigningRequests.strategy,
  base: { metadata: { name: 'c' }, spec: { request, signerName: 'example.com/signer', usages: ['client auth'] } },
}
creates(validateCertificateSigningRequest, subject, [
  ['a good one', {}, []],
  [
    'a short time, the same usage twice and another signer',
    { spec: { expirationSeconds: 60, usages: ['client auth', 'client auth'], signerName: 'signer' } },
    [
      'spec.usages[1]: Duplicate value: "client auth"',
      'spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      'spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)',
    ],
  ],
  ['no usages', { spec: { usages: [] } }, ['spec.usages: Required value']],
])

const endless = (type: string) => btoa(`-----BEGIN ${type}-----\n`.repeat(60_000))

describe('a certificate', () => {
  const problems = (text: string) => {
    const before = subject.base as unknown as CertificateSigningRequest
    return validateSigning({ ...before, status: { certificate: text } }, before).map(({ detail }) => detail)
  }
  const block = (type: string, body = 'MA==\n', end = type) => `-----BEGIN ${type}-----\n${body}-----END ${end}-----\n`
  const none = 'must contain at least one CERTIFICATE PEM block'

  it.each([
    ['one block', block('CERTIFICATE'), []],
    ['a chain with text around it', `a\n${block('CERTIFICATE')}b\n${block('CERTIFICATE')}c`, []],
    ['no block', 'a', [none]],
    ['a block that ends as another', block('CERTIFICATE', 'MA==\n', 'X'), [none]],
    ['a key beside it', block('CERTIFICATE') + block('PRIVATE KEY'), ['only CERTIFICATE PEM blocks are allowed, found "PRIVATE KEY"']],
    ['headers', block('CERTIFICATE', 'a: b\n\nMA==\n'), ['no PEM block headers are permitted']],
  ])('with %s', (_, text, expected) => expect(problems(btoa(text))).toEqual(expected))

  it('with many beginnings and no end takes little time', () => expect(problems(endless('CERTIFICATE'))).toEqual([none]))
})

it('a request with many beginnings and no end takes little time', () => {
  const spec = { ...(subject.base as unknown as CertificateSigningRequest).spec, request: endless('CERTIFICATE REQUEST') }
  expect(validateCertificateSigningRequest({ spec } as CertificateSigningRequest)).toHaveLength(1)
})
