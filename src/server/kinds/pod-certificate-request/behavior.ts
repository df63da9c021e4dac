// Who may answer the request of a pod for a certificate.
// Kubernetes: pkg/registry/certificates/podcertificaterequest.StatusStrategy.ValidateUpdate
import { podCertificateRequests } from '../../../api/kinds.ts'
import { forbidden } from '../../../api/machinery/field-error.ts'
import { invalidError } from '../../../api/machinery/status-error.ts'
import type { PodCertificateRequest } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import type { Authorizer } from '../../auth/authorizer.ts'
import { hasSignerPermission } from '../../auth/signer-permission.ts'
import type { Write } from '../../rest/write-steps.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

export const podCertificateRequestBehavior: BehaviorDefinition = {
  kinds: [podCertificateRequests],
  define: ({ authorizer }) => ({ authorize: (write) => checkSigner(write, authorizer) }),
}

/** Throws a StatusError (422). */
function checkSigner({ kind, subresource, next, current, options: { caller } }: Write, authorizer: Authorizer): void {
  const before = current as PodCertificateRequest | undefined
  if (subresource !== 'status' || isEqualJson((next as typeof next & PodCertificateRequest).status, before?.status)) return
  const signer = before?.spec.signerName ?? ''
  if (hasSignerPermission(authorizer, caller, 'sign', signer)) return
  const why = `User ${JSON.stringify(caller.name)} is not permitted to "sign" for signer ${JSON.stringify(signer)}`
  throw invalidError(kind, next.metadata.name ?? '', [forbidden('spec.signerName', why)])
}
