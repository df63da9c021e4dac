// The certificates and the token of a cluster: created at the first start, in files that only their owner can read.
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import { createAuthority, createCertificate, createKey, expiryOf, type KeyAndCertificate, renewAuthority } from './certificates.ts'

export interface Credentials {
  readonly authority: KeyAndCertificate
  readonly server: KeyAndCertificate
  /** A member of system:masters. */
  readonly admin: KeyAndCertificate
  readonly token: string
  /** PEM. Signs the tokens of service accounts. */
  readonly serviceAccountKey: string
}

/** The names by which a server can be reached from its own machine. */
export const localHosts: readonly string[] = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'rollcall',
]

const dayMs = 86_400_000
/** Certificates are renewed this long before they expire. */
const renewalMs = 30 * dayMs
/** How often a running cluster checks. */
const checkMs = dayMs

export function createCredentials(hosts: readonly string[], nowMs: number): Credentials {
  const authority = createAuthority('rollcall', nowMs)
  return {
    authority,
    server: createServerCertificate(authority, hosts, nowMs),
    admin: createAdminCertificate(authority, nowMs),
    token: randomBytes(24).toString('base64url'),
    serviceAccountKey: createKey(),
  }
}

const createServerCertificate = (authority: KeyAndCertificate, hosts: readonly string[], nowMs: number) =>
  createCertificate(authority, { commonName: 'rollcall', use: 'server', hosts }, nowMs)

const createAdminCertificate = (authority: KeyAndCertificate, nowMs: number) =>
  createCertificate(authority, { commonName: 'kubernetes-admin', organizations: ['system:masters'], use: 'client' }, nowMs)

/**
 * Reads the credentials in the folder, and creates those that are missing. Renews certificates that expire soon, and a server certificate
 * that does not name all hosts. Throws an Error for a file that cannot be used.
 */
export function readOrCreateCredentials(folder: string, hosts: readonly string[], nowMs: number): Credentials {
  makeDirectory(folder)
  const files = {
    authority: join(folder, 'ca'),
    server: join(folder, 'server'),
    admin: join(folder, 'admin'),
    token: join(folder, 'token'),
    serviceAccountKey: join(folder, 'service-accounts.key'),
  }
  if (![`${files.authority}.crt`, `${files.authority}.key`, `${files.admin}.crt`, `${files.admin}.key`, files.token].every(existsSync)) {
    const made = createCredentials(hosts, nowMs)
    writePair(files.authority, made.authority)
    writePair(files.server, made.server)
    writePair(files.admin, made.admin)
    writePrivately(files.token, `${made.token}\n`)
    writePrivately(files.serviceAccountKey, made.serviceAccountKey)
    return made
  }
  const token = readToken(files.token)
  const oldAuthority = readPair(files.authority)
  const authority = keepOrRenew(files.authority, oldAuthority, nowMs, () => renewAuthority(oldAuthority, nowMs))
  const kept = readPairIfAny(files.server)
  const server = kept && namesAll(kept, hosts) ? kept : undefined
  return {
    authority,
    server: keepOrRenew(files.server, server, nowMs, () => createServerCertificate(authority, hosts, nowMs)),
    admin: keepOrRenew(files.admin, readPair(files.admin), nowMs, () => createAdminCertificate(authority, nowMs)),
    token,
    serviceAccountKey: readOrCreateKey(files.serviceAccountKey),
  }
}

/** The pair, or a new one in its file where there is none or it expires soon. */
export function keepOrRenew(
  path: string,
  kept: KeyAndCertificate | undefined,
  nowMs: number,
  renew: () => KeyAndCertificate,
): KeyAndCertificate {
  if (kept !== undefined && expiryOf(kept) - nowMs >= renewalMs) return kept
  const renewed = renew()
  writePair(path, renewed)
  return renewed
}

/** Renews the credentials in the folder while the cluster runs, and passes on the new ones. */
export function keepCredentialsValid(
  { folder, hosts, clock, onFailure }: CredentialsInUse,
  current: Credentials,
  onRenewed: (credentials: Credentials) => void | Promise<void>,
): CancelTimer {
  let known = current
  let dueMs = renewalTimeOf(known)
  let cancel: CancelTimer = () => {}
  const check = async () => {
    if (clock.now() <= dueMs) return
    try {
      const read = readOrCreateCredentials(folder, hosts, clock.now())
      const isSame = (['authority', 'server', 'admin'] as const).every((one) => read[one].certificate === known[one].certificate)
      if (!isSame) await onRenewed(read)
      known = read
      dueMs = renewalTimeOf(known)
    } catch (error) {
      onFailure(error)
    }
  }
  const schedule = () => {
    cancel = clock.after(checkMs, () => {
      schedule()
      void check()
    })
  }
  schedule()
  return () => cancel()
}

const renewalTimeOf = ({ authority, server, admin }: Credentials) => Math.min(...[authority, server, admin].map(expiryOf)) - renewalMs

interface CredentialsInUse {
  readonly folder: string
  readonly hosts: readonly string[]
  readonly clock: Clock
  /** The check is repeated later. */
  onFailure(error: unknown): void
}

export function namesAll({ certificate }: KeyAndCertificate, hosts: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate)
  return hosts.every((host) => (isIP(host) === 0 ? parsed.checkHost(host) : parsed.checkIP(host)) !== undefined)
}

const orNew = 'Restore it, or delete the folder for new credentials.'

function readToken(path: string): string {
  const token = readFileSync(path, 'utf8').trim()
  if (token === '') throw new Error(`Cannot use token file ${JSON.stringify(path)}: it is empty. ${orNew}`)
  return token
}

function readOrCreateKey(path: string): string {
  if (!existsSync(path)) writePrivately(path, createKey())
  const key = readFileSync(path, 'utf8')
  try {
    createPrivateKey(key)
    return key
  } catch {
    throw new Error(`Cannot use key ${JSON.stringify(path)}: it is damaged. ${orNew}`)
  }
}

export function readPair(path: string): KeyAndCertificate {
  const pair = { key: readFileSync(`${path}.key`, 'utf8'), certificate: readFileSync(`${path}.crt`, 'utf8') }
  try {
    if (new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key))) return pair
  } catch {
    throw new Error(`Cannot use certificate ${JSON.stringify(`${path}.crt`)}: it or its key is damaged. ${orNew}`)
  }
  throw new Error(`Cannot use certificate ${JSON.stringify(`${path}.crt`)}: it does not belong to its key. ${orNew}`)
}

/** Undefined where one of the files is missing. */
export const readPairIfAny = (path: string): KeyAndCertificate | undefined =>
  existsSync(`${path}.crt`) && existsSync(`${path}.key`) ? readPair(path) : undefined

function writePair(path: string, { key, certificate }: KeyAndCertificate): void {
  writePrivately(`${path}.key`, key)
  writePrivately(`${path}.crt`, certificate)
}

/** Writes the file atomically. Only its owner can read it, from the first byte on. */
export function writePrivately(path: string, text: string): void {
  makeDirectory(dirname(path))
  const draft = `${path}.${process.pid}.new`
  rmSync(draft, { force: true })
  try {
    // `wx` does not follow a link that another user has placed there.
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
