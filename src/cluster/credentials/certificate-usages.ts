// The usages of a CertificateSigningRequest as the extensions of a certificate.
// Kubernetes: pkg/controller/certificates/authority.keyUsagesFromStrings
import { der, extension, objectId, oid, sequence } from './der.ts'

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
