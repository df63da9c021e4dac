// What an X.509 certificate says. Its signature is not checked.
// Ours: Go has this parser in its standard library.
import { type Element, hexOf, readElements, readSequence } from '../../machinery/der.ts'

export interface Certificate {
  /** A SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

const versionTag = 0xa0
const utcTimeTag = 0x17

/** Throws an Error for a certificate that cannot be read. */
export function parseCertificate(bytes: Uint8Array): Certificate {
  const [body] = readSequence(bytes)
  if (body === undefined) throw new Error('the certificate is incomplete')
  const parts = readElements(body.content)
  if (parts[0]?.tag === versionTag) parts.shift()
  // A serial number, the algorithm, the issuer, the validity, the subject, the key.
  const [, , , validity, , publicKey] = parts
  if (validity === undefined || publicKey === undefined) throw new Error('the certificate is incomplete')
  const [notBefore, notAfter] = readElements(validity.content)
  return {
    publicKey: publicKey.bytes,
    notBeforeMs: timeOf(notBefore),
    notAfterMs: timeOf(notAfter),
  }
}

function timeOf(time: Element | undefined): number {
  const text = new TextDecoder().decode(time?.content)
  const [, year = '', month, day, hour, minute, second] = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text) ?? []
  const century = time?.tag !== utcTimeTag ? '' : Number(year) >= 50 ? '19' : '20'
  const ms = Date.parse(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(ms)) throw new Error('the validity is no time')
  return ms
}

const rsa = '2a864886f70d010101'
const ed25519 = '2b6570'
const elliptic = '2a8648ce3d0201'
const curves = ['2a8648ce3d030107', '2b81040022', '2b81040023']

/** Why Kubernetes refuses a public key for pods: the value that it shows, or undefined for none, and its message. */
export function weakKeyProblem(publicKey: Uint8Array): { readonly value?: string; readonly message: string } | undefined {
  const [algorithm, key] = readSequence(publicKey)
  const [type, curve] = readElements(algorithm?.content ?? new Uint8Array()).map(({ content }) => hexOf(content))
  if (type === ed25519) return undefined
  if (type === elliptic)
    return curves.includes(curve ?? '')
      ? undefined
      : { value: 'curve P-224', message: 'elliptic public keys must use curve P256, P384, or P521' }
  if (type !== rsa) return { message: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA' }
  // The first byte of a bit string counts the unused bits, the first of a number is its sign.
  const [modulus] = readSequence((key?.content ?? new Uint8Array([0])).subarray(1))
  const digits = modulus?.content[0] === 0 ? modulus.content.subarray(1) : (modulus?.content ?? new Uint8Array())
  const bits = digits.length * 8
  return bits === 3072 || bits === 4096
    ? undefined
    : { value: `${bits}-bit modulus`, message: 'RSA keys must have modulus size 3072 or 4096' }
}
