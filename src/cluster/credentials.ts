// Who may come in, and how the server proves itself: made at the first start, kept in files that only their owner can read.
import { randomBytes, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../store/make-directory.ts'
import { createAuthority, createCertificate, type KeyAndCertificate } from './certificates.ts'

export interface Credentials {
  readonly authority: KeyAndCertificate
  readonly server: KeyAndCertificate
  /** A member of system:masters. */
  readonly admin: KeyAndCertificate
  readonly token: string
}

/** The names by which every server can be reached from its own machine. */
export const localHosts: readonly string[] = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'rollcall',
]

export function createCredentials(hosts: readonly string[], nowMs: number): Credentials {
  const authority = createAuthority('rollcall', nowMs)
  return {
    authority,
    server: createServerCertificate(authority, hosts, nowMs),
    admin: createCertificate(authority, { commonName: 'kubernetes-admin', organizations: ['system:masters'], use: 'client' }, nowMs),
    token: randomBytes(24).toString('base64url'),
  }
}

const createServerCertificate = (authority: KeyAndCertificate, hosts: readonly string[], nowMs: number) =>
  createCertificate(authority, { commonName: 'rollcall', use: 'server', hosts }, nowMs)

/** What the folder has, with a server certificate that fits the hosts; what it lacks is made and written. */
export function readOrCreateCredentials(folder: string, hosts: readonly string[], nowMs: number): Credentials {
  makeDirectory(folder)
  const files = {
    authority: join(folder, 'ca'),
    server: join(folder, 'server'),
    admin: join(folder, 'admin'),
    token: join(folder, 'token'),
  }
  if (![`${files.authority}.crt`, `${files.authority}.key`, `${files.admin}.crt`, `${files.admin}.key`, files.token].every(existsSync)) {
    const made = createCredentials(hosts, nowMs)
    writePair(files.authority, made.authority)
    writePair(files.server, made.server)
    writePair(files.admin, made.admin)
    writePrivately(files.token, `${made.token}\n`)
    return made
  }
  const authority = readPair(files.authority)
  const kept = existsSync(`${files.server}.crt`) && existsSync(`${files.server}.key`) ? readPair(files.server) : undefined
  const server = kept !== undefined && fits(kept, hosts, nowMs) ? kept : createServerCertificate(authority, hosts, nowMs)
  if (server !== kept) writePair(files.server, server)
  return { authority, server, admin: readPair(files.admin), token: readFileSync(files.token, 'utf8').trim() }
}

function fits({ certificate }: KeyAndCertificate, hosts: readonly string[], nowMs: number): boolean {
  const parsed = new X509Certificate(certificate)
  if (Date.parse(parsed.validTo) < nowMs) return false
  return hosts.every((host) => (isIP(host) === 0 ? parsed.checkHost(host) : parsed.checkIP(host)) !== undefined)
}

const readPair = (path: string): KeyAndCertificate => ({
  key: readFileSync(`${path}.key`, 'utf8'),
  certificate: readFileSync(`${path}.crt`, 'utf8'),
})

function writePair(path: string, { key, certificate }: KeyAndCertificate): void {
  writePrivately(`${path}.key`, key)
  writePrivately(`${path}.crt`, certificate)
}

/** Whole or not at all, and readable by its owner only from the first byte on. */
export function writePrivately(path: string, text: string): void {
  makeDirectory(dirname(path))
  const draft = `${path}.${process.pid}.new`
  rmSync(draft, { force: true })
  try {
    // Not through a link that somebody else has put there.
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
