import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { CertificateSigningRequest } from '../../../types.ts'
import { certificateSigningRequestColumns } from './columns.ts'
import { certificateSigningRequestTypes } from './schema.ts'
import { validateCertificateSigningRequest } from './validation.ts'

export const certificateSigningRequests: Kind<CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  shortNames: ['csr'],
  namespaced: false,
  type: 'certificates.CertificateSigningRequest',
  types: certificateSigningRequestTypes,
  strategy: {
    names: 'any',
    ...ownStatus('certificates.CertificateSigningRequestStatus'),
    validate: validateCertificateSigningRequest,
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  subresources: {
    status: true,
    others: [{ name: 'approval', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] }],
  },
  columns: certificateSigningRequestColumns,
}
