// A PKCS #10 certificate signing request that its own key signed.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { parseSigningRequest, type SigningRequest } from '../../api/kinds/certificates/certificate-signing-request/signing-request.ts'

interface VerifiedRequest extends Pick<SigningRequest, 'subject' | 'alternativeNames'> {
  readonly publicKey: KeyObject
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

/** Throws an Error for a request that cannot be read or that another key signed. */
export function readSigningRequest(pem: string): VerifiedRequest {
  const request = parseSigningRequest(pem)
  const publicKey = createPublicKey({ key: Buffer.from(request.publicKey), format: 'der', type: 'spki' })
  const hash = hashes[request.algorithm]
  if (hash === undefined) throw new Error('the signature algorithm is not supported')
  if (!verify(hash, request.signed, publicKey, request.signature)) throw new Error('the signature does not fit the key')
  return { subject: request.subject, alternativeNames: request.alternativeNames, publicKey }
}
