// The user of a service account token: it must be signed by this cluster, valid now, meant for the audience, and bound to objects
// that still exist.
// Kubernetes: pkg/serviceaccount.jwtTokenAuthenticator.AuthenticateToken, validator.Validate
import type { KubernetesObject } from '../../api/types.ts'
import type { Caller } from '../rest/rest.ts'
import { authenticatedGroup } from './authorizer.ts'
import { serviceAccountGroups, serviceAccountUser } from './service-account-names.ts'
import type { BoundObject, ServiceAccountTokens, TokenClaims } from './service-account-tokens.ts'

export type BoundKind = 'serviceaccounts' | 'pods' | 'secrets' | 'nodes'

/** Reads an object that a token is bound to. Namespace '' for nodes. */
export type ReadBound = (kind: BoundKind, namespace: string, name: string) => KubernetesObject | undefined

export interface TokenOwner {
  readonly caller: Caller
  readonly audiences: readonly string[]
}

/** A string is the reason why the token is not accepted; undefined for a token of another issuer. */
export type AuthenticateServiceAccount = (token: string, audiences: readonly string[]) => TokenOwner | string | undefined

export function createServiceAccountAuthenticator(
  tokens: ServiceAccountTokens,
  read: ReadBound,
  nowMs: () => number,
): AuthenticateServiceAccount {
  return (token, wanted) => {
    const claims = tokens.verify(token)
    if (claims === undefined) return undefined
    const audiences = claims.aud.filter((one) => wanted.includes(one))
    const list = (values: readonly string[]) => `[${values.map((one) => JSON.stringify(one)).join(' ')}]`
    if (audiences.length === 0) return `token audiences ${list(claims.aud)} is invalid for the target audiences ${list(wanted)}`
    const now = nowMs() / 1000
    if (now > claims.exp) return 'service account token has expired'
    if (now < claims.nbf - 10) return 'service account token is not valid yet'
    const problem = findUnbound(claims, read)
    return problem ?? { caller: callerOf(claims), audiences }
  }
}

function findUnbound({ 'kubernetes.io': bound }: TokenClaims, read: ReadBound): string | undefined {
  const isThere = (kind: BoundKind, object: BoundObject | undefined) =>
    object === undefined || read(kind, kind === 'nodes' ? '' : bound.namespace, object.name)?.metadata?.uid === object.uid
  if (!isThere('serviceaccounts', bound.serviceaccount)) return 'service account token has been invalidated'
  const isBound =
    isThere('secrets', bound.secret) && isThere('pods', bound.pod) && (bound.pod !== undefined || isThere('nodes', bound.node))
  return isBound ? undefined : 'service account token has been invalidated'
}

function callerOf({ jti, 'kubernetes.io': { namespace, serviceaccount, pod, node } }: TokenClaims): Caller {
  const prefix = 'authentication.kubernetes.io'
  return {
    name: serviceAccountUser(namespace, serviceaccount.name),
    uid: serviceaccount.uid,
    groups: [...serviceAccountGroups(namespace), authenticatedGroup],
    extra: {
      [`${prefix}/credential-id`]: [`JTI=${jti}`],
      ...(node && { [`${prefix}/node-name`]: [node.name], [`${prefix}/node-uid`]: [node.uid] }),
      ...(pod && { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid] }),
    },
  }
}
