// No client certificate for system:masters comes from a request.
// Kubernetes: plugin/pkg/admission/certificates/subjectrestriction.Plugin.Validate
import { parseSigningRequest } from '../../api/kinds/certificates/certificate-signing-request/signing-request.ts'
import { certificateSigningRequests } from '../../api/kinds.ts'
import type { CertificateSigningRequest } from '../../api/types.ts'
import { type AdmissionPlugin, among, creates } from './plugin.ts'

const signer = 'kubernetes.io/kube-apiserver-client'
const masters = 'system:masters'

export const certificateSubject: AdmissionPlugin = {
  concerns: among(certificateSigningRequests),
  check(write) {
    if (!creates(write)) return undefined
    const { spec } = write.next as typeof write.next & CertificateSigningRequest
    if (spec.signerName !== signer) return undefined
    const { organizations } = parseSigningRequest(atob(spec.request))
    return organizations.includes(masters) ? `use of ${signer} signer with ${masters} group is not allowed` : undefined
  },
}
