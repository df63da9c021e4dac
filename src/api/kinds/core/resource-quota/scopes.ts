// The objects that a quota with scopes applies to: all of its scopes must match.
// Kubernetes: pkg/quota/v1/evaluator/core.podMatchesScopeFunc, podMatchesSelector, isBestEffort, IsTerminating
// Kubernetes: pkg/quota/v1/evaluator/core.usesCrossNamespacePodAffinity, pvcEvaluator.Matches
import type { PersistentVolumeClaim, Pod, ResourceQuota } from '../../../types.ts'
import { qualityOfService } from '../pod/quality-of-service.ts'
import { hasDeadline } from './pod-usage.ts'

export interface ScopeRequirement {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[]
}

/** The scopes of both forms as one list. */
export function scopesOf({ spec }: ResourceQuota): readonly ScopeRequirement[] {
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...((spec?.scopeSelector?.matchExpressions ?? []) as readonly ScopeRequirement[]),
  ]
}

export function podMatchesScope(requirement: ScopeRequirement, pod: Pod): boolean {
  switch (requirement.scopeName) {
    case 'Terminating':
      return hasDeadline(pod)
    case 'NotTerminating':
      return !hasDeadline(pod)
    case 'BestEffort':
      return isBestEffort(pod)
    case 'NotBestEffort':
      return !isBestEffort(pod)
    case 'PriorityClass':
      return matchesName(requirement, pod.spec?.priorityClassName ? [pod.spec.priorityClassName] : [])
    case 'CrossNamespacePodAffinity':
      return reachesOtherNamespaces(pod)
    default:
      return false
  }
}

export function claimMatchesScope(requirement: ScopeRequirement, { spec, status }: PersistentVolumeClaim): boolean {
  if (requirement.scopeName !== 'VolumeAttributesClass') return false
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ]
  return matchesName(requirement, [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[])
}

/** Like a label selector: `NotIn` also matches an object without the value. */
function matchesName({ operator, values = [] }: ScopeRequirement, names: readonly string[]): boolean {
  if (operator === 'Exists') return names.length > 0
  if (operator === 'DoesNotExist') return names.length === 0
  if (operator === 'In') return names.some((name) => values.includes(name))
  return names.length === 0 || names.some((name) => !values.includes(name))
}

function isBestEffort({ spec, status }: Pod): boolean {
  return (status?.qosClass || (spec ? qualityOfService(spec) : 'BestEffort')) === 'BestEffort'
}

interface AffinityTerm {
  readonly namespaces?: readonly string[]
  readonly namespaceSelector?: unknown
}

function reachesOtherNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {}
  const reaches = ({ namespaces, namespaceSelector }: AffinityTerm) => (namespaces?.length ?? 0) > 0 || namespaceSelector !== undefined
  return [podAffinity, podAntiAffinity].some(
    (affinity) =>
      affinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(reaches) ||
      affinity?.preferredDuringSchedulingIgnoredDuringExecution?.some(({ podAffinityTerm }) => reaches(podAffinityTerm)),
  )
}
