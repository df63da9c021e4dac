// The certificates by which aggregated servers recognize this API server, and trust the callers that it names.
import { join } from 'node:path'
import { once } from '../../base/cached.ts'
import { createAuthority, createCertificate, type KeyAndCertificate } from './certificates.ts'
import { keepOrRenew, readPairIfAny } from './credentials.ts'

export const frontProxyName = 'front-proxy-client'

export interface FrontProxy {
  /** An authority of its own: certificates of the cluster's authority must not pass for the API server. */
  readonly authority: () => KeyAndCertificate
  readonly client: () => KeyAndCertificate
}

/** Both are read or created on first use. The authority is kept in the folder; the client's certificate is new at every start. */
export function openFrontProxy(folder: string, nowMs: number): FrontProxy {
  const authority = once(() => readOrCreateAuthority(join(folder, 'front-proxy-ca'), nowMs))
  const client = once(() => createCertificate(authority(), { commonName: frontProxyName, use: 'client' }, nowMs))
  return { authority, client }
}

function readOrCreateAuthority(path: string, nowMs: number): KeyAndCertificate {
  return keepOrRenew(path, readPairIfAny(path), nowMs, () => createAuthority('rollcall-front-proxy', nowMs))
}
