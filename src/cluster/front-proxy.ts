// The certificates by which aggregated servers recognize this API server, and trust the callers that it names.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority, createCertificate, expiryOf, type KeyAndCertificate } from './certificates.ts'
import { readPair, writePrivately } from './credentials.ts'

export const frontProxyName = 'front-proxy-client'

export interface FrontProxy {
  /** An authority of its own: certificates of the cluster's authority must not pass for the API server. */
  readonly authority: () => KeyAndCertificate
  readonly client: () => KeyAndCertificate
}

const renewalMs = 30 * 86_400_000

/** Both are read or created on first use. The authority is kept in the folder; the client's certificate is new at every start. */
export function openFrontProxy(folder: string, nowMs: number): FrontProxy {
  let authority: KeyAndCertificate | undefined
  let client: KeyAndCertificate | undefined
  const readAuthority = () => (authority ??= readOrCreateAuthority(join(folder, 'front-proxy-ca'), nowMs))
  return {
    authority: readAuthority,
    client: () => (client ??= createCertificate(readAuthority(), { commonName: frontProxyName, use: 'client' }, nowMs)),
  }
}

function readOrCreateAuthority(path: string, nowMs: number): KeyAndCertificate {
  const kept = existsSync(`${path}.crt`) && existsSync(`${path}.key`) ? readPair(path) : undefined
  if (kept !== undefined && expiryOf(kept) - nowMs >= renewalMs) return kept
  const created = createAuthority('rollcall-front-proxy', nowMs)
  writePrivately(`${path}.key`, created.key)
  writePrivately(`${path}.crt`, created.certificate)
  return created
}
