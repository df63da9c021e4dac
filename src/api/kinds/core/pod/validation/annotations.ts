// Annotations of pods that Kubernetes interprets.
// Kubernetes: pkg/apis/core/validation.ValidatePodSpecificAnnotations, ValidatePodSpecificAnnotationUpdates
// Kubernetes: pkg/apis/core/validation.ValidateAppArmorPodAnnotations, validateAppArmorAnnotationsAndFieldsMatchOnCreate
// Kubernetes: pkg/apis/core/validation.validateSeccompAnnotationsAndFieldsMatch, ValidateSeccompPodAnnotations
import { type At, type FieldError, forbidden, invalid } from '../../../../machinery/field-error.ts'
import { goQuote } from '../../../../machinery/go-text.ts'
import type { ObjectMeta, PodSpec } from '../../../../types.ts'
import { checkDescendingPath } from './names.ts'
import type { AppArmorProfile, SeccompProfile } from './security-context.ts'
import { checkTolerations, type Toleration } from './tolerations.ts'
import { visitContainers } from './windows.ts'

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost'
export const mirrorAnnotation = 'kubernetes.io/config.mirror'
const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations'
const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod'
const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/'
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

type Annotations = ObjectMeta['annotations']

const has = (annotations: Annotations, key: string): annotations is NonNullable<Annotations> =>
  annotations !== undefined && Object.hasOwn(annotations, key)

/** KEP-2255: a 32-bit integer without plus sign and leading zeros, or no value. */
export function isDeletionCost(annotations: Annotations): boolean {
  if (!has(annotations, deletionCostAnnotation)) return true
  const text = annotations[deletionCostAnnotation]!
  // After a minus sign, Kubernetes accepts leading zeros.
  if (!/^(0|[1-9][0-9]*|-[0-9]+)$/.test(text)) return false
  const cost = Number(text)
  return cost >= -2147483648 && cost <= 2147483647
}

export function checkPodAnnotations(
  errors: FieldError[],
  annotations: Annotations,
  spec: PodSpec,
  at: At,
  options: { readonly allowInvalidPodDeletionCost?: boolean; readonly allowTolerationComparison?: boolean },
): void {
  if (!annotations) return
  if (has(annotations, mirrorAnnotation) && !spec.nodeName)
    errors.push(
      invalid(`${at()}[${mirrorAnnotation}]`, annotations[mirrorAnnotation], 'must set spec.nodeName if mirror pod annotation is set'),
    )
  if (has(annotations, tolerationsAnnotation) && annotations[tolerationsAnnotation] !== '')
    checkTolerationsAnnotation(errors, annotations[tolerationsAnnotation]!, at, options.allowTolerationComparison === true)
  if (options.allowInvalidPodDeletionCost !== true && !isDeletionCost(annotations))
    errors.push(invalid(`${at()}[${deletionCostAnnotation}]`, annotations[deletionCostAnnotation], 'must be a 32bit integer'))
  if (has(annotations, seccompPodAnnotation))
    checkSeccompText(errors, annotations[seccompPodAnnotation]!, () => `${at()}.${seccompPodAnnotation}`)
  for (const key of Object.keys(annotations))
    if (key.startsWith(seccompContainerPrefix)) checkSeccompText(errors, annotations[key]!, () => `${at()}.${key}`)
  for (const key of Object.keys(annotations))
    if (key.startsWith(appArmorPrefix)) checkAppArmorText(errors, key, annotations[key]!, spec, at)
}

function checkTolerationsAnnotation(errors: FieldError[], text: string, at: At, allowComparison: boolean): void {
  let tolerations: unknown
  try {
    tolerations = JSON.parse(text)
  } catch {
    errors.push(invalid(at(), tolerationsAnnotation, 'invalid character in literal'))
    return
  }
  if (!Array.isArray(tolerations)) return
  const readable = tolerations.map((one) => readToleration(one))
  checkTolerations(errors, readable, () => `${at()}.${tolerationsAnnotation}`, allowComparison)
}

function readToleration(value: unknown): Toleration {
  const from = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
  const text = (field: string) => (typeof from[field] === 'string' ? { [field]: from[field] } : {})
  const seconds = from['tolerationSeconds']
  return {
    ...text('key'),
    ...text('operator'),
    ...text('value'),
    ...text('effect'),
    ...(typeof seconds === 'number' && { tolerationSeconds: seconds }),
  }
}

function checkSeccompText(errors: FieldError[], profile: string, at: At): void {
  if (profile === 'runtime/default' || profile === 'docker/default' || profile === 'unconfined') return
  if (profile.startsWith('localhost/')) checkDescendingPath(errors, profile.slice('localhost/'.length), at)
  else errors.push(invalid(at(), profile, 'must be a valid seccomp profile'))
}

function checkAppArmorText(errors: FieldError[], key: string, profile: string, spec: PodSpec, at: At): void {
  const container = key.slice(appArmorPrefix.length)
  let found = false
  visitContainers(spec, at, ({ name }) => {
    found ||= name === container
  })
  if (!found) errors.push(invalid(`${at()}[${key}]`, container, 'container not found'))
  if (profile !== '' && profile !== 'runtime/default' && profile !== 'unconfined' && !profile.startsWith('localhost/'))
    errors.push(invalid(`${at()}[${key}]`, profile, `invalid AppArmor profile name: ${goQuote(profile)}`))
}

/** Where an annotation and the field that replaced it are both set, they must be equal. */
export function checkProfilesMatch(errors: FieldError[], annotations: Annotations, spec: PodSpec, at: At): void {
  if (!annotations) return
  if (spec.securityContext?.seccompProfile && has(annotations, seccompPodAnnotation))
    checkSeccompMatch(errors, annotations[seccompPodAnnotation]!, spec.securityContext.seccompProfile, () => `${at()}.securityContext`)
  visitContainers(spec, at, ({ name, securityContext }, where) => {
    const key = `${seccompContainerPrefix}${name}`
    if (securityContext?.seccompProfile && has(annotations, key))
      checkSeccompMatch(errors, annotations[key]!, securityContext.seccompProfile, () => `${where()}.securityContext`)
  })
  if (spec.os?.name === 'windows') return
  visitContainers(spec, at, ({ name, securityContext }, where) => {
    const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile
    const key = `${appArmorPrefix}${name}`
    if (profile && has(annotations, key))
      checkAppArmorMatch(errors, annotations[key]!, profile, () => `${where()}.securityContext.appArmorProfile`)
  })
}

function checkSeccompMatch(errors: FieldError[], text: string, profile: SeccompProfile, at: At): void {
  const where = () => `${at()}.seccompProfile`
  const { type, localhostProfile } = profile
  const isSameType =
    (type === 'Unconfined' && text === 'unconfined') ||
    (type === 'RuntimeDefault' && (text === 'runtime/default' || text === 'docker/default')) ||
    (type === 'Localhost' && text.startsWith('localhost/'))
  if (type !== 'Unconfined' && type !== 'RuntimeDefault' && type !== 'Localhost') return
  if (!isSameType) errors.push(forbidden(`${where()}.type`, 'seccomp type in annotation and field must match'))
  else if (type === 'Localhost' && text !== `localhost/${localhostProfile}`)
    errors.push(forbidden(`${where()}.localhostProfile`, 'seccomp profile in annotation and field must match'))
}

function checkAppArmorMatch(errors: FieldError[], text: string, { type, localhostProfile }: AppArmorProfile, at: At): void {
  const isSameType =
    (type === 'Unconfined' && text === 'unconfined') ||
    (type === 'RuntimeDefault' && text === 'runtime/default') ||
    (type === 'Localhost' && text.startsWith('localhost/'))
  if (type !== 'Unconfined' && type !== 'RuntimeDefault' && type !== 'Localhost') return
  if (!isSameType) errors.push(forbidden(`${at()}.type`, 'apparmor type in annotation and field must match'))
  else if (type === 'Localhost' && text !== `localhost/${localhostProfile}`)
    errors.push(forbidden(`${at()}.localhostProfile`, 'apparmor profile in annotation and field must match'))
}

/** Annotations that are immutable on a pod. */
export function checkAnnotationChanges(errors: FieldError[], next: Annotations, current: Annotations, at: At): void {
  for (const key of Object.keys(current ?? {})) {
    if (has(next, key) && next[key] === current![key]) continue
    if (key.startsWith(appArmorPrefix)) errors.push(forbidden(`${at()}[${key}]`, 'may not remove or update AppArmor annotations'))
    if (key === mirrorAnnotation) errors.push(forbidden(`${at()}[${key}]`, 'may not remove or update mirror pod annotation'))
  }
  for (const key of Object.keys(next ?? {})) {
    if (has(current, key)) continue
    if (key.startsWith(appArmorPrefix)) errors.push(forbidden(`${at()}[${key}]`, 'may not add AppArmor annotations'))
    if (key === mirrorAnnotation) errors.push(forbidden(`${at()}[${key}]`, 'may not add mirror pod annotation'))
  }
}
