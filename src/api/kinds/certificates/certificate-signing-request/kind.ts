import type { Kind } from '../../../machinery/kind.ts'
import type { CertificateSigningRequest } from '../../../types.ts'
import { certificateSigningRequestColumns } from './columns.ts'
import { certificateSigningRequestTypes } from './schema.ts'
import { certificateSigningRequestStrategy } from './strategy.ts'

export const certificateSigningRequests: Kind<CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  singular: 'certificatesigningrequest',
  shortNames: ['csr'],
  namespaced: false,
  type: 'certificates.CertificateSigningRequest',
  types: certificateSigningRequestTypes,
  strategy: certificateSigningRequestStrategy,
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  subresources: {
    status: true,
    others: [{ name: 'approval', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] }],
  },
  columns: certificateSigningRequestColumns,
}
