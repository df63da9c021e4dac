import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { CertificateSigningRequest } from '../../../types.ts'

export const certificateSigningRequestStrategy: Strategy<CertificateSigningRequest> = {
  names: 'any',
  ...ownStatus('certificates.CertificateSigningRequestStatus'),
}
