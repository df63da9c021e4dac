// CertificateSigningRequests: who requests a certificate, and who may approve or sign it.
// Kubernetes: plugin/pkg/admission/certificates/approval.Plugin.Validate
// Kubernetes: plugin/pkg/admission/certificates/signing.Plugin.Validate
// Kubernetes: pkg/registry/certificates/certificates.csrStrategy.PrepareForCreate
import { prepareForApproval } from '../../../api/kinds/certificates/certificate-signing-request/strategy.ts'
import { validateApproval } from '../../../api/kinds/certificates/certificate-signing-request/validation.ts'
import { certificateSigningRequests } from '../../../api/kinds.ts'
import { forbiddenError } from '../../../api/machinery/status-error.ts'
import type { CertificateSigningRequest, Writable } from '../../../api/types.ts'
import type { Authorizer } from '../../auth/authorizer.ts'
import { hasSignerPermission } from '../../auth/signer-permission.ts'
import type { UpdateRules } from '../../rest/update-rules.ts'
import type { Write } from '../../rest/write-steps.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

export const certificateSigningRequestBehavior: BehaviorDefinition = {
  kinds: [certificateSigningRequests],
  define: ({ authorizer }) => ({
    subresources: { approval: { rules: approvalRules } },
    identify: setRequester,
    authorize: (write) => checkSigner(write, authorizer),
  }),
}

const approvalRules: UpdateRules = {
  prepare: (next, current, context) =>
    prepareForApproval(next as Writable<CertificateSigningRequest>, current as CertificateSigningRequest, context),
  validate: (next, current) => validateApproval(next as typeof next & CertificateSigningRequest, current as CertificateSigningRequest),
  countsGeneration: false,
}

/** The requester is the caller, whatever the object says. */
function setRequester({ current, next, options: { caller } }: Write): void {
  if (current !== undefined) return
  const request = next as Writable<CertificateSigningRequest>
  const { username: _, uid: __, groups: ___, extra: ____, ...spec } = request.spec
  request.spec = {
    ...spec,
    username: caller.name,
    ...(caller.uid && { uid: caller.uid }),
    groups: [...caller.groups],
    ...(caller.extra && { extra: Object.fromEntries(Object.entries(caller.extra).map(([key, values]) => [key, [...values]])) }),
  } as Writable<CertificateSigningRequest>['spec']
}

/** Throws a StatusError (403) where the caller may not approve or sign for the signer. */
function checkSigner({ kind, subresource, current, options: { caller } }: Write, authorizer: Authorizer): void {
  if (current === undefined || subresource === undefined) return
  const { signerName } = (current as CertificateSigningRequest).spec
  const verb = subresource === 'approval' ? 'approve' : 'sign'
  if (hasSignerPermission(authorizer, caller, verb, signerName)) return
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`
  throw forbiddenError(kind, current.metadata?.name ?? '', why)
}
