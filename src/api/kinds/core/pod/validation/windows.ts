// Rules for pods that run on Windows.
// Kubernetes: pkg/apis/core/validation.validateWindows, validateLinux, validateOS, validateWindowsHostProcessPod
// Kubernetes: pkg/apis/core/validation.validateWindowsSecurityContextOptions
import { type At, type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../../machinery/field-error.ts'
import { byteLength, isDns1123Subdomain } from '../../../../machinery/validation/names.ts'
import type { Container, PodSpec } from '../../../../types.ts'
import type { AnyContainer } from './facts.ts'
import { addProblems, isGiven } from './names.ts'

type SecurityContext = NonNullable<Container['securityContext']>
type WindowsOptions = NonNullable<SecurityContext['windowsOptions']>

const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u
const dnsName = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
const wrongUserCharacters = /["/\\:;|=,+*?<>@[\]]/

export function checkWindowsOptions(errors: FieldError[], options: WindowsOptions, at: At): void {
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options
  if (isGiven(gmsaCredentialSpecName))
    addProblems(errors, isDns1123Subdomain(gmsaCredentialSpecName), typed(gmsaCredentialSpecName), () => `${at()}.gmsaCredentialSpecName`)
  if (isGiven(gmsaCredentialSpec)) {
    const where = () => `${at()}.gmsaCredentialSpec`
    if (gmsaCredentialSpec === '') errors.push(invalid(where(), '', 'gmsaCredentialSpec cannot be an empty string'))
    else if (byteLength(gmsaCredentialSpec) > 64 * 1024)
      errors.push(invalid(where(), typed(gmsaCredentialSpec), 'gmsaCredentialSpec size must be under 64 KiB'))
  }
  if (isGiven(runAsUserName))
    for (const why of userNameProblems(runAsUserName)) errors.push(invalid(`${at()}.runAsUserName`, typed(runAsUserName), why))
}

function userNameProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
  if (/[\x00-\x1f\x7f]/.test(name)) return ['runAsUserName cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const user = parts.at(-1)!
  const domain = parts.length === 2 ? parts[0]! : undefined
  const problems: string[] = []
  if (domain !== undefined && byteLength(domain) >= 256) problems.push("runAsUserName's Domain length must be under 256 characters")
  if (domain !== undefined && !netBiosName.test(domain) && !dnsName.test(domain))
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  if (user === '') problems.push("runAsUserName's User cannot be empty")
  else if (byteLength(user) > 104) problems.push("runAsUserName's User length must not be longer than 104 characters")
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces")
  if (wrongUserCharacters.test(user)) problems.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`)
  return problems
}

/** Calls `visit` with every container and its path, in Kubernetes' order. */
export function visitContainers(spec: PodSpec, at: At, visit: (container: AnyContainer, where: At) => void): void {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const
  for (const list of lists) {
    const containers = spec[list] as readonly AnyContainer[] | undefined
    if (!containers) continue
    for (let index = 0; index < containers.length; index++) visit(containers[index]!, () => `${at()}.${list}[${index}]`)
  }
}

export function checkHostProcess(errors: FieldError[], spec: PodSpec, at: At): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  let containers = 0
  let hostProcesses = 0
  visitContainers(spec, at, ({ securityContext }, where) => {
    const ofContainer = securityContext?.windowsOptions?.hostProcess
    containers++
    if (isGiven(ofPod) && isGiven(ofContainer) && ofPod !== ofContainer)
      errors.push(
        invalid(
          `${where()}.securityContext.windowsOptions.hostProcess`,
          ofContainer,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        ),
      )
    if (ofContainer ?? ofPod) hostProcesses++
  })
  if (hostProcesses === 0) return
  if (hostProcesses !== containers)
    errors.push(invalid(at(), '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'))
  if (spec.hostNetwork !== true)
    errors.push(invalid(`${at()}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers'))
}

/** spec.os, and what its value rules out. */
export function checkOs(errors: FieldError[], spec: PodSpec, at: At): void {
  const name = spec.os?.name
  if (!name) errors.push(required(`${at()}.os.name`, ''))
  else if (name === 'linux') checkLinux(errors, spec, at)
  else if (name === 'windows') checkWindows(errors, spec, at)
  else errors.push(notSupported(`${at()}.os`, typed(name), ['linux', 'windows']))
}

function checkLinux(errors: FieldError[], spec: PodSpec, at: At): void {
  const message = 'windows options cannot be set for a linux pod'
  if (spec.securityContext?.windowsOptions) errors.push(forbidden(`${at()}.securityContext.windowsOptions`, message))
  visitContainers(spec, at, ({ securityContext }, where) => {
    if (securityContext?.windowsOptions) errors.push(forbidden(`${where()}.securityContext.windowsOptions`, message))
  })
}

const containerFieldsOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const

function checkWindows(errors: FieldError[], spec: PodSpec, at: At): void {
  const refuse = (value: unknown, field: string) => {
    if (isGiven(value) && value !== false) errors.push(forbidden(`${at()}.${field}`, 'cannot be set for a windows pod'))
  }
  const context = spec.securityContext ?? {}
  refuse(context.appArmorProfile, 'securityContext.appArmorProfile')
  refuse(context.seLinuxOptions, 'securityContext.seLinuxOptions')
  refuse(isGiven(spec.hostUsers), 'hostUsers')
  refuse(spec.hostPID, 'hostPID')
  refuse(spec.hostIPC, 'hostIPC')
  refuse(context.seccompProfile, 'securityContext.seccompProfile')
  refuse(context.fsGroup, 'securityContext.fsGroup')
  refuse(context.fsGroupChangePolicy, 'securityContext.fsGroupChangePolicy')
  refuse((context.sysctls?.length ?? 0) > 0, 'securityContext.sysctls')
  refuse(isGiven(spec.shareProcessNamespace), 'shareProcessNamespace')
  refuse(context.runAsUser, 'securityContext.runAsUser')
  refuse(context.runAsGroup, 'securityContext.runAsGroup')
  refuse(context.supplementalGroups, 'securityContext.supplementalGroups')
  refuse(context.supplementalGroupsPolicy, 'securityContext.supplementalGroupsPolicy')
  refuse(context.seLinuxChangePolicy, 'securityContext.seLinuxChangePolicy')
  visitContainers(spec, at, ({ securityContext }, where) => {
    if (!securityContext) return
    for (const field of containerFieldsOfLinux)
      if (isGiven(securityContext[field])) errors.push(forbidden(`${where()}.securityContext.${field}`, 'cannot be set for a windows pod'))
  })
}
