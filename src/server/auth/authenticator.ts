// Authentication by bearer token, or by a client certificate of the cluster's own CA.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Caller } from '../rest/rest.ts'

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

interface Authenticator {
  readonly authenticate: Authenticate
  /** For TokenReview: the owner of the token, if it is valid. */
  reviewToken(token: string): Caller | undefined
}

export const authenticatedGroup = 'system:authenticated'

export function createAuthenticator(tokens: readonly KnownToken[]): Authenticator {
  const known = tokens.map(({ token, caller }) => ({ digest: digestOf(token), caller: authenticated(caller) }))
  // Compares with every token in constant time, so that the duration reveals nothing about them.
  const reviewToken = (token: string): Caller | undefined => {
    const digest = digestOf(token)
    let found: Caller | undefined
    for (const one of known) if (timingSafeEqual(one.digest, digest)) found = one.caller
    return found
  }
  // All requests of a connection usually have the same header.
  const callers = new WeakMap<TLSSocket, { readonly authorization: string; readonly caller: Caller }>()
  return {
    reviewToken,
    authenticate({ authorization, socket }) {
      if (authorization === undefined) return callerOfCertificate(socket)
      const remembered = callers.get(socket)
      if (remembered?.authorization === authorization) return remembered.caller
      const token = /^\s*bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]
      const caller = token === undefined ? undefined : reviewToken(token)
      if (caller === undefined) {
        const byCertificate = callerOfCertificate(socket)
        return byCertificate === 'anonymous' && token !== undefined ? 'invalid' : byCertificate
      }
      callers.set(socket, { authorization, caller })
      return caller
    },
  }
}

const digestOf = (token: string) => createHash('sha256').update(token).digest()

function authenticated(caller: Caller): Caller {
  return caller.groups.includes(authenticatedGroup) ? caller : { ...caller, groups: [...caller.groups, authenticatedGroup] }
}

const certificateCallers = new WeakMap<TLSSocket, Caller | 'anonymous' | 'invalid'>()

/** The common name is the user, the organizations are the groups. */
function callerOfCertificate(socket: TLSSocket): Caller | 'anonymous' | 'invalid' {
  let caller = certificateCallers.get(socket)
  if (caller === undefined) {
    caller = readCertificate(socket)
    certificateCallers.set(socket, caller)
  }
  return caller
}

function readCertificate(socket: TLSSocket): Caller | 'anonymous' | 'invalid' {
  const subject = socket.getPeerCertificate?.()?.subject as { readonly CN?: unknown; readonly O?: unknown } | undefined
  if (subject === undefined || subject === null) return 'anonymous'
  if (!socket.authorized || typeof subject.CN !== 'string' || subject.CN === '') return 'invalid'
  const organizations = Array.isArray(subject.O) ? subject.O : subject.O === undefined ? [] : [subject.O]
  return authenticated({ name: subject.CN, groups: organizations.map(String) })
}
