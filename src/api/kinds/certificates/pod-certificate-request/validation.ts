// Kubernetes: pkg/apis/certificates/validation.ValidatePodCertificateRequestCreate, ValidatePodCertificateRequestUpdate
// Kubernetes: pkg/apis/certificates/validation.ValidatePodCertificateRequestStatusUpdate, validateStubPKCS10Request
// Kubernetes: pkg/apis/core/validation.ValidateUserAnnotations
import { formatTime } from '../../../../base/clock.ts'
import { isEqualJson } from '../../../../base/json.ts'
import {
  type FieldError,
  invalid,
  notSupported,
  omitted,
  required,
  shownAs,
  showValue,
  tooLong,
  typed,
} from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { readPemBlocks } from '../../../machinery/pem.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain, isLongerThan } from '../../../machinery/validation/names.ts'
import { validateDomainPrefixedKey, validateSignerName } from '../../../machinery/validation/names-in-fields.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { PodCertificateRequest } from '../../../types.ts'
import { type Certificate, parseCertificate, weakKeyProblem } from '../certificate.ts'
import { parseSigningRequest } from '../certificate-signing-request/signing-request.ts'

type Spec = PodCertificateRequest['spec']
type Status = NonNullable<PodCertificateRequest['status']>

const hourSeconds = 3600
const maxSeconds = 91 * 24 * hourSeconds
/** For signers of Kubernetes. */
const maxOwnSeconds = 24 * hourSeconds
const maxUid = 128
const maxRequestBytes = 10 * 1024
const maxChainBytes = 100 * 1024
const minuteMs = 60_000

export function validatePodCertificateRequest({ spec }: PodCertificateRequest): FieldError[] {
  const { signerName = '', maxExpirationSeconds: seconds, stubPKCS10Request = '' } = (spec ?? {}) as Partial<Spec>
  const errors = validateSignerName(signerName, 'spec.signerName')
  for (const key of Object.keys(spec?.unverifiedUserAnnotations ?? {}))
    errors.push(...validateDomainPrefixedKey(key.toLowerCase(), 'spec.unverifiedUserAnnotations'))
  for (const owner of ['pod', 'serviceAccount', 'node'] as const) {
    const [name, uid] = [spec?.[`${owner}Name`] ?? '', spec?.[`${owner}UID`] ?? '']
    for (const message of isDns1123Subdomain(name)) errors.push(invalid(`spec.${owner}Name`, name, message))
    if (uid === '') errors.push(invalid(`spec.${owner}UID`, typed(uid), 'must not be empty'))
    if (isLongerThan(uid, maxUid)) errors.push(tooLong(`spec.${owner}UID`, maxUid))
  }
  if (seconds === undefined) return [...errors, required('spec.maxExpirationSeconds', 'must be set')]
  const most = signerName.startsWith('kubernetes.io/') ? maxOwnSeconds : maxSeconds
  if (seconds < hourSeconds || seconds > most)
    errors.push(invalid('spec.maxExpirationSeconds', seconds, `must be in the range [${hourSeconds}, ${most}]`))
  if (!stubPKCS10Request)
    errors.push(invalid('spec', omitted, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'))
  else errors.push(...validateRequest(stubPKCS10Request, 'spec.stubPKCS10Request'))
  return errors
}

const requestOf = (base64: string) => parseSigningRequest(`-----BEGIN CERTIFICATE REQUEST-----${base64}-----END CERTIFICATE REQUEST-----`)

/** The signature is not checked. */
function validateRequest(base64: string, path: string): FieldError[] {
  if ((base64.length * 3) / 4 - 2 > maxRequestBytes) return [tooLong(path, maxRequestBytes)]
  try {
    const problem = weakKeyProblem(requestOf(base64).publicKey)
    return problem === undefined ? [] : [invalid(path, problem.value ?? omitted, problem.message)]
  } catch {
    return [invalid(path, omitted, 'must be a valid PKCS#10 CSR')]
  }
}

export function validatePodCertificateRequestUpdate(next: PodCertificateRequest, current: PodCertificateRequest): FieldError[] {
  if (isEqualJson(next.spec, current.spec)) return []
  return [invalid('spec', shownAs(shownSpec(next.spec)), immutableMessage)]
}

/** With two fields that older versions have. */
const shownSpec = (spec: Spec) =>
  showValue(shownStruct('certificates.PodCertificateRequestSpec', spec)).replace(
    '"StubPKCS10Request"',
    '"PKIXPublicKey":null,"ProofOfPossession":null,"StubPKCS10Request"',
  )

const outcomes = ['Issued', 'Denied', 'Failed']

export function validatePodCertificateRequestStatusUpdate(
  next: PodCertificateRequest,
  current: PodCertificateRequest,
  { nowMs }: StrategyContext,
): FieldError[] {
  const status = next.status ?? {}
  const errors = validateOutcome(status)
  if (errors.length > 0) return errors
  const before = current.status ?? {}
  const same = (other: Status, why: string) => (isEqualJson(status, other) ? [] : [invalid('status', omitted, why)])
  if (outcomeOf(before) !== undefined) return same(before, 'immutable after PodCertificateRequest is issued, denied, or failed')
  const outcome = outcomeOf(status)
  if (outcome === undefined) return same(before, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"')
  if (outcome === 'Issued') return validateIssued(status, current.spec, nowMs)
  const conditions = status.conditions === undefined ? {} : { conditions: status.conditions }
  return same(conditions, 'non-condition status fields must be empty when denying or failing the PodCertificateRequest')
}

const outcomeOf = ({ conditions }: Status) => conditions?.find(({ type, status }) => outcomes.includes(type) && status === 'True')?.type

/** At most one outcome, and nothing else. */
function validateOutcome({ conditions = [] }: Status): FieldError[] {
  const errors = conditions.flatMap(({ type = '', status = '' }, index) => {
    // Kubernetes joins the index with a dot.
    const path = `status.conditions.[${index}]`
    if (!outcomes.includes(type)) return [notSupported(`${path}.type`, type, outcomes)]
    const isSecond = conditions.findIndex((other) => outcomes.includes(other.type)) < index
    return [
      ...(isSecond ? [invalid(`${path}.type`, type, 'There may be at most one condition with type "Issued", "Denied", or "Failed"')] : []),
      ...(status === 'True' ? [] : [notSupported(`${path}.status`, typed(status), ['True'])]),
    ]
  })
  return [...errors, ...validateConditions(conditions, 'status.conditions')]
}

const chainPath = 'status.certificateChain'

/** A chain whose first certificate is for the key of the request, and times that agree with it. */
function validateIssued(status: Status, spec: Spec, nowMs: number): FieldError[] {
  const { certificateChain: chain = '' } = status
  if (isLongerThan(chain, maxChainBytes)) return [tooLong(chainPath, maxChainBytes)]
  const chainError = (message: string) => [invalid(chainPath, chain, message)]
  const blocks = readPemBlocks(chain)
  if (blocks.length === 0) return chainError('issued certificate chain must contain at least one certificate')
  const notCertificate = blocks.findIndex(({ type }) => type !== 'CERTIFICATE')
  if (notCertificate === 0) return chainError('issued certificate chain must consist entirely of CERTIFICATE PEM blocks')
  const leaf = readCertificate(blocks[0]!.bytes)
  if (leaf === undefined) return chainError('leaf certificate does not parse as valid X.509')
  if (!isEqualJson([...leaf.publicKey], [...requestOf(spec.stubPKCS10Request).publicKey]))
    return chainError('leaf certificate was not issued to the requested public key')
  const errors = validateTimes(status, leaf, spec, nowMs)
  if (errors.length > 0) return errors
  if (notCertificate > 0) return chainError('issued certificate chain must consist entirely of CERTFICATE PEM blocks')
  if (blocks.some(({ bytes }) => readCertificate(bytes) === undefined))
    return chainError('intermediate certificate does not parse as valid X.509')
  return []
}

function readCertificate(bytes: Uint8Array): Certificate | undefined {
  try {
    return parseCertificate(bytes)
  } catch {
    return undefined
  }
}

function validateTimes({ notBefore, notAfter, beginRefreshAt }: Status, leaf: Certificate, spec: Spec, nowMs: number): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate'
  const missing = [
    ...(notBefore === undefined ? [required('status.notBefore', consistent)] : []),
    ...(notAfter === undefined ? [required('status.notAfter', consistent)] : []),
    ...(beginRefreshAt === undefined
      ? [required('status.beginRefreshAt', 'must be present and in the range [notbefore+10min, notafter-10min]')]
      : []),
  ]
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined) return missing
  const [startMs, endMs, refreshMs] = [notBefore, notAfter, beginRefreshAt].map((time) => Date.parse(time)) as [number, number, number]
  const wrong = (field: string, ms: number, message: string) => [invalid(`status.${field}`, formatTime(ms), message)]
  if (startMs !== leaf.notBeforeMs) return wrong('notBefore', startMs, 'must be set to the NotBefore time encoded in the leaf certificate')
  if (Math.abs(startMs - nowMs) >= 5 * minuteMs)
    return wrong('notBefore', startMs, "must be set to within 5 minutes of kube-apiserver's current time")
  if (endMs !== leaf.notAfterMs) return wrong('notAfter', endMs, 'must be set to the NotAfter time encoded in the leaf certificate')
  const lifetime = (endMs - startMs) / 1000
  const maxLifetime = spec.maxExpirationSeconds ?? 0
  if (lifetime < hourSeconds) return [invalid(chainPath, lifetime, 'leaf certificate lifetime must be >= 1 hour')]
  if (lifetime > maxLifetime)
    return [invalid(chainPath, lifetime, `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxLifetime})`)]
  if (refreshMs < startMs + 10 * minuteMs) return wrong('beginRefreshAt', refreshMs, 'must be at least 10 minutes after status.notBefore')
  if (refreshMs > endMs - 10 * minuteMs) return wrong('beginRefreshAt', refreshMs, 'must be at least 10 minutes before status.notAfter')
  return []
}
