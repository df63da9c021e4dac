// Who may approve, sign or attest for a signer.
// Kubernetes: pkg/certauthorization.IsAuthorizedForSignerName
import type { Caller } from '../rest/rest.ts'
import type { Authorizer } from './authorizer.ts'

/** The permission is for the signer, or for all signers of its domain: `example.com/*`. */
export const hasSignerPermission = (
  authorizer: Authorizer,
  caller: Caller,
  verb: 'approve' | 'sign' | 'attest',
  signerName: string,
): boolean =>
  [signerName, `${signerName.split('/')[0]}/*`].some(
    (name) =>
      authorizer.authorize(caller, { verb, group: 'certificates.k8s.io', resource: 'signers', subresource: '', namespace: '', name })
        .allowed,
  )
