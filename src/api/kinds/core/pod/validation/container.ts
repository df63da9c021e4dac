// Containers of all three lists: the rules they share, and those of each list.
// Kubernetes: pkg/apis/core/validation.validateContainers, validateInitContainers, validateEphemeralContainers, validateContainerCommon
// Kubernetes: pkg/apis/core/validation.validateContainerRestartPolicy, validateInitContainerRestartPolicy, validateResizePolicy
// Kubernetes: pkg/apis/core/validation.validatePullPolicy
import {
  type At,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  required,
  tooMany,
  typed,
} from '../../../../machinery/field-error.ts'
import { addEnumErrors, addUnsupported } from '../../../../machinery/validation/enums.ts'
import { isDns1123Label } from '../../../../machinery/validation/names.ts'
import type { Container } from '../../../../types.ts'
import { checkEnv, checkEnvFrom } from './env.ts'
import type { AnyContainer, EphemeralContainer, PodFacts } from './facts.ts'
import { addProblems, hasSpaceAround } from './names.ts'
import { checkHostPortConflicts, checkPorts } from './ports.ts'
import { checkLifecycle, checkProbes } from './probes.ts'
import { checkResourceRequirements } from './resource-requirements.ts'
import { checkSecurityContext } from './security-context.ts'
import { checkVolumeDevices, checkVolumeMounts } from './volume-mounts.ts'

const nothing: ReadonlyMap<string, string> = new Map()

function checkCommon(errors: FieldError[], container: AnyContainer, at: At, facts: PodFacts): void {
  const { name, resources, resizePolicy, ports, env, envFrom, volumeMounts, volumeDevices, securityContext } = container
  if (!name) errors.push(required(`${at()}.name`, ''))
  else addProblems(errors, isDns1123Label(name), name, () => `${at()}.name`)
  if (!container.image) errors.push(required(`${at()}.image`, ''))
  addEnumErrors(errors, container.terminationMessagePolicy, terminationMessagePolicies, () => `${at()}.terminationMessagePolicy`)
  if (ports?.length) checkPorts(errors, ports, at)
  if (env?.length) checkEnv(errors, env, at)
  if (envFrom?.length) checkEnvFrom(errors, envFrom, at)
  if (volumeMounts?.length) {
    const devices = volumeDevices?.length ? new Map(volumeDevices.map((device) => [device.name, device.devicePath])) : nothing
    checkVolumeMounts(errors, volumeMounts, devices, facts.volumes, securityContext?.privileged === true, at)
  }
  if (volumeDevices?.length) checkVolumeDevices(errors, volumeDevices, volumeMounts, facts.volumes, at)
  checkPullPolicy(errors, container.imagePullPolicy, () => `${at()}.imagePullPolicy`)
  if (resources)
    checkResourceRequirements(errors, resources, () => `${at()}.resources`, {
      claimNames: facts.claimNames,
      allowIndivisibleHugePagesValues: facts.options.allowIndivisibleHugePagesValues === true,
    })
  if (resizePolicy?.length) checkResizePolicy(errors, resizePolicy, facts.spec.restartPolicy, () => `${at()}.resizePolicy`)
  if (securityContext) checkSecurityContext(errors, securityContext, () => `${at()}.securityContext`, facts.spec.hostUsers !== false)
}

const terminationMessagePolicies = ['File', 'FallbackToLogsOnError']

export const checkPullPolicy = (errors: FieldError[], policy: string | undefined, at: At) =>
  addEnumErrors(errors, policy, 'core.Container.imagePullPolicy', at)

const resizeResources = ['cpu', 'memory']
const resizePolicies = ['NotRequired', 'RestartContainer']

function checkResizePolicy(
  errors: FieldError[],
  policies: NonNullable<Container['resizePolicy']>,
  podRestartPolicy: string | undefined,
  at: At,
): void {
  const seen = new Set<string>()
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) errors.push(duplicate(`${at()}[${index}]`, typed(resourceName)))
    seen.add(resourceName)
    addEnumErrors(errors, resourceName, resizeResources, at)
    addEnumErrors(errors, restartPolicy, resizePolicies, at)
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired')
      errors.push(invalid(at(), typed(restartPolicy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
  }
}

const containerRestartPolicies = ['Always', 'Never', 'OnFailure']
const restartRuleActions = ['Restart', 'RestartAllContainers']
const restartRuleOperators = ['In', 'NotIn']

const restartPolicyRequired = (at: At) => required(`${at()}.restartPolicy`, 'must specify restartPolicy when restart rules are used')

function checkRestartRules(errors: FieldError[], { restartPolicy, restartPolicyRules }: AnyContainer, at: At): void {
  const rules = restartPolicyRules ?? []
  if (restartPolicy === undefined || restartPolicy === null) {
    if (rules.length === 0) return
    errors.push(restartPolicyRequired(at))
  } else addUnsupported(errors, restartPolicy, containerRestartPolicies, () => `${at()}.restartPolicy`)
  if (rules.length > 20) errors.push(tooMany(`${at()}.restartPolicyRules`, rules.length, 20))
  for (const [index, { action = '', exitCodes }] of rules.entries()) {
    const where = () => `${at()}.restartPolicyRules[${index}]`
    addUnsupported(errors, action, restartRuleActions, () => `${where()}.action`)
    if (!exitCodes) {
      errors.push(required(`${where()}.exitCodes`, 'must be specified'))
      continue
    }
    const { operator = '', values = [] } = exitCodes
    addUnsupported(errors, operator, restartRuleOperators, () => `${where()}.exitCodes.operator`)
    if (values.length > 255) errors.push(tooMany(`${where()}.exitCodes.values`, values.length, 255))
  }
}

export function checkContainers(errors: FieldError[], containers: readonly Container[], at: At, facts: PodFacts): void {
  if (containers.length === 0) {
    errors.push(required(at(), ''))
    return
  }
  const names = new Set<string>()
  for (let index = 0; index < containers.length; index++) {
    const container = containers[index]!
    const here = () => `${at()}[${index}]`
    const name = container.name ?? ''
    checkCommon(errors, container, here, facts)
    if (names.has(name)) errors.push(duplicate(`${here()}.name`, name))
    else names.add(name)
    if (container.lifecycle) checkLifecycle(errors, container.lifecycle, () => `${here()}.lifecycle`, facts.spec)
    checkProbes(errors, container, here, facts.spec)
    if (container.restartPolicy !== undefined || container.restartPolicyRules !== undefined) checkRestartRules(errors, container, here)
  }
  checkHostPortConflicts(errors, containers, at)
}

const onlyForSidecars = 'may not be set for init containers without restartPolicy=Always'

export function checkInitContainers(errors: FieldError[], containers: readonly Container[], at: At, facts: PodFacts): void {
  const names = new Set<string>(facts.spec.containers?.map(({ name }) => name ?? ''))
  for (let index = 0; index < containers.length; index++) {
    const container = containers[index]!
    const here = () => `${at()}[${index}]`
    const name = container.name ?? ''
    const isSidecar = container.restartPolicy === 'Always'
    checkCommon(errors, container, here, facts)
    if (container.restartPolicy !== undefined) checkRestartRules(errors, container, here)
    else if (container.restartPolicyRules?.length) errors.push(restartPolicyRequired(here))
    if (names.has(name)) errors.push(duplicate(`${here()}.name`, name))
    else if (name !== '') names.add(name)
    // Init containers run one after the other, so that they cannot conflict about host ports; Kubernetes always reports index 0.
    checkHostPortConflicts(errors, [container], at)
    if (isSidecar) {
      if (container.lifecycle) checkLifecycle(errors, container.lifecycle, () => `${here()}.lifecycle`, facts.spec)
      checkProbes(errors, container, here, facts.spec)
    } else {
      for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
        if (container[field]) errors.push(forbidden(`${here()}.${field}`, onlyForSidecars))
    }
    if (!isSidecar && facts.options.allowRestartContainerForInitContainers !== true)
      for (const [policyIndex, policy] of (container.resizePolicy ?? []).entries())
        if (policy.restartPolicy === 'RestartContainer')
          errors.push(
            invalid(
              `${here()}.resizePolicy[${policyIndex}].restartPolicy`,
              typed(policy.restartPolicy),
              "must not be set to 'RestartContainer' for non-sidecar initContainers",
            ),
          )
  }
}

const forEphemeral = 'cannot be set for an Ephemeral Container'
const refusedForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

export function checkEphemeralContainers(errors: FieldError[], containers: readonly EphemeralContainer[], at: At, facts: PodFacts): void {
  const others = new Set<string>()
  for (const { name } of facts.spec.containers ?? []) others.add(name ?? '')
  for (const { name } of facts.spec.initContainers ?? []) others.add(name ?? '')
  const names = new Set(others)
  for (const [index, container] of containers.entries()) {
    const here = () => `${at()}[${index}]`
    const name = container.name ?? ''
    checkCommon(errors, container, here, facts)
    checkImageSpace(errors, container, here)
    if (names.has(name)) errors.push(duplicate(`${here()}.name`, name))
    else names.add(name)
    if (container.targetContainerName && !others.has(container.targetContainerName))
      errors.push(notFound(`${here()}.targetContainerName`, container.targetContainerName))
    for (const field of refusedForEphemeral) if (isSet(field, container[field])) errors.push(forbidden(`${here()}.${field}`, forEphemeral))
    for (const [mountIndex, { subPath, subPathExpr }] of (container.volumeMounts ?? []).entries()) {
      if (subPath) errors.push(forbidden(`${here()}.volumeMounts[${mountIndex}].subPath`, forEphemeral))
      if (subPathExpr) errors.push(forbidden(`${here()}.volumeMounts[${mountIndex}].subPathExpr`, forEphemeral))
    }
  }
}

/** Every field but `resources` is a pointer or a list: an empty one counts as set. */
const isSet = (field: string, value: unknown) =>
  value !== undefined && value !== null && (field !== 'resources' || Object.values(value).some((one) => one !== undefined))

/** For pods only: the image of a template may be filled in later. */
export function checkImageSpace(errors: FieldError[], { image }: AnyContainer, at: At): void {
  if (image && hasSpaceAround(image)) errors.push(invalid(`${at()}.image`, image, 'must not have leading or trailing whitespace'))
}
