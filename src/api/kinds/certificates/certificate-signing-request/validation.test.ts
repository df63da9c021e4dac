// The messages are those of kube-apiserver v1.37.1.
import { describe, expect, it } from 'vitest'
import { creates, make, run, type Subject } from '../../../testing/judge-rows.ts'
import { signingRequests } from '../../../testing/signing-requests.ts'
import type { CertificateSigningRequest } from '../../../types.ts'
import { certificateSigningRequests } from './kind.ts'
import { validateApproval, validateNewRequest, validateSigning } from './validation.ts'

const request = btoa(signingRequests.alice)
const subject: Subject = {
  type: 'certificates.CertificateSigningRequest',
  strategy: certificateSigningRequests.strategy,
  base: { metadata: { name: 'c' }, spec: { request, signerName: 'example.com/signer', usages: ['client auth'] } },
}
creates(validateNewRequest, subject, [
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
  [
    'a request that is no DER',
    { spec: { request: btoa('-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n') } },
    [expect.stringMatching(/^spec\.request: Invalid value: .*the data ends early$/s)],
  ],
  ['no usages', { spec: { usages: [] } }, ['spec.usages: Required value']],
])

/** The stored object has the same invalid part: v1beta1 of Kubernetes accepted these. */
describe('an invalid part that is stored already', () => {
  const condition = (type: string, status = 'True') => ({ type, status, lastUpdateTime: '2026-01-02T03:04:05Z' })
  const both = [condition('Approved'), condition('Denied')]
  /** A create drops the status. */
  const withPart = (part: { readonly status?: object }) => ({ ...make(subject, part), ...(part.status && { status: part.status }) })
  const { validateUpdate, validateStatusUpdate } = certificateSigningRequests.strategy
  const mayNotModify = 'status.certificate: Forbidden: updates may not modify existing certificate content'
  const stored: readonly (readonly [name: string, part: object])[] = [
    ['both decisions', { status: { conditions: both } }],
    ['a condition twice', { status: { conditions: [condition('Approved'), condition('Approved')] } }],
    ['a condition without a type', { status: { conditions: [condition('')] } }],
    ['a usage twice', { spec: { usages: ['client auth', 'client auth'] } }],
    ['an unknown usage', { spec: { usages: ['coffee'] } }],
    ['the legacy signer', { spec: { signerName: 'kubernetes.io/legacy-unknown' } }],
  ]
  for (const [endpoint, judge] of [
    ['the object', validateUpdate],
    ['its status', validateStatusUpdate],
    ['its approval', validateApproval],
  ] as const)
    it.each(stored)(`may stay in a write of ${endpoint}: %s`, (_, part) => {
      expect(run(judge as never, withPart(part), withPart(part))).toEqual([])
      expect(run(judge as never, withPart(part), withPart({}))).not.toEqual([])
    })

  it.each([
    ['another certificate than an invalid one', { certificate: btoa('b') }, { certificate: btoa('a') }, [mayNotModify]],
    [
      'a status that no condition may have, as in Kubernetes',
      { conditions: [condition('Approved', 'False')] },
      { conditions: [condition('Approved', 'False')] },
      ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
    ],
    [
      'an invalid part of another kind',
      { conditions: [...both, condition('')] },
      { conditions: both },
      ['status.conditions[2].type: Required value'],
    ],
  ])('does not excuse %s', (_, next, current, messages) =>
    expect(run(validateStatusUpdate as never, withPart({ status: next }), withPart({ status: current }))).toEqual(messages),
  )
})

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
  expect(validateNewRequest({ spec } as CertificateSigningRequest)).toHaveLength(1)
})
