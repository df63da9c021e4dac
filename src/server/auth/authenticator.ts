// Authentication by bearer token, or by a client certificate of the cluster's own CA.
// Kubernetes: k8s.io/apiserver/pkg/authentication/request/bearertoken.Authenticator.AuthenticateRequest
// Kubernetes: k8s.io/apiserver/pkg/authentication/request/x509.Authenticator.AuthenticateRequest, CommonNameUserConversion

import { createHash, timingSafeEqual } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { getOrAdd } from '../../base/maps.ts'
import type { Caller } from '../rest/rest.ts'
import { authenticatedGroup } from './authorizer.ts'
import type { AuthenticateServiceAccount, TokenOwner } from './service-account-authenticator.ts'

interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined
  readonly socket: TLSSocket
}

/** `invalid` for wrong credentials; `anonymous` without credentials. */
export type Authenticate = (credentials: Credentials) => Caller | 'anonymous' | 'invalid'

interface KnownToken {
  readonly token: string
  readonly caller: Caller
}

/** For TokenReview: the owner of the token, or why it is not valid. Without audiences: those of the API server. */
export type ReviewToken = (token: string, audiences?: readonly string[]) => TokenOwner | { readonly error: string }

interface Authenticator {
  readonly authenticate: Authenticate
  readonly reviewToken: ReviewToken
}

interface AuthenticatorOptions {
  readonly serviceAccounts?: AuthenticateServiceAccount
  /** The audiences of the API server. */
  readonly audiences?: readonly string[]
}

const invalidToken = 'invalid bearer token'

export function createAuthenticator(tokens: readonly KnownToken[], options: AuthenticatorOptions = {}): Authenticator {
  const { serviceAccounts, audiences: ownAudiences = [] } = options
  const known = tokens.map(({ token, caller }) => ({ digest: digestOf(token), caller: authenticated(caller) }))
  // Compares with every token in constant time, so that the duration reveals nothing about them.
  const findKnown = (token: string): Caller | undefined => {
    const digest = digestOf(token)
    let found: Caller | undefined
    for (const one of known) if (timingSafeEqual(one.digest, digest)) found = one.caller
    return found
  }
  const reviewToken: ReviewToken = (token, audiences = ownAudiences) => {
    const caller = findKnown(token)
    if (caller !== undefined) return { caller, audiences }
    const owner = serviceAccounts?.(token, audiences)
    if (typeof owner === 'string') return { error: `[${invalidToken}, ${owner}]` }
    return owner ?? { error: invalidToken }
  }
  // All requests of a connection usually have the same header. Tokens of service accounts are checked each time, as they expire.
  const callers = new WeakMap<TLSSocket, { readonly authorization: string; readonly caller: Caller }>()
  return {
    reviewToken,
    authenticate({ authorization, socket }) {
      if (authorization === undefined) return callerOfCertificate(socket)
      const remembered = callers.get(socket)
      if (remembered?.authorization === authorization) return remembered.caller
      const token = /^\s*bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]
      const caller = token === undefined ? undefined : findKnown(token)
      if (caller !== undefined) {
        callers.set(socket, { authorization, caller })
        return caller
      }
      const byCertificate = callerOfCertificate(socket)
      if (byCertificate !== 'anonymous' || token === undefined) return byCertificate
      const owner = serviceAccounts?.(token, ownAudiences)
      return typeof owner === 'object' ? owner.caller : 'invalid'
    },
  }
}

const digestOf = (token: string) => createHash('sha256').update(token).digest()

function authenticated(caller: Caller): Caller {
  return caller.groups.includes(authenticatedGroup) ? caller : { ...caller, groups: [...caller.groups, authenticatedGroup] }
}

const certificateCallers = new WeakMap<TLSSocket, Caller | 'anonymous' | 'invalid'>()

/** The common name is the user, the organizations are the groups. */
const callerOfCertificate = (socket: TLSSocket) => getOrAdd(certificateCallers, socket, () => readCertificate(socket))

function readCertificate(socket: TLSSocket): Caller | 'anonymous' | 'invalid' {
  const certificate = socket.getPeerCertificate?.()
  const subject = certificate?.subject as { readonly CN?: unknown; readonly O?: unknown } | undefined
  if (subject === undefined || subject === null) return 'anonymous'
  if (!socket.authorized || typeof subject.CN !== 'string' || subject.CN === '') return 'invalid'
  const organizations = Array.isArray(subject.O) ? subject.O : subject.O === undefined ? [] : [subject.O]
  const digest = createHash('sha256').update(certificate!.raw).digest('hex')
  return authenticated({
    name: subject.CN,
    groups: organizations.map(String),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
  })
}
