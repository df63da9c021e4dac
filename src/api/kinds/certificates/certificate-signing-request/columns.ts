import { formatDuration } from '../../../../base/human-duration.ts'
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { CertificateSigningRequest } from '../../../types.ts'

export const certificateSigningRequestColumns: Columns<CertificateSigningRequest> = {
  definitions: [
    nameColumn,
    ageColumn,
    text('SignerName', 'The signer that is asked.'),
    text('Requestor', 'The user who asks.'),
    text('RequestedDuration', 'How long the certificate shall be valid.'),
    text('Condition', 'Whether it has been approved or denied, and issued.'),
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    ageOf(object, nowMs),
    object.spec?.signerName || '<none>',
    object.spec?.username ?? '',
    object.spec?.expirationSeconds === undefined ? '<none>' : formatDuration(object.spec.expirationSeconds * 1000),
    conditionCell(object),
  ],
}

function conditionCell({ status }: CertificateSigningRequest): string {
  const types = new Set((status?.conditions ?? []).map(({ type }) => type))
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending'
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`
}
