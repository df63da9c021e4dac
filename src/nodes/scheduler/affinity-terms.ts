// Parses inter-pod affinity and anti-affinity terms.
// Kubernetes: k8s.io/kube-scheduler/framework.newAffinityTerm, getNamespacesFromPodAffinityTerm, AffinityTerm.Matches, GetAffinityTerms
// Kubernetes: k8s.io/kube-scheduler/framework.GetWeightedAffinityTerms
import type { PodSpec } from '../../api/types.ts'
import { type LabelRequirements, type Labels, matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { type PodQuery, type PodTraits, selects } from './pod-counts.ts'

type Affinity = NonNullable<PodSpec['affinity']>
type Term = NonNullable<NonNullable<Affinity['podAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']>[number]

/** Undefined: there is no such namespace. */
export type NamespaceLabels = (namespace: string) => Labels | undefined

export interface AffinityTerm {
  readonly key: string
  readonly topologyKey: string
  readonly namespaces: ReadonlySet<string>
  readonly namespaceSelector?: LabelRequirements
  readonly selector?: LabelRequirements
}

interface WeightedAffinityTerm {
  readonly term: AffinityTerm
  /** Negative for anti-affinity. */
  readonly weight: number
}

export interface PodAffinity {
  readonly required: readonly AffinityTerm[]
  readonly avoided: readonly AffinityTerm[]
  readonly preferred: readonly WeightedAffinityTerm[]
}

const noAffinity: PodAffinity = { required: [], avoided: [], preferred: [] }

export function readPodAffinity(namespace: string, { affinity }: Pick<PodSpec, 'affinity'>): PodAffinity {
  const { podAffinity, podAntiAffinity } = affinity ?? {}
  if (podAffinity === undefined && podAntiAffinity === undefined) return noAffinity
  const read = (term: Term) => readTerm(namespace, term)
  const weighted = (of: typeof podAffinity, sign: 1 | -1) =>
    (of?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) => ({
      weight: sign * weight,
      term: read(podAffinityTerm),
    }))
  return {
    required: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(read),
    avoided: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(read),
    preferred: [...weighted(podAffinity, 1), ...weighted(podAntiAffinity, -1)],
  }
}

/** A term without namespaces selects the namespace of the pod. */
function readTerm(own: string, term: Term): AffinityTerm {
  const { topologyKey, labelSelector, namespaceSelector } = term
  const namespaces = term.namespaces?.length || namespaceSelector ? (term.namespaces ?? []) : [own]
  const selector = selectorRequirements(labelSelector)
  const ofNamespaces = selectorRequirements(namespaceSelector)
  return {
    key: JSON.stringify([topologyKey, namespaces, ofNamespaces ?? null, selector ?? null]),
    topologyKey,
    namespaces: new Set(namespaces),
    ...(selector && { selector }),
    ...(ofNamespaces && { namespaceSelector: ofNamespaces }),
  }
}

export function matches({ namespaces, namespaceSelector, selector }: AffinityTerm, pod: PodTraits, labelsOf: NamespaceLabels): boolean {
  if (!selects(selector, pod.labels)) return false
  if (namespaces.has(pod.namespace)) return true
  return namespaceSelector !== undefined && matchesLabels(namespaceSelector, labelsOf(pod.namespace))
}

/** The pods that match all terms. Terminating pods count until they are removed. */
export function podsMatching(terms: readonly AffinityTerm[], labelsOf: NamespaceLabels): PodQuery {
  const selectsNamespaces = terms.some(({ namespaceSelector }) => namespaceSelector !== undefined)
  return {
    key: `affinity:${terms.map(({ key }) => key).join()}`,
    ...(!selectsNamespaces && { namespaces: terms[0]!.namespaces }),
    matches: (traits) => terms.every((term) => matches(term, traits, labelsOf)),
  }
}
