// CertificateSigningRequests: who requests a certificate, and who may approve or sign it.
// Kubernetes: plugin/pkg/admission/certificates/approval.Plugin.Validate
// Kubernetes: plugin/pkg/admission/certificates/signing.Plugin.Validate
// Kubernetes: pkg/registry/certificates/certificates.csrStrategy.PrepareForCreate
import type { Kind } from '../../api/machinery/kind.ts'
import { forbiddenError } from '../../api/machinery/status-error.ts'
import type { CertificateSigningRequest, Writable } from '../../api/types.ts'
import { isMaster } from '../auth/authorizer.ts'
import type { Write } from './write-steps.ts'

const isRequest = ({ type }: Kind) => type === 'certificates.CertificateSigningRequest'

/** The requester is the caller, whatever the object says. */
export function setRequester({ kind, current, next, options: { caller } }: Write): void {
  if (!isRequest(kind) || current !== undefined) return
  const request = next as unknown as Writable<CertificateSigningRequest>
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
export function checkSigner({ scope, kind, subresource, current, options: { caller } }: Write): void {
  if (!isRequest(kind) || current === undefined || subresource === undefined || isMaster(caller)) return
  const { signerName } = (current as CertificateSigningRequest).spec
  const verb = subresource === 'approval' ? 'approve' : 'sign'
  const names = [signerName, `${signerName.split('/')[0]}/*`]
  const isAllowed = names.some(
    (name) =>
      scope.authorizer.authorize(caller, { verb, group: kind.group, resource: 'signers', subresource: '', namespace: '', name }).allowed,
  )
  if (isAllowed) return
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`
  throw forbiddenError(kind, current.metadata?.name ?? '', why)
}
