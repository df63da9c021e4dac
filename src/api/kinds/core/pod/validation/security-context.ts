// Security contexts of pods and containers, without the fields for Windows.
// Kubernetes: pkg/apis/core/validation.ValidateSecurityContext, validatePodSpecSecurityContext, ValidateAppArmorProfileField
// Kubernetes: pkg/apis/core/validation.validateSeccompProfileField, ValidateHostSysctl
// Kubernetes: k8s.io/component-helpers/node/util/sysctl.nameToNamespace
import { type At, duplicate, type FieldError, invalid, notSupported, required, tooLong, typed } from '../../../../machinery/field-error.ts'
import { addUnsupported, enumOf } from '../../../../machinery/validation/enums.ts'
import { isLongerThan, isValidGroupId, isValidUserId } from '../../../../machinery/validation/names.ts'
import type { Container, PodSpec } from '../../../../types.ts'
import { internalForm } from './internal-form.ts'
import { addProblems, checkDescendingPath, hasSpaceAround, isGiven } from './names.ts'
import { checkWindowsOptions } from './windows.ts'

type SecurityContext = NonNullable<Container['securityContext']>
type PodSecurityContext = NonNullable<PodSpec['securityContext']>
export type SeccompProfile = NonNullable<SecurityContext['seccompProfile']>
export type AppArmorProfile = NonNullable<SecurityContext['appArmorProfile']>

const profileTypes = enumOf('core.SeccompProfile.type')

export function checkSecurityContext(errors: FieldError[], context: SecurityContext, at: At, hostUsers: boolean): void {
  const { runAsUser, runAsGroup, procMount, seccompProfile, windowsOptions, appArmorProfile } = context
  if (isGiven(runAsUser)) addProblems(errors, isValidUserId(runAsUser), runAsUser, () => `${at()}.runAsUser`)
  if (isGiven(runAsGroup)) addProblems(errors, isValidGroupId(runAsGroup), runAsGroup, () => `${at()}.runAsGroup`)
  if (isGiven(procMount)) {
    addUnsupported(errors, procMount, 'core.SecurityContext.procMount', () => `${at()}.procMount`)
    if (hostUsers && procMount === 'Unmasked')
      errors.push(invalid(`${at()}.procMount`, typed(procMount), '`hostUsers` must be false to use `Unmasked`'))
  }
  if (seccompProfile) checkSeccompProfile(errors, seccompProfile, () => `${at()}.seccompProfile`)
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (why: string) => errors.push(invalid(at(), internalForm('core.SecurityContext', context), why))
    if (context.privileged === true) refuse('cannot set `allowPrivilegeEscalation` to false and `privileged` to true')
    for (const capability of context.capabilities?.add ?? [])
      if (capability === 'CAP_SYS_ADMIN') refuse('cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN')
  }
  if (windowsOptions) checkWindowsOptions(errors, windowsOptions, () => `${at()}.windowsOptions`)
  if (appArmorProfile) checkAppArmorProfile(errors, appArmorProfile, () => `${at()}.appArmorProfile`)
}

interface PodSecurityOptions {
  readonly allowHostSysctls?: boolean
  readonly allowAnySELinuxChangePolicy?: boolean
}

export function checkPodSecurityContext(errors: FieldError[], spec: PodSpec, at: At, options: PodSecurityOptions): void {
  if (spec.shareProcessNamespace === true && spec.hostPID === true)
    // Its place among the others is that of Kubernetes, which keeps the field inside of the security context.
    checkPodIds(errors, spec.securityContext ?? {}, at, () =>
      errors.push(invalid(`${at()}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')),
    )
  else if (spec.securityContext) checkPodIds(errors, spec.securityContext, at)
  const context = spec.securityContext
  if (!context) return
  if (context.sysctls?.length) checkSysctls(errors, context.sysctls, spec, () => `${at()}.sysctls`, options.allowHostSysctls === true)
  addUnsupported(errors, context.fsGroupChangePolicy, 'core.PodSecurityContext.fsGroupChangePolicy', () => `${at()}.fsGroupChangePolicy`)
  if (context.seccompProfile) checkSeccompProfile(errors, context.seccompProfile, () => `${at()}.seccompProfile`)
  if (context.windowsOptions) checkWindowsOptions(errors, context.windowsOptions, () => `${at()}.windowsOptions`)
  if (context.appArmorProfile) checkAppArmorProfile(errors, context.appArmorProfile, () => `${at()}.appArmorProfile`)
  addUnsupported(
    errors,
    context.supplementalGroupsPolicy,
    'core.PodSecurityContext.supplementalGroupsPolicy',
    () => `${at()}.supplementalGroupsPolicy`,
  )
  const relabeling = options.allowAnySELinuxChangePolicy === true ? ['MountOption', 'Recursive'] : ['Recursive']
  addUnsupported(errors, context.seLinuxChangePolicy, relabeling, () => `${at()}.seLinuxChangePolicy`)
}

function checkPodIds(errors: FieldError[], context: PodSecurityContext, at: At, afterwards?: () => void): void {
  const { fsGroup, runAsUser, runAsGroup, supplementalGroups } = context
  if (isGiven(fsGroup)) addProblems(errors, isValidGroupId(fsGroup), fsGroup, () => `${at()}.fsGroup`)
  if (isGiven(runAsUser)) addProblems(errors, isValidUserId(runAsUser), runAsUser, () => `${at()}.runAsUser`)
  if (isGiven(runAsGroup)) addProblems(errors, isValidGroupId(runAsGroup), runAsGroup, () => `${at()}.runAsGroup`)
  for (const [index, group] of (supplementalGroups ?? []).entries())
    addProblems(errors, isValidGroupId(group), group, () => `${at()}.supplementalGroups[${index}]`)
  afterwards?.()
}

const sysctlFormat = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
const sysctlPattern = new RegExp(sysctlFormat)

function checkSysctls(
  errors: FieldError[],
  sysctls: NonNullable<PodSecurityContext['sysctls']>,
  spec: PodSpec,
  at: At,
  allowHostSysctls: boolean,
): void {
  const names = new Set<string>()
  for (const [index, { name = '' }] of sysctls.entries()) {
    const here = () => `${at()}[${index}].name`
    if (name === '') errors.push(required(here(), ''))
    else if (isLongerThan(name, 253) || !sysctlPattern.test(name))
      errors.push(invalid(here(), name, `must have at most 253 characters and match regex ${sysctlFormat}`))
    else if (names.has(name)) errors.push(duplicate(here(), name))
    const why = allowHostSysctls ? '' : hostSysctlProblem(name, spec)
    if (why !== '') errors.push(invalid(here(), name, why))
    names.add(name)
  }
}

/** A setting of a kernel namespace that the pod shares with its host is refused. Empty when it is not one. */
export function hostSysctlProblem(name: string, { hostNetwork, hostIPC }: PodSpec): string {
  if (hostNetwork !== true && hostIPC !== true) return ''
  const separator = /[./]/.exec(name)?.[0]
  const swapped = separator === '/' ? name.replace(/[./]/g, (one) => (one === '.' ? '/' : '.')) : name
  const prefix = swapped.includes('*') ? swapped.slice(0, swapped.indexOf('*')) : swapped
  if (hostNetwork === true && prefix.startsWith('net.')) return "may not be specified when 'hostNetwork' is true"
  const isIpc =
    prefix === 'kernel.sem' || prefix.startsWith('kernel.shm') || prefix.startsWith('kernel.msg') || prefix.startsWith('fs.mqueue.')
  return hostIPC === true && isIpc ? "may not be specified when 'hostIPC' is true" : ''
}

function checkSeccompProfile(errors: FieldError[], profile: SeccompProfile, at: At): void {
  const { type, localhostProfile } = profile
  if (!type) errors.push(required(`${at()}.type`, 'type is required when seccompProfile is set'))
  else if (!profileTypes.includes(type)) errors.push(notSupported(`${at()}.type`, typed(type), profileTypes))
  if (type !== 'Localhost') {
    if (isGiven(localhostProfile))
      errors.push(
        invalid(`${at()}.localhostProfile`, internalForm('core.SeccompProfile', profile), 'can only be set when seccomp type is Localhost'),
      )
  } else if (!isGiven(localhostProfile)) errors.push(required(`${at()}.localhostProfile`, 'must be set when seccomp type is Localhost'))
  else checkDescendingPath(errors, localhostProfile, () => `${at()}.localhostProfile`)
}

function checkAppArmorProfile(errors: FieldError[], { type, localhostProfile }: AppArmorProfile, at: At): void {
  const file = () => `${at()}.localhostProfile`
  if (!type) errors.push(required(`${at()}.type`, 'type is required when appArmorProfile is set'))
  else if (!profileTypes.includes(type)) errors.push(notSupported(`${at()}.type`, typed(type), profileTypes))
  else if (type !== 'Localhost') {
    if (isGiven(localhostProfile)) errors.push(invalid(file(), typed(localhostProfile), 'can only be set when AppArmor type is Localhost'))
  } else if (!isGiven(localhostProfile)) errors.push(required(file(), 'must be set when AppArmor type is Localhost'))
  else {
    if (hasSpaceAround(localhostProfile)) errors.push(invalid(file(), localhostProfile, 'must not be padded with whitespace'))
    else if (localhostProfile === '') errors.push(required(file(), 'must be set when AppArmor type is Localhost'))
    if (isLongerThan(localhostProfile, 4095)) errors.push(tooLong(file(), 4095))
  }
}
