// Reads a PKCS #10 certificate signing request.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'

export interface Element {
  readonly tag: number
  readonly content: Buffer
  /** With its tag and length. */
  readonly bytes: Buffer
}

/** The elements of a DER sequence. Throws an Error for bytes that are no DER. */
export function readSequence(bytes: Buffer): Element[] {
  const [outer] = readElements(bytes)
  if (outer?.tag !== 0x30) throw new Error('expected a sequence')
  return readElements(outer.content)
}

function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1]
    if (first === undefined) throw new Error('the data ends early')
    const sizeLength = first < 0x80 ? 0 : first & 0x7f
    if (sizeLength > 4) throw new Error('an element is too long')
    const start = at + 2 + sizeLength
    const length = sizeLength === 0 ? first : bytes.readUIntBE(at + 2, sizeLength)
    if (start + length > bytes.length) throw new Error('the data ends early')
    elements.push({ tag: bytes[at]!, content: bytes.subarray(start, start + length), bytes: bytes.subarray(at, start + length) })
    at = start + length
  }
  return elements
}

interface ReadRequest {
  /** The encoded name. */
  readonly subject: Buffer
  readonly publicKey: KeyObject
  /** The encoded extension. */
  readonly alternativeNames: Buffer | undefined
}

const hashes: Readonly<Record<string, string | null>> = {
  // RSA with SHA-256, 384 and 512
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  // ECDSA with SHA-256, 384 and 512
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  // Ed25519
  '2b6570': null,
}
const extensionRequest = '2a864886f70d01090e'
const subjectAlternativeName = '551d11'

/** Throws an Error. */
export function readSigningRequest(pem: string): ReadRequest {
  const match = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]*)-----END/.exec(pem)
  if (match === null) throw new Error('PEM block type must be CERTIFICATE REQUEST')
  const [info, algorithm, signature] = readSequence(Buffer.from(match[1]!, 'base64'))
  if (info === undefined || algorithm === undefined || signature === undefined) throw new Error('the request is incomplete')
  const [, subject, key, attributes] = readElements(info.content)
  if (subject === undefined || key === undefined) throw new Error('the request is incomplete')
  const publicKey = createPublicKey({ key: key.bytes, format: 'der', type: 'spki' })
  const [name] = readElements(algorithm.content)
  const hash = hashes[name?.content.toString('hex') ?? '']
  if (hash === undefined) throw new Error('the signature algorithm is not supported')
  if (!verify(hash, info.bytes, publicKey, signature.content.subarray(1))) throw new Error('the signature does not fit the key')
  return { subject: subject.bytes, publicKey, alternativeNames: attributes && findAlternativeNames(attributes) }
}

function findAlternativeNames(attributes: Element): Buffer | undefined {
  for (const attribute of readElements(attributes.content)) {
    const [type, values] = readElements(attribute.content)
    if (type?.content.toString('hex') !== extensionRequest || values === undefined) continue
    for (const extension of readSequence(values.content))
      if (readElements(extension.content)[0]?.content.toString('hex') === subjectAlternativeName) return extension.bytes
  }
  return undefined
}
