import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { CertificateSigningRequest } from '../../../types.ts'
import { validateCertificateSigningRequest } from './validation.ts'

export const certificateSigningRequestStrategy: Strategy<CertificateSigningRequest> = {
  names: 'any',
  ...ownStatus('certificates.CertificateSigningRequestStatus'),
  validate: validateCertificateSigningRequest,
  validateUpdate: (next) => validateCertificateSigningRequest(next),
}
