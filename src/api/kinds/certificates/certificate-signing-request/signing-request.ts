// What a PKCS #10 certificate signing request says. The signature is not checked here.
// Kubernetes: pkg/apis/certificates.ParseCSR
import { type Element, hexOf, readElements, readSequence } from '../../../machinery/der.ts'

export interface SigningRequest {
  /** The part that is signed. */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
  /** The object identifier of the signature's algorithm, in hexadecimal digits. */
  readonly algorithm: string
  readonly subject: readonly SubjectAttribute[]
  /** The last one, as Go reads a name. */
  readonly commonName: string
  readonly organizations: readonly string[]
  /** A SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array
  /** The encoded names of these kinds, one after the other. Others are not signed. */
  readonly alternativeNames: Readonly<Record<AlternativeName, readonly Uint8Array[]>>
}

interface SubjectAttribute {
  /** The encoded object identifier. */
  readonly type: Uint8Array
  readonly value: string
}

type AlternativeName = 'email' | 'dns' | 'uri' | 'ip'

const oid = { commonName: '550403', organization: '55040a', extensionRequest: '2a864886f70d01090e', alternativeNames: '551d11' }
/** The tags of a GeneralName. */
const nameTags: Readonly<Record<AlternativeName, number>> = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 }
/** The string types that Go reads: UTF8String, NumericString, PrintableString, T61String, IA5String, BMPString. */
const encodings: Readonly<Record<number, string>> = { 12: 'utf-8', 18: 'utf-8', 19: 'utf-8', 20: 'latin1', 22: 'utf-8', 30: 'utf-16be' }

/** Throws an Error for a request that cannot be read. */
export function parseSigningRequest(pem: string): SigningRequest {
  const match = /-----BEGIN CERTIFICATE REQUEST-----([^-]*)-----END CERTIFICATE REQUEST-----/.exec(pem)
  if (match === null) throw new Error('PEM block type must be CERTIFICATE REQUEST')
  const [info, algorithm, signature] = readSequence(bytesOf(match[1]!.replace(/\s/g, '')))
  if (info === undefined || algorithm === undefined || signature === undefined) throw new Error('the request is incomplete')
  const [, subject, publicKey, attributes] = readElements(info.content)
  if (subject === undefined || publicKey === undefined) throw new Error('the request is incomplete')
  const named = readName(subject)
  const valuesOf = (wanted: string) =>
    named.filter(({ type }) => hexOf(readElements(type)[0]?.content) === wanted).map(({ value }) => value)
  return {
    signed: info.bytes,
    // The first byte counts the unused bits.
    signature: signature.content.subarray(1),
    algorithm: hexOf(readElements(algorithm.content)[0]?.content),
    subject: named,
    commonName: valuesOf(oid.commonName).at(-1) ?? '',
    organizations: valuesOf(oid.organization),
    publicKey: publicKey.bytes,
    alternativeNames: readAlternativeNames(attributes),
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** A relative name may have several attributes. */
function readName(name: Element): SubjectAttribute[] {
  return readElements(name.content)
    .flatMap((relative) => readElements(relative.content))
    .map((attribute) => {
      const [type, value] = readElements(attribute.content)
      if (type === undefined || value === undefined) throw new Error('the subject is incomplete')
      return { type: type.bytes, value: textOf(value) }
    })
}

function textOf({ tag, content }: Element): string {
  const encoding = encodings[tag]
  if (encoding === undefined) throw new Error(`unsupported string type: ${tag}`)
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(content)
}

function readAlternativeNames(attributes: Element | undefined): SigningRequest['alternativeNames'] {
  const names = attributes === undefined ? [] : readElements(attributes.content).flatMap(namesOfAttribute)
  const ofKind = (kind: AlternativeName) => names.filter(({ tag }) => tag === nameTags[kind]).map(({ bytes }) => bytes)
  return { email: ofKind('email'), dns: ofKind('dns'), uri: ofKind('uri'), ip: ofKind('ip') }
}

function namesOfAttribute(attribute: Element): Element[] {
  const [type, values] = readElements(attribute.content)
  if (hexOf(type?.content) !== oid.extensionRequest || values === undefined) return []
  return readSequence(values.content).flatMap((extension) => {
    const parts = readElements(extension.content)
    return hexOf(parts[0]?.content) === oid.alternativeNames ? readSequence(parts.at(-1)!.content) : []
  })
}
