// The messages are those of kube-apiserver v1.37.1.
import { describe, expect, it } from 'vitest'
import { readPemBlocks } from '../../../machinery/pem.ts'
import { creates, run, type Subject } from '../../../testing/judge-rows.ts'
import { signingRequests } from '../../../testing/signing-requests.ts'
import { parseCertificate } from '../certificate.ts'
import { authority, leaf } from '../cluster-trust-bundle/testing/certificates.ts'
import { podCertificateRequests } from './kind.ts'
import { validatePodCertificateRequest, validatePodCertificateRequestStatusUpdate } from './validation.ts'

const spec = {
  signerName: 'example.org/s',
  podName: 'p',
  podUID: 'u',
  serviceAccountName: 'default',
  serviceAccountUID: 'u',
  nodeName: 'n',
  nodeUID: 'u',
  maxExpirationSeconds: 86_400,
  stubPKCS10Request: signingRequests.alice.replaceAll(/-----[^-]*-----|\s/g, ''),
}
const request: Subject = {
  type: 'certificates.PodCertificateRequest',
  strategy: podCertificateRequests.strategy,
  base: { metadata: { name: 'r', namespace: 'default' }, spec },
}
creates(validatePodCertificateRequest, request, [
  ['a good one', {}, []],
  ['a default lifetime', { spec: { maxExpirationSeconds: undefined } }, []],
  [
    'a long lifetime for a signer of Kubernetes, and no uid',
    { spec: { signerName: 'kubernetes.io/s', maxExpirationSeconds: 86_401, podUID: '' } },
    [
      'spec.podUID: Invalid value: "": must not be empty',
      'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]',
    ],
  ],
  [
    'no request',
    { spec: { stubPKCS10Request: undefined } },
    ['spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'],
  ],
  ['no PKCS#10', { spec: { stubPKCS10Request: 'AAAA' } }, ['spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR']],
])

describe('validatePodCertificateRequestStatusUpdate()', () => {
  const condition = (type: string, status = 'True') => ({
    type,
    status,
    reason: 'R',
    message: '',
    lastTransitionTime: '2026-11-01T12:00:00Z',
  })
  it.each([
    ['a denial', { conditions: [condition('Denied')] }, {}, []],
    [
      'a denial with a certificate',
      { conditions: [condition('Denied')], certificateChain: authority },
      {},
      ['status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest'],
    ],
    [
      'a change after the denial',
      { conditions: [condition('Failed')] },
      { conditions: [condition('Denied')] },
      ['status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed'],
    ],
    [
      'another condition',
      { conditions: [condition('X')] },
      {},
      ['status.conditions.[0].type: Unsupported value: "X": supported values: "Issued", "Denied", "Failed"'],
    ],
    [
      'no outcome',
      { certificateChain: authority },
      {},
      ['status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"'],
    ],
    [
      'no certificate',
      { conditions: [condition('Issued')] },
      {},
      ['status.certificateChain: Invalid value: "": issued certificate chain must contain at least one certificate'],
    ],
    [
      'a certificate of another key',
      { conditions: [condition('Issued')], certificateChain: authority },
      {},
      [expect.stringMatching(/: leaf certificate was not issued to the requested public key$/)],
    ],
  ])('judges %s', (_name, status, before, messages) => {
    const object = { metadata: { name: 'r' }, spec }
    expect(run(validatePodCertificateRequestStatusUpdate, { ...object, status }, { ...object, status: before })).toEqual(messages)
  })
})

it('parseCertificate() reads the validity and the key', () => {
  const [first, second] = [authority, leaf].map((pem) => parseCertificate(readPemBlocks(pem)[0]!.bytes))
  expect(new Date(first!.notBeforeMs).toISOString()).toBe('2026-11-19T04:28:17.000Z')
  expect(first!.notAfterMs - first!.notBeforeMs).toBe(3650 * 86_400_000)
  expect(first!.publicKey).toHaveLength(91)
  expect(first!.publicKey).not.toEqual(second!.publicKey)
  expect(() => parseCertificate(Uint8Array.of(0x30, 0))).toThrow('the certificate is incomplete')
})
