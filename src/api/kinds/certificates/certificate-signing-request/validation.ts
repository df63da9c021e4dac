import { duplicate, type FieldError, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { validateSignerName } from '../../../machinery/validation/names-in-fields.ts'
import type { CertificateSigningRequest } from '../../../types.ts'

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]
const minSeconds = 600

export function validateCertificateSigningRequest({ spec }: CertificateSigningRequest): FieldError[] {
  const errors: FieldError[] = []
  const request = spec?.request ?? ''
  if (!isPemRequest(request)) errors.push(invalid('spec.request', request, 'PEM block type must be CERTIFICATE REQUEST'))
  const asked = spec?.usages ?? []
  if (asked.length === 0) errors.push(required('spec.usages', ''))
  for (const [index, usage] of asked.entries())
    if (!usages.includes(usage)) errors.push(notSupported(`spec.usages[${index}]`, typed(usage), usages))
  for (const [index, usage] of asked.entries())
    if (asked.indexOf(usage) < index) errors.push(duplicate(`spec.usages[${index}]`, typed(usage)))
  const signer = spec?.signerName ?? ''
  if (signer === 'kubernetes.io/legacy-unknown')
    errors.push(invalid('spec.signerName', signer, 'the legacy signerName is not allowed via this API version'))
  else errors.push(...validateSignerName(signer, 'spec.signerName'))
  const seconds = spec?.expirationSeconds
  if (seconds !== undefined && seconds < minSeconds)
    errors.push(invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'))
  return errors
}

/** Bytes are canonical base64 here. */
const isPemRequest = (base64: string) => /-----BEGIN CERTIFICATE REQUEST-----[\s\S]*-----END CERTIFICATE REQUEST-----/.test(atob(base64))
