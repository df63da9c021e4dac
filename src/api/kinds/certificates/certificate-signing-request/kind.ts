// Kubernetes: pkg/registry/certificates/certificates.csrStrategy.*, csrStatusStrategy.*, csrApprovalStrategy.*, SelectableFields
// Kubernetes: pkg/printers/internalversion.printCertificateSigningRequest
// Kubernetes: pkg/apis/certificates/v1.addConversionFuncs
import { formatHumanDuration } from '../../../../base/duration.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { keepSpec, keepStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { CertificateSigningRequest } from '../../../types.ts'
import { prepareForSigning } from './strategy.ts'
import { validateCertificateSigningRequest, validateNewRequest, validateSigning } from './validation.ts'

export const certificateSigningRequests: Kind<CertificateSigningRequest> = {
  ...resource('certificates.CertificateSigningRequest'),
  strategy: {
    names: 'any',
    metadata: { onUpdate: ['as new', 'changes'], onStatusUpdate: ['as new', 'changes'] },
    ...ownStatus('certificates.CertificateSigningRequestStatus'),
    prepareForUpdate(next, current) {
      keepSpec(next, current)
      keepStatus(next, current)
    },
    prepareForStatusUpdate: prepareForSigning,
    resetFields: {
      object: { 'f:spec': {}, 'f:status': {} },
      status: { 'f:spec': {}, 'f:status': { 'f:conditions': {} } },
      approval: { 'f:spec': {}, 'f:status': { 'f:certificate': {} } },
    },
    validate: validateNewRequest,
    validateUpdate: validateCertificateSigningRequest,
    validateStatusUpdate: validateSigning,
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  unknownFieldMessage: unsupportedField,
  columns: columnsOf([
    nameColumn,
    ageColumn,
    text('SignerName', 'The signer that is asked.', ({ spec }) => spec?.signerName || '<none>'),
    text('Requestor', 'The user who asks.', ({ spec }) => spec?.username ?? ''),
    text('RequestedDuration', 'How long the certificate shall be valid.', ({ spec }) =>
      spec?.expirationSeconds === undefined ? '<none>' : formatHumanDuration(spec.expirationSeconds * 1000),
    ),
    text('Condition', 'Whether it has been approved or denied, and issued.', conditionCell),
  ]),
}

function conditionCell({ status }: CertificateSigningRequest): string {
  const types = new Set((status?.conditions ?? []).map(({ type }) => type))
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending'
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`
}
