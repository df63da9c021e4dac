// The messages are those of kube-apiserver v1.36.4.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { certificateSigningRequests } from './kind.ts'
import { validateCertificateSigningRequest } from './validation.ts'

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
