// The spec of a pod, in a pod or in a template. The order of the checks is that of the causes in Kubernetes' responses.
// Kubernetes: pkg/apis/core/validation.ValidatePodSpec, validatePodResourceClaims, validatePodHostName, validatePodHostNetworkDeps
// Kubernetes: pkg/apis/core/validation.validateHostUsers, validateFileKeyRefVolumes
import { type At, duplicate, type FieldError, forbidden, invalid, notFound, required, tooLong } from '../../../../machinery/field-error.ts'
import { addEnumErrors } from '../../../../machinery/validation/enums.ts'
import { validateLabels } from '../../../../machinery/validation/metadata.ts'
import { isDns1123Label, isDns1123Subdomain, isLongerThan, isQualifiedName } from '../../../../machinery/validation/names.ts'
import type { ObjectMeta, PodSpec, Volume } from '../../../../types.ts'
import { checkAffinity } from './affinity.ts'
import { mirrorAnnotation } from './annotations.ts'
import { checkContainers, checkEphemeralContainers, checkInitContainers } from './container.ts'
import { checkDnsConfig, checkHostAliases } from './dns.ts'
import type { PodFacts, PodValidationOptions } from './facts.ts'
import { internalForm } from './internal-form.ts'
import { addProblems, isGiven } from './names.ts'
import { checkPodResources, checkResourceRequirements } from './resource-requirements.ts'
import { checkPodSecurityContext } from './security-context.ts'
import { checkTolerations } from './tolerations.ts'
import { checkTopologySpread } from './topology-spread.ts'
import { checkVolumes } from './volumes.ts'
import { checkHostProcess, checkOs, visitContainers } from './windows.ts'

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const preemptionPolicies = ['PreemptLowerPriority', 'Never']
const noVolumes: ReadonlyMap<string, Volume> = new Map()
const noNames: ReadonlySet<string> = new Set()

/** `metadata` is that of the pod itself; there is none for a template. */
export function checkPodSpec(
  errors: FieldError[],
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  at: At,
  options: PodValidationOptions,
): void {
  if (!isGiven(spec.terminationGracePeriodSeconds)) errors.push(required(`${at()}.terminationGracePeriodSeconds`, ''))
  const { volumes, resourceClaims, initContainers, ephemeralContainers } = spec
  const facts: PodFacts = {
    spec,
    options,
    volumes: volumes?.length ? checkVolumes(errors, volumes, metadata, () => `${at()}.volumes`, options) : noVolumes,
    claimNames: resourceClaims?.length ? new Set(resourceClaims.map(({ name }) => name).filter(Boolean)) : noNames,
  }
  if (resourceClaims?.length) checkResourceClaims(errors, resourceClaims, metadata, () => `${at()}.resourceClaims`)
  checkContainers(errors, spec.containers ?? [], () => `${at()}.containers`, facts)
  if (initContainers?.length) checkInitContainers(errors, initContainers, () => `${at()}.initContainers`, facts)
  if (ephemeralContainers?.length) checkEphemeralContainers(errors, ephemeralContainers, () => `${at()}.ephemeralContainers`, facts)
  if (spec.resources) checkPodResources(errors, spec, spec.resources, () => `${at()}.resources`, facts)
  if (spec.hostNetwork === true) checkHostNetworkPorts(errors, spec, at, options.resourceIsPod === true)
  addEnumErrors(errors, spec.restartPolicy, restartPolicies, () => `${at()}.restartPolicy`)
  addEnumErrors(errors, spec.dnsPolicy, dnsPolicies, () => `${at()}.dnsPolicy`)
  if (spec.nodeSelector) errors.push(...validateLabels(spec.nodeSelector, `${at()}.nodeSelector`))
  checkPodSecurityContext(errors, spec, () => `${at()}.securityContext`, options)
  if (spec.affinity) checkAffinity(errors, spec.affinity, () => `${at()}.affinity`, options)
  if (spec.dnsConfig || spec.dnsPolicy === 'None') checkDnsConfig(errors, spec, () => `${at()}.dnsConfig`)
  checkGates(errors, spec, at)
  if (spec.topologySpreadConstraints?.length)
    checkTopologySpread(errors, spec.topologySpreadConstraints, () => `${at()}.topologySpreadConstraints`, options)
  checkHostProcess(errors, spec, at)
  if (spec.hostUsers === false) checkUserNamespace(errors, spec, at, options)
  checkNames(errors, spec, at)
  if (spec.tolerations?.length)
    checkTolerations(errors, spec.tolerations, () => `${at()}.tolerations`, options.allowTolerationComparison === true)
  if (spec.hostAliases?.length) checkHostAliases(errors, spec.hostAliases, () => `${at()}.hostAliases`)
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead } = spec
  if (priorityClassName) addProblems(errors, isDns1123Subdomain(priorityClassName), priorityClassName, () => `${at()}.priorityClassName`)
  if (isGiven(runtimeClassName))
    addProblems(errors, isDns1123Subdomain(runtimeClassName), runtimeClassName, () => `${at()}.runtimeClassName`)
  if (isGiven(preemptionPolicy)) addEnumErrors(errors, preemptionPolicy, preemptionPolicies, () => `${at()}.preemptionPolicy`)
  if (overhead) checkResourceRequirements(errors, { limits: overhead }, () => `${at()}.overhead`, options)
  if (spec.os) checkOs(errors, spec, at)
  checkFileKeyVolumes(errors, spec, at)
}

function checkResourceClaims(
  errors: FieldError[],
  claims: NonNullable<PodSpec['resourceClaims']>,
  metadata: ObjectMeta | undefined,
  at: At,
): void {
  const isMirror = metadata?.annotations !== undefined && Object.hasOwn(metadata.annotations, mirrorAnnotation)
  const names = new Set<string>()
  for (const [index, claim] of claims.entries()) {
    const { name, resourceClaimName, resourceClaimTemplateName } = claim
    const here = () => `${at()}[${index}]`
    if (isMirror) {
      errors.push(forbidden('[]', 'static pods do not support resource claims'))
      continue
    }
    if (!name) errors.push(required(`${here()}.name`, ''))
    else if (names.has(name)) errors.push(duplicate(`${here()}.name`, name))
    else {
      addProblems(errors, isDns1123Label(name), name, () => `${here()}.name`)
      names.add(name)
    }
    const refuse = (why: string) => errors.push(invalid(here(), internalForm('PodResourceClaim', claim), why))
    if (isGiven(resourceClaimName) && isGiven(resourceClaimTemplateName))
      refuse('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified')
    if (!isGiven(resourceClaimName) && !isGiven(resourceClaimTemplateName))
      refuse('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`')
    if (isGiven(resourceClaimName))
      addProblems(errors, isDns1123Subdomain(resourceClaimName), resourceClaimName, () => `${here()}.resourceClaimName`)
    if (isGiven(resourceClaimTemplateName))
      addProblems(
        errors,
        isDns1123Subdomain(resourceClaimTemplateName),
        resourceClaimTemplateName,
        () => `${here()}.resourceClaimTemplateName`,
      )
  }
}

/** On the host's network a container's port is the host's. A template may leave the host's out: the pod gets it by default. */
function checkHostNetworkPorts(errors: FieldError[], { containers }: PodSpec, at: At, isPod: boolean): void {
  for (const [index, { ports }] of (containers ?? []).entries())
    for (const [portIndex, { hostPort = 0, containerPort = 0 }] of (ports ?? []).entries())
      if ((isPod || hostPort !== 0) && hostPort !== containerPort)
        errors.push(
          invalid(
            `${at()}.containers[${index}].ports[${portIndex}].hostPort`,
            hostPort,
            'must match `containerPort` when `hostNetwork` is true',
          ),
        )
}

function checkGates(errors: FieldError[], { readinessGates, schedulingGates }: PodSpec, at: At): void {
  if (readinessGates)
    for (const [index, { conditionType = '' }] of readinessGates.entries())
      addProblems(errors, isQualifiedName(conditionType), conditionType, () => `${at()}.readinessGates[${index}].conditionType`)
  if (!schedulingGates) return
  const seen = new Set<string>()
  for (const [index, { name = '' }] of schedulingGates.entries()) {
    addProblems(errors, isQualifiedName(name), name, () => `${at()}.schedulingGates[${index}]`)
    if (seen.has(name)) errors.push(duplicate(`${at()}.schedulingGates[${index}]`, name))
    seen.add(name)
  }
}

/** A pod with a user namespace of its own cannot share the host's others. */
function checkUserNamespace(errors: FieldError[], spec: PodSpec, at: At, options: PodValidationOptions): void {
  const why = 'when `hostUsers` is false'
  if (spec.hostNetwork === true && options.allowUserNamespacesWithHostNetwork !== true) errors.push(forbidden(`${at()}.hostNetwork`, why))
  if (spec.hostPID === true) errors.push(forbidden(`${at()}.HostPID`, why))
  if (spec.hostIPC === true) errors.push(forbidden(`${at()}.HostIPC`, why))
  if (options.allowUserNamespacesWithVolumeDevices !== true)
    visitContainers(spec, at, ({ volumeDevices }, where) => {
      if (volumeDevices?.length) errors.push(forbidden(`${where()}.volumeDevices`, why))
    })
}

function checkNames(errors: FieldError[], spec: PodSpec, at: At): void {
  const { hostnameOverride, nodeName, activeDeadlineSeconds, hostname, subdomain } = spec
  if (isGiven(hostnameOverride)) {
    const where = () => `${at()}.hostnameOverride`
    if (spec.setHostnameAsFQDN === true) errors.push(forbidden(where(), 'may not be specified when setHostnameAsFQDN is true'))
    if (spec.hostNetwork === true) errors.push(forbidden(where(), 'may not be specified when hostNetwork is true'))
    if (isLongerThan(hostnameOverride, 64)) errors.push(tooLong(where(), 64))
    addProblems(errors, isDns1123Subdomain(hostnameOverride), hostnameOverride, where)
  }
  const serviceAccountName = spec.serviceAccountName || spec.serviceAccount
  if (serviceAccountName)
    addProblems(errors, isDns1123Subdomain(serviceAccountName), serviceAccountName, () => `${at()}.serviceAccountName`)
  if (nodeName) addProblems(errors, isDns1123Subdomain(nodeName), nodeName, () => `${at()}.nodeName`)
  if (isGiven(activeDeadlineSeconds) && (activeDeadlineSeconds < 1 || activeDeadlineSeconds > 2147483647))
    errors.push(invalid(`${at()}.activeDeadlineSeconds`, activeDeadlineSeconds, 'must be between 1 and 2147483647, inclusive'))
  if (hostname) addProblems(errors, isDns1123Label(hostname), hostname, () => `${at()}.hostname`)
  if (subdomain) addProblems(errors, isDns1123Label(subdomain), subdomain, () => `${at()}.subdomain`)
}

/** Files of environment variables come from an emptyDir only. */
function checkFileKeyVolumes(errors: FieldError[], spec: PodSpec, at: At): void {
  visitContainers(spec, at, ({ env }, where) => {
    if (!env) return
    for (let index = 0; index < env.length; index++) {
      const fileKeyRef = env[index]!.valueFrom?.fileKeyRef
      if (!fileKeyRef) continue
      const name = fileKeyRef.volumeName ?? ''
      const field = `${where()}.env[${index}].valueFrom.fileKeyRef.volumeName`
      const volume = spec.volumes?.findLast((one) => (one.name ?? '') === name)
      if (volume === undefined) errors.push(notFound(field, name))
      else if (!volume.emptyDir) errors.push(invalid(field, name, 'referenced volume must be of type emptyDir'))
    }
  })
}
