// Exceptions for stored pods. A rule that was added later must not make a stored object impossible to change: each option
// exempts the object from one such rule.
// Kubernetes: pkg/api/pod.GetValidationOptionsFromPodSpecAndMeta
// Kubernetes: pkg/apis/core/validation.PodValidationOptions
import type { FeatureGates } from '../../../../machinery/feature-gates.ts'
import { hasInvalidSelectorValue, validateLabelSelector } from '../../../../machinery/validation/metadata.ts'
import { isValidLabelValue } from '../../../../machinery/validation/names.ts'
import { isHugePageDivisible, isHugePageResource, quantityOf, type ResourceList } from '../../../../machinery/validation/resources.ts'
import type { PodSpec } from '../../../../types.ts'
import { isDeletionCost } from './annotations.ts'
import type { AnyContainer, PodTemplateLike, PodValidationOptions } from './facts.ts'
import { checkNonReservedPath } from './names.ts'
import { hostSysctlProblem } from './security-context.ts'
import { checkMatchLabelKeys } from './topology-spread.ts'

export type { PodValidationOptions }

/** The options for a pod or a template, given the stored one. At creation there is none. */
export function podValidationOptions(gates: FeatureGates, current?: PodTemplateLike): PodValidationOptions {
  if (current === undefined) return gates.PodDeletionCost ? noOptions : { allowInvalidPodDeletionCost: true }
  const { spec, metadata } = current
  return {
    ...(spec && allowances(spec)),
    allowInvalidPodDeletionCost: !gates.PodDeletionCost || !isDeletionCost(metadata?.annotations),
  }
}

const noOptions: PodValidationOptions = Object.freeze({})

function allowances(spec: PodSpec): PodValidationOptions {
  const containers: readonly AnyContainer[] = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ]
  const constraints = spec.topologySpreadConstraints ?? []
  return {
    allowIndivisibleHugePagesValues:
      containers.some(({ resources }) => hasIndivisible(resources?.limits) || hasIndivisible(resources?.requests)) ||
      hasIndivisible(spec.overhead),
    allowInvalidLabelValueInSelector: hasInvalidAffinitySelector(spec),
    allowInvalidLabelValueInRequiredNodeAffinity: (
      spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
    ).some(({ matchExpressions }) => matchExpressions?.some(({ values }) => values?.some((value) => isValidLabelValue(value).length > 0))),
    allowInvalidTopologySpreadLabelSelector: constraints.some(({ labelSelector }) => validateLabelSelector(labelSelector, '').length > 0),
    oldPodViolatesMatchLabelKeys: constraints.some(
      ({ matchLabelKeys, labelSelector }) => checkMatchLabelKeys([], matchLabelKeys, undefined, labelSelector, () => '') > 0,
    ),
    allowNonLocalProjectedTokenPath: hasNonLocalTokenPath(spec),
    allowHostSysctls: (spec.securityContext?.sysctls ?? []).some(({ name }) => hostSysctlProblem(name ?? '', spec) !== ''),
    allowAnySELinuxChangePolicy: spec.securityContext?.seLinuxChangePolicy !== undefined,
    allowTolerationComparison: (spec.tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt'),
    allowUserNamespacesWithHostNetwork: spec.hostUsers === false && spec.hostNetwork === true,
    allowUserNamespacesWithVolumeDevices:
      spec.hostUsers === false && containers.some(({ volumeDevices }) => (volumeDevices?.length ?? 0) > 0),
    allowRestartContainerForInitContainers: (spec.initContainers ?? []).some(
      ({ restartPolicy, resizePolicy }) =>
        restartPolicy !== 'Always' && resizePolicy?.some((policy) => policy.restartPolicy === 'RestartContainer'),
    ),
  }
}

const hasIndivisible = (list: ResourceList | undefined) =>
  list !== undefined && Object.keys(list).some((name) => isHugePageResource(name) && !isHugePageDivisible(name, quantityOf(list[name]!)))

function hasInvalidAffinitySelector({ affinity }: PodSpec): boolean {
  const { podAffinity, podAntiAffinity } = affinity ?? {}
  const terms = [podAffinity, podAntiAffinity].flatMap((rules) => [
    ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ])
  return terms.some((term) => hasInvalidSelectorValue(term?.labelSelector) || hasInvalidSelectorValue(term?.namespaceSelector))
}

function hasNonLocalTokenPath({ volumes }: PodSpec): boolean {
  for (const { projected } of volumes ?? [])
    for (const { serviceAccountToken } of projected?.sources ?? []) {
      const errors: never[] = []
      if (serviceAccountToken) checkNonReservedPath(errors, serviceAccountToken.path ?? '', () => '')
      if (errors.length > 0) return true
    }
  return false
}
