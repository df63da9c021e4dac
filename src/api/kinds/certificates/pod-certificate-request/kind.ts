// Kubernetes: pkg/registry/certificates/podcertificaterequest.Strategy.*, StatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printPodCertificateRequest
import { columnsOf, labelsCell, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { fill } from '../../../machinery/fields.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PodCertificateRequest } from '../../../types.ts'
import {
  validatePodCertificateRequest,
  validatePodCertificateRequestStatusUpdate,
  validatePodCertificateRequestUpdate,
} from './validation.ts'

export const podCertificateRequests: Kind<PodCertificateRequest> = {
  ...resource('certificates.PodCertificateRequest'),
  strategy: {
    unconditionalUpdate: false,
    ...ownStatus('certificates.PodCertificateRequestStatus'),
    ...onlyStatus(),
    default(request) {
      if (request.spec) request.spec = fill('certificates.PodCertificateRequestSpec', request.spec, { maxExpirationSeconds: 86_400 })
    },
    validate: validatePodCertificateRequest,
    validateUpdate: validatePodCertificateRequestUpdate,
    validateStatusUpdate: validatePodCertificateRequestStatusUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('PodName', 'The pod that needs the certificate.', ({ spec }) => spec?.podName ?? ''),
    text('ServiceAccountName', 'The service account of the pod.', ({ spec }) => spec?.serviceAccountName ?? ''),
    text('NodeName', 'The node of the pod.', ({ spec }) => spec?.nodeName ?? ''),
    text('SignerName', 'Who is asked to sign.', ({ spec }) => spec?.signerName ?? ''),
    text('State', 'Pending, Issued, Denied or Failed.', ({ status }) => status?.conditions?.at(-1)?.type ?? 'Pending'),
    {
      ...text('UnverifiedUserAnnotations', 'What the pod tells the signer.', ({ spec }) => labelsCell(spec?.unverifiedUserAnnotations)),
      priority: 1,
    },
  ]),
}
