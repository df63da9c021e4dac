// Validation of the pod status that a node reports.
// Kubernetes: pkg/apis/core/validation.ValidatePodStatusUpdate, validatePodExtendedResourceClaimStatus, validatePodResourceClaimStatuses
// Kubernetes: pkg/apis/core/validation.validateContainerStatusAllocatedResourcesStatus, validateHostIPs
// Kubernetes: pkg/apis/core/validation.ValidateInitContainerStateTransition, ValidateContainerStateTransition
import {
  type At,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  typed,
} from '../../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../../machinery/kind.ts'
import { isValidIp, parseIp } from '../../../../machinery/validation/ip-address.ts'
import {
  isDns1123Label,
  isDns1123Subdomain,
  isLongerThan,
  isQualifiedName,
  isValidGroupId,
  isValidUserId,
} from '../../../../machinery/validation/names.ts'
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from '../../../../types.ts'
import type { PodValidationOptions } from './facts.ts'
import { internalForm } from './internal-form.ts'
import { addProblems } from './names.ts'
import { checkAnnotationUpdate, validateLeniently } from './update.ts'

const emptySpec = {} as PodSpec
const systemConditions = new Set(['PodScheduled', 'Ready', 'Initialized'])

export function validatePodStatusUpdate(next: Pod, current: Pod, context: Pick<StrategyContext, 'gates'>): FieldError[] {
  return validateLeniently(current, context, (options) => findStatusErrors(next, current, options))
}

function findStatusErrors(next: Pod, current: Pod, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = []
  const status = next.status ?? {}
  const old = current.status ?? {}
  const spec = next.spec ?? emptySpec
  const oldSpec = current.spec ?? emptySpec
  checkAnnotationUpdate(errors, next, current, options)
  checkConditions(errors, status.conditions)
  if ((spec.nodeName ?? '') !== (oldSpec.nodeName ?? '')) errors.push(forbidden('status.nodeName', 'may not be changed directly'))
  const nominated = status.nominatedNodeName ?? ''
  if (nominated !== '' && nominated !== (old.nominatedNodeName ?? '')) {
    addProblems(errors, isDns1123Subdomain(nominated), nominated, () => 'status.nominatedNodeName')
    if (oldSpec.nodeName) errors.push(forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node'))
  }
  if ((status.observedGeneration ?? 0) < 0)
    errors.push(invalid('status.observedGeneration', status.observedGeneration, 'must be a non-negative integer'))
  if ((status.qosClass ?? '') !== (old.qosClass ?? ''))
    errors.push(invalid('status.qosClass', typed(status.qosClass), 'field is immutable'))
  checkTransitions(errors, status, old, oldSpec)
  checkClaimStatuses(errors, status, spec)
  checkExtendedClaim(errors, status, spec)
  checkIps(errors, status.podIPs, old.podIPs, 'status.podIPs', 'PodIP')
  checkHostIps(errors, status, old)
  checkStatusLists(errors, status, spec)
  return errors
}

function checkConditions(errors: FieldError[], conditions: PodStatus['conditions']): void {
  if (!conditions) return
  for (let index = 0; index < conditions.length; index++) {
    const { type = '', observedGeneration = 0 } = conditions[index]!
    if (observedGeneration < 0)
      errors.push(invalid(`status.conditions[${index}].observedGeneration`, observedGeneration, 'must be a non-negative integer'))
    if (!systemConditions.has(type)) addProblems(errors, isQualifiedName(type), type, () => `status.conditions[${index}].Type`)
  }
}

type Statuses = readonly ContainerStatus[] | undefined

/** A container that has ended stays ended, unless its restart policy says otherwise. */
function checkTransitions(errors: FieldError[], status: PodStatus, old: PodStatus, spec: PodSpec): void {
  const restartsAll = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  )
  const check = (next: Statuses, before: Statuses, list: string, mayRestart: (name: string, exitCode: number) => boolean) => {
    for (const [index, { name, state }] of (before ?? []).entries()) {
      if (!state?.terminated) continue
      const now = next?.find((one) => one.name === name && !one.state?.terminated)
      if (now !== undefined && !mayRestart(name, state.terminated.exitCode ?? 0))
        errors.push(forbidden(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state'))
    }
  }
  const among = (containers: readonly Container[] | undefined) => (name: string, exitCode: number) => {
    const container = containers?.find((one) => one.name === name)
    return container !== undefined && isRestarted(container, spec, exitCode)
  }
  if (!restartsAll) {
    check(status.containerStatuses, old.containerStatuses, 'containerStatuses', among(spec.containers))
    check(status.initContainerStatuses, old.initContainerStatuses, 'initContainerStatuses', among(spec.initContainers))
  }
  check(status.ephemeralContainerStatuses, old.ephemeralContainerStatuses, 'ephemeralContainerStatuses', () => false)
}

/** Whether the container starts again after that exit code. */
export function isRestarted({ restartPolicy, restartPolicyRules }: Container, spec: PodSpec, exitCode: number): boolean {
  if (restartPolicy !== undefined && restartPolicy !== null) {
    const rule = restartPolicyRules?.find(({ exitCodes }) => {
      const isListed = exitCodes?.values?.includes(exitCode) ?? false
      return (exitCodes?.operator === 'In' && isListed) || (exitCodes?.operator === 'NotIn' && !isListed)
    })
    if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true
  }
  const ofContainer = restartPolicy === 'Always' || restartPolicy === 'OnFailure' || restartPolicy === 'Never' ? restartPolicy : undefined
  const policy = ofContainer ?? spec.restartPolicy
  return policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never'
}

function checkClaimStatuses(errors: FieldError[], { resourceClaimStatuses }: PodStatus, { resourceClaims }: PodSpec): void {
  const names = new Set<string>()
  const path = 'status.resourceClaimStatuses'
  for (const [index, { name = '', resourceClaimName }] of (resourceClaimStatuses ?? []).entries()) {
    if (!resourceClaims?.some((claim) => claim.name === name))
      errors.push(invalid(`${path}[${index}].name`, name, 'must match the name of an entry in `spec.resourceClaims`'))
    if (names.has(name)) errors.push(duplicate(`${path}[${index}].name`, name))
    else names.add(name)
    if (resourceClaimName !== undefined && resourceClaimName !== null)
      addProblems(errors, isDns1123Subdomain(resourceClaimName), typed(resourceClaimName), () => `${path}[${index}].resourceClaimName`)
  }
}

function checkExtendedClaim(errors: FieldError[], { extendedResourceClaimStatus }: PodStatus, spec: PodSpec): void {
  if (!extendedResourceClaimStatus) return
  const path = 'status.extendedResourceClaimStatus'
  const { resourceClaimName } = extendedResourceClaimStatus
  const requestMappings = extendedResourceClaimStatus.requestMappings ?? []
  if (requestMappings.length === 0) errors.push(required(`${path}.requestMappings`, 'at least one request mapping is required'))
  const containers = new Map([...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((one) => [one.name, one]))
  const seen = new Set<string>()
  for (const [index, { containerName = '', resourceName = '', requestName = '' }] of requestMappings.entries()) {
    const here = `${path}.requestMappings[${index}]`
    const container = containers.get(containerName)
    if (container === undefined)
      errors.push(
        invalid(
          `${here}.containerName`,
          containerName,
          'must match the name of an entry in spec.initContainers.name or spec.containers.name',
        ),
      )
    else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName))
      errors.push(
        invalid(
          `${here}.resourceName`,
          resourceName,
          'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
        ),
      )
    addProblems(errors, isDns1123Label(requestName), requestName, () => `${path}.requestName`)
    const key = JSON.stringify([containerName, resourceName, requestName])
    if (seen.has(key))
      errors.push(
        duplicate(`${here}.containerName`, containerName),
        duplicate(`${here}.resourceName`, resourceName),
        duplicate(`${here}.requestName`, requestName),
      )
    seen.add(key)
  }
  if (!resourceClaimName) errors.push(required(`${path}.resourceClaimName`, ''))
  else addProblems(errors, isDns1123Subdomain(resourceClaimName), resourceClaimName, () => `${path}.resourceClaimName`)
}

type Ips = readonly { readonly ip: string }[] | undefined

/** Addresses of the stored status may stay, even invalid ones. Two addresses must be of different families. */
function checkIps(errors: FieldError[], ips: Ips, old: Ips, path: string, type: string): void {
  if (!ips) return
  for (let index = 0; index < ips.length; index++) {
    const ip = ips[index]!.ip ?? ''
    if (!old?.some((one) => (one.ip ?? '') === ip)) addProblems(errors, isValidIp(ip), ip, () => `${path}[${index}]`)
  }
  if (ips.length < 2) return
  const families = ips.map(({ ip }) => parseIp(ip ?? '')?.family)
  const wrong = families.indexOf(undefined)
  const wrongIp = wrong >= 0 ? ips[wrong]!.ip : undefined
  if (wrongIp !== undefined)
    errors.push({ type: 'InternalError', field: path, detail: `failed to check for dual stack with error:invalid IP: ${wrongIp}` })
  if (wrongIp !== undefined || ips.length > 2 || families[0] === families[1])
    errors.push(
      invalid(
        path,
        ips.map((one) => internalForm(type, one)),
        'may specify no more than one IP for each IP family',
      ),
    )
}

function checkHostIps(errors: FieldError[], { hostIP = '', hostIPs }: PodStatus, old: PodStatus): void {
  if (!hostIPs?.length) return
  const first = hostIPs[0]!.ip ?? ''
  if (hostIP !== first) errors.push(invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`'))
  checkIps(errors, hostIPs, old.hostIPs, 'status.hostIPs', 'HostIP')
}

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const

function checkStatusLists(errors: FieldError[], status: PodStatus, spec: PodSpec): void {
  for (const list of statusLists) checkUsers(errors, status[list], spec, () => `status.${list}`)
  checkAllocated(errors, status.containerStatuses, spec.containers, 'status.containerStatuses')
  checkAllocated(errors, status.initContainerStatuses, spec.initContainers, 'status.initContainerStatuses')
  for (const [index, { allocatedResourcesStatus }] of (status.ephemeralContainerStatuses ?? []).entries())
    if (allocatedResourcesStatus?.length)
      errors.push(
        forbidden(`status.ephemeralContainerStatuses[${index}].allocatedResourcesStatus`, 'must not be specified in container status'),
      )
}

function checkUsers(errors: FieldError[], statuses: Statuses, { os }: PodSpec, at: At): void {
  if (!statuses) return
  for (let index = 0; index < statuses.length; index++) {
    const linux = statuses[index]!.user?.linux
    if (!linux) continue
    const here = () => `${at()}[${index}].user.linux`
    if (os?.name === 'windows') errors.push(forbidden(here(), 'cannot be set for a windows pod'))
    else if (!os || os.name === 'linux') {
      addProblems(errors, isValidUserId(linux.uid ?? 0), linux.uid ?? 0, () => `${here()}.uid`)
      addProblems(errors, isValidGroupId(linux.gid ?? 0), linux.gid ?? 0, () => `${here()}.gid`)
      for (const [groupIndex, group] of (linux.supplementalGroups ?? []).entries())
        addProblems(errors, isValidGroupId(group), group, () => `${here()}.supplementalGroups[${groupIndex}]`)
    }
  }
}

const healths = ['Healthy', 'Unhealthy', 'Unknown']

function checkAllocated(errors: FieldError[], statuses: Statuses, containers: readonly Container[] | undefined, path: string): void {
  for (const [index, { name, allocatedResourcesStatus }] of (statuses ?? []).entries())
    for (const [resourceIndex, allocated] of (allocatedResourcesStatus ?? []).entries()) {
      const here = `${path}[${index}].allocatedResourcesStatus[${resourceIndex}]`
      const container = containers?.find((one) => one.name === name)
      const why = container === undefined ? '' : allocationProblem(allocated.name ?? '', container)
      if (why !== '') errors.push(invalid(`${here}.name`, typed(allocated.name), why))
      const ids = new Set<string>()
      for (const [healthIndex, one] of (allocated.resources ?? []).entries()) {
        const { health = '', resourceID = '' } = one
        const { message } = one as { readonly message?: string }
        const where = `${here}.resources[${healthIndex}]`
        if (!healths.includes(health)) errors.push(notSupported(`${where}.health`, typed(health), healths))
        if (message === '') errors.push(required(`${where}.message`, 'must be non-empty if specified'))
        else if (message && isLongerThan(message, 1024)) errors.push(tooLong(`${where}.message`, 1024))
        if (ids.has(resourceID)) errors.push(duplicate(`${where}.resourceID`, typed(resourceID)))
        else ids.add(resourceID)
      }
    }
}

function allocationProblem(name: string, { resources }: Container): string {
  if (!name.startsWith('claim:'))
    return Object.hasOwn(resources?.requests ?? {}, name) ? '' : "must match one of the container's resource requests"
  const isClaimed = resources?.claims?.some((claim) => name === `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`)
  if (isClaimed) return ''
  return "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
}
