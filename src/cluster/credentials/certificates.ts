// A certificate authority of our own, and the certificates that it signs: P-256, X.509 v3.
//
// Written by hand although libraries exist: the smallest one takes 85 ms to load, a third of the time in which the
// whole cluster starts, and what is needed of X.509 here is this one page.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { readSequence } from '../../api/machinery/der.ts'
import { formatTime } from '../../base/clock.ts'
import { der, extension, objectId, oid, sequence } from './der-writer.ts'
import { readSigningRequest } from './signing-request.ts'

/** Both in PEM. */
export interface KeyAndCertificate {
  readonly key: string
  readonly certificate: string
}

interface CertificateRequest {
  readonly commonName: string
  /** Kubernetes reads these as groups. */
  readonly organizations?: readonly string[]
  readonly use: 'server' | 'client'
  /** Names and addresses of a server. */
  readonly hosts?: readonly string[]
  /** How long it is valid. Default: ten years. */
  readonly lifeMs?: number
}

const dayMs = 86_400_000
const defaultLifeMs = 3650 * dayMs

export function createAuthority(commonName: string, nowMs: number): KeyAndCertificate {
  return certifyAuthority(commonName, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, nowMs)
}

/** A private key, in PEM. */
export const createKey = (): string => pemOfKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)

/** A new certificate for the same key and name: what the authority has signed stays valid. */
export function renewAuthority(authority: KeyAndCertificate, nowMs: number): KeyAndCertificate {
  return certifyAuthority(commonNameOf(authority), createPrivateKey(authority.key), nowMs)
}

/** When the certificate expires, in milliseconds of the epoch. */
export const expiryOf = ({ certificate }: KeyAndCertificate): number => Date.parse(new X509Certificate(certificate).validTo)

const commonNameOf = ({ certificate }: KeyAndCertificate): string => /^CN=(.*)$/m.exec(new X509Certificate(certificate).subject)?.[1] ?? ''

function certifyAuthority(commonName: string, privateKey: KeyObject, nowMs: number): KeyAndCertificate {
  const certificate = issue({
    subject: [[oid.commonName, commonName]],
    publicKey: createPublicKey(privateKey),
    issuer: commonName,
    signingKey: privateKey,
    nowMs,
    extensions: [
      extension(oid.basicConstraints, sequence(der(0x01, Buffer.from([0xff]))), true),
      // digitalSignature, keyCertSign, cRLSign
      extension(oid.keyUsage, der(0x03, Buffer.from([0x01, 0x86])), true),
    ],
  })
  return { key: pemOfKey(privateKey), certificate }
}

export function createCertificate(authority: KeyAndCertificate, request: CertificateRequest, nowMs: number): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = issue({
    subject: [...(request.organizations ?? []).map((one) => [oid.organization, one] as const), [oid.commonName, request.commonName]],
    publicKey,
    ...signedBy(authority),
    nowMs,
    lifeMs: request.lifeMs,
    extensions: [
      extension(oid.basicConstraints, sequence(), true),
      // digitalSignature
      extension(oid.keyUsage, der(0x03, Buffer.from([0x07, 0x80])), true),
      extension(oid.extendedKeyUsage, sequence(objectId(request.use === 'server' ? oid.serverAuth : oid.clientAuth))),
      ...(request.hosts?.length ? [extension(oid.subjectAlternativeName, sequence(...request.hosts.map(generalName)))] : []),
    ],
  })
  return { key: pemOfKey(privateKey), certificate }
}

interface SigningRequest {
  /** A PKCS #10 request, in PEM. */
  readonly request: string
  /** As in a CertificateSigningRequest: `client auth`, `digital signature`, … */
  readonly usages: readonly string[]
  readonly validMs: number
}

// Kubernetes: pkg/controller/certificates/authority.PermissiveSigningPolicy, CertificateAuthority.Sign
/**
 * The certificate for a request: its subject, key and alternative names, and no other extension. Throws an Error for a request that cannot be
 * read or is not signed by its key.
 */
export function signRequest(authority: KeyAndCertificate, { request, usages, validMs }: SigningRequest, nowMs: number): string {
  const { subject, publicKey, alternativeNames } = readSigningRequest(request)
  const { dns, email, ip, uri } = alternativeNames
  const names = [...dns, ...email, ...ip, ...uri].map((one) => Buffer.from(one))
  return issue({
    subject: subject.map(({ type, value }) => [Buffer.from(type), value] as const),
    publicKey,
    ...signedBy(authority),
    nowMs,
    lifeMs: Math.min(validMs, expiryOf(authority) - nowMs),
    extensions: [
      extension(oid.basicConstraints, sequence(), true),
      ...encodeUsages(usages),
      ...(names.length === 0 ? [] : [extension(oid.subjectAlternativeName, sequence(...names), subject.length === 0)]),
    ],
  })
}

/** The object identifier, as text or encoded, and the value. */
type Attributes = readonly (readonly [string | Buffer, string])[]

interface Issue {
  readonly subject: Attributes
  readonly publicKey: KeyObject
  /** The common name. */
  readonly issuer: string
  readonly signingKey: KeyObject
  readonly nowMs: number
  readonly lifeMs?: number | undefined
  readonly extensions: readonly Buffer[]
}

const signedBy = (authority: KeyAndCertificate) => ({ issuer: commonNameOf(authority), signingKey: createPrivateKey(authority.key) })

function issue({ subject, publicKey, issuer, signingKey, nowMs, lifeMs = defaultLifeMs, extensions }: Issue): string {
  const algorithm = sequence(objectId(oid.ecdsaWithSha256))
  // A positive number that no other certificate has.
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const identifiers = [
    extension(oid.subjectKeyIdentifier, der(0x04, keyIdentifier(publicKey))),
    extension(oid.authorityKeyIdentifier, sequence(der(0x80, keyIdentifier(createPublicKey(signingKey))))),
  ]
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    name([[oid.commonName, issuer]]),
    // A day of room for clocks that are behind.
    sequence(time(nowMs - dayMs), time(nowMs + lifeMs)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions, ...identifiers)),
  )
  const signature = sign('sha256', body, signingKey)
  return pem('CERTIFICATE', sequence(body, algorithm, der(0x03, Buffer.from([0]), signature)))
}

const name = (attributes: Attributes) =>
  sequence(
    ...attributes.map(([type, value]) => der(0x31, sequence(Buffer.isBuffer(type) ? type : objectId(type), der(0x0c, Buffer.from(value))))),
  )

/** UTCTime until 2049, GeneralizedTime after, as X.509 wants it. */
function time(ms: number): Buffer {
  const digits = timestamp(ms)
  return digits < '2050' ? der(0x17, Buffer.from(`${digits.slice(2)}Z`)) : der(0x18, Buffer.from(`${digits}Z`))
}

function timestamp(ms: number): string {
  return formatTime(ms).replace(/[-:TZ]/g, '')
}

function generalName(host: string): Buffer {
  if (isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)))
  if (isIPv6(host)) return der(0x87, ipv6Bytes(host))
  return der(0x82, Buffer.from(host))
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return Buffer.from(
    [...left, ...middle, ...right].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  )
}

/** SHA-1 of the key's bits, the customary name of a key. */
function keyIdentifier(key: KeyObject): Buffer {
  const [, bits] = readSequence(key.export({ type: 'spki', format: 'der' }))
  // The first byte counts the unused bits.
  return createHash('sha1').update(bits!.content.subarray(1)).digest()
}

const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`
const pemOfKey = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string

// The usages of a CertificateSigningRequest as the extensions of a certificate.
// Kubernetes: pkg/controller/certificates/authority.keyUsagesFromStrings
/** The number of the bit in the extension keyUsage. */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
}

const extendedUsages: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
}

/** An extension without a usage would be malformed, so that it is left out. */
export function encodeUsages(usages: readonly string[]): Buffer[] {
  const bits = usages.flatMap((usage) => keyUsages[usage] ?? [])
  const purposes = new Set(usages.flatMap((usage) => extendedUsages[usage] ?? []))
  return [
    ...(bits.length === 0 ? [] : [extension(oid.keyUsage, bitString(bits), true)]),
    ...(purposes.size === 0 ? [] : [extension(oid.extendedKeyUsage, sequence(...[...purposes].sort().map(objectId)))]),
  ]
}

/** Named bits in DER: no zero bits at the end, the number of unused bits first. */
function bitString(bits: readonly number[]): Buffer {
  const last = Math.max(...bits)
  const bytes = Buffer.alloc((last >> 3) + 1)
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7)
  return der(0x03, Buffer.from([7 - (last & 7)]), bytes)
}
