// Kubernetes: pkg/apis/certificates/validation.ValidateCertificateSigningRequestCreate, ValidateCertificateSigningRequestUpdate
// Kubernetes: pkg/apis/certificates/validation.ValidateCertificateSigningRequestStatusUpdate
// Kubernetes: pkg/apis/certificates/validation.ValidateCertificateSigningRequestApprovalUpdate, validateCertificateSigningRequest
// Kubernetes: pkg/apis/certificates/validation.validateCertificateSigningRequestUpdate, validateConditions, validateCertificate
import { duplicate, type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { addEnumErrors } from '../../../machinery/validation/enums.ts'
import { validateSignerName } from '../../../machinery/validation/names-in-fields.ts'
import type { CertificateSigningRequest } from '../../../types.ts'
import { parseSigningRequest } from './signing-request.ts'

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
const legacySigner = 'kubernetes.io/legacy-unknown'

export const validateNewRequest = (next: CertificateSigningRequest) => validateCertificateSigningRequest(next)

/** The invalid parts that Kubernetes tolerates where the stored object has such a part already may stay. */
export function validateCertificateSigningRequest(
  { spec, status }: CertificateSigningRequest,
  current?: CertificateSigningRequest,
): FieldError[] {
  const errors: FieldError[] = []
  const request = spec?.request ?? ''
  const problem = requestProblem(request)
  if (problem !== undefined) errors.push(invalid('spec.request', request, problem))
  const asked = spec?.usages ?? []
  if (asked.length === 0) errors.push(required('spec.usages', ''))
  const known = current?.spec?.usages ?? []
  if (known.every((usage) => usages.includes(usage)))
    for (const [index, usage] of asked.entries())
      if (!usages.includes(usage)) errors.push(notSupported(`spec.usages[${index}]`, typed(usage), usages))
  if (!hasDuplicates(known))
    for (const [index, usage] of asked.entries())
      if (asked.indexOf(usage) < index) errors.push(duplicate(`spec.usages[${index}]`, typed(usage)))
  const signer = spec?.signerName ?? ''
  if (signer === legacySigner && current?.spec?.signerName !== legacySigner)
    errors.push(invalid('spec.signerName', signer, 'the legacy signerName is not allowed via this API version'))
  else errors.push(...validateSignerName(signer, 'spec.signerName'))
  const seconds = spec?.expirationSeconds
  if (seconds !== undefined && seconds < minSeconds)
    errors.push(invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'))
  return [...errors, ...validateConditions(status?.conditions ?? [], current?.status?.conditions ?? [])]
}

const hasDuplicates = (values: readonly string[]) => new Set(values).size < values.length

const conditionsPath = 'status.conditions'
const certificatePath = 'status.certificate'
const decisions = ['Approved', 'Denied']
/** Conditions that may only be True, and cannot be removed. */
const finalConditions = [...decisions, 'Failed']

type Conditions = NonNullable<NonNullable<CertificateSigningRequest['status']>['conditions']>

function validateConditions(conditions: Conditions, current: Conditions): FieldError[] {
  const errors: FieldError[] = []
  const known = current.map(({ type }) => type)
  const wasDecidedTwice = decisions.every((type) => known.includes(type))
  const hadDuplicates = hasDuplicates(known)
  const seen = new Set<string>()
  for (const [index, { type, status }] of conditions.entries()) {
    const path = `${conditionsPath}[${index}]`
    const allowed = finalConditions.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    if (type === '' && !known.includes('')) errors.push(required(`${path}.type`, ''))
    addEnumErrors(errors, status, allowed, () => `${path}.status`)
    if (!wasDecidedTwice && decisions.includes(type) && decisions.some((other) => other !== type && seen.has(other)))
      errors.push(invalid(conditionsPath, typed(type), 'Approved and Denied conditions are mutually exclusive'))
    if (!hadDuplicates && seen.has(type)) errors.push(duplicate(`${path}.type`, typed(type)))
    seen.add(type)
  }
  return errors
}

/** A write of the approval endpoint. */
export function validateApproval(next: CertificateSigningRequest, current: CertificateSigningRequest): FieldError[] {
  return [...validateCertificateSigningRequest(next, current), ...removedConditions(next, current)]
}

/** A write of the status endpoint. */
export function validateSigning(next: CertificateSigningRequest, current: CertificateSigningRequest): FieldError[] {
  const errors = validateCertificateSigningRequest(next, current)
  const certificate = next.status?.certificate ?? ''
  const before = current.status?.certificate ?? ''
  const isTolerated = certificate === before || certificateProblem(before) !== undefined
  const problem = isTolerated ? undefined : certificateProblem(certificate)
  if (problem !== undefined) errors.push(invalid(certificatePath, '<certificate data>', problem))
  errors.push(...removedConditions(next, current))
  for (const type of decisions)
    if (countOf(next, type) > countOf(current, type))
      errors.push(forbidden(conditionsPath, `updates may not add a condition of type ${JSON.stringify(type)}`))
  if (certificate !== before && before !== '')
    errors.push(forbidden(certificatePath, 'updates may not modify existing certificate content'))
  return errors
}

function removedConditions(next: CertificateSigningRequest, current: CertificateSigningRequest): FieldError[] {
  return finalConditions
    .filter((type) => countOf(next, type) < countOf(current, type))
    .map((type) => forbidden(conditionsPath, `updates may not remove a condition of type ${JSON.stringify(type)}`))
}

const countOf = ({ status }: CertificateSigningRequest, wanted: string) =>
  (status?.conditions ?? []).filter(({ type }) => type === wanted).length

/** Only the blocks are checked, not the certificates in them. */
function certificateProblem(base64: string): string | undefined {
  if (base64 === '') return undefined
  const blocks = pemBlocksOf(atob(base64))
  for (const { type, body } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`
    if (body.split('\n', 1)[0]!.includes(':')) return 'no PEM block headers are permitted'
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined
}

/** A block ends at the first line that ends one. A regular expression for all of it would search the whole text for each beginning. */
function pemBlocksOf(text: string): { readonly type: string; readonly body: string }[] {
  return text.split(/-----END (?=[^-\n]*-----)/).flatMap((part, index, parts) => {
    const ended = parts[index + 1]?.split('-----', 1)[0]
    const begin = ended === undefined ? -1 : part.lastIndexOf(`-----BEGIN ${ended}-----\n`)
    return begin < 0 ? [] : [{ type: ended!, body: part.slice(part.indexOf('\n', begin) + 1) }]
  })
}

/** The base64 is canonical here. */
function requestProblem(base64: string): string | undefined {
  try {
    parseSigningRequest(atob(base64))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
