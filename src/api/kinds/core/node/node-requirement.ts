// The nodes that a pod requires and prefers: its node selector and its node affinity.
// Kubernetes: k8s.io/component-helpers/scheduling/corev1/nodeaffinity.GetRequiredNodeAffinity, NewNodeSelector
// Kubernetes: k8s.io/component-helpers/scheduling/corev1/nodeaffinity.NewPreferredSchedulingTerms, nodeSelectorRequirementsAsSelector
// Kubernetes: k8s.io/component-helpers/scheduling/corev1/nodeaffinity.nodeSelectorRequirementsAsFieldSelector
import type { PodSpec } from '../../../types.ts'

type NodeAffinity = NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>
type Term = NonNullable<NodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']>['nodeSelectorTerms'][number]
type Requirement = NonNullable<Term['matchExpressions']>[number]
type Labels = Readonly<Record<string, string>>

export interface NodeRequirement {
  /** Labels with their values. */
  readonly selector: readonly (readonly [string, string])[]
  /** At least one of them must match. Absent: the pod has no required node affinity. */
  readonly terms?: readonly Term[]
  /** The only nodes that can meet it, where it names nodes. Empty: its terms contradict each other. */
  readonly names?: ReadonlySet<string>
}

export interface WeightedTerm {
  readonly weight: number
  readonly term: Term
}

/** Undefined: the pod may run on any node. */
export function readNodeRequirement(spec: Pick<PodSpec, 'nodeSelector' | 'affinity'>): NodeRequirement | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const selector = Object.entries(spec.nodeSelector ?? {})
  if (terms === undefined && selector.length === 0) return undefined
  const names = terms && namesIn(terms)
  return { selector, ...(terms && { terms }), ...(names && { names }) }
}

/** Undefined if a term names no node: then any node may match, because one term is enough. */
function namesIn(terms: readonly Term[]): ReadonlySet<string> | undefined {
  const all = new Set<string>()
  for (const { matchFields = [] } of terms) {
    let names: readonly string[] | undefined
    for (const { key, operator, values = [] } of matchFields)
      if (key === 'metadata.name' && operator === 'In') names = names === undefined ? values : names.filter((name) => values.includes(name))
    if (names === undefined) return undefined
    for (const name of names) all.add(name)
  }
  return terms.length === 0 ? undefined : all
}

const none: readonly WeightedTerm[] = []

export function readNodePreferences({ affinity }: Pick<PodSpec, 'affinity'>): readonly WeightedTerm[] {
  const preferred = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution
  return preferred ? preferred.map(({ weight, preference }) => ({ weight, term: preference })) : none
}

export function isNodeWanted({ selector, terms }: NodeRequirement, name: string, labels: Labels): boolean {
  for (const [key, value] of selector) if (!Object.hasOwn(labels, key) || labels[key] !== value) return false
  return terms === undefined || terms.some((term) => isTermMet(term, name, labels))
}

/** An empty term is met by no node. */
export function isTermMet({ matchExpressions = [], matchFields = [] }: Term, name: string, labels: Labels): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false
  for (const requirement of matchExpressions)
    if (!isMet(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined)) return false
  for (const requirement of matchFields) if (!isFieldMet(requirement, name)) return false
  return true
}

function isMet({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
    case 'Lt': {
      if (value === undefined || !isInteger(value) || values.length !== 1 || !isInteger(values[0]!)) return false
      return operator === 'Gt' ? BigInt(value) > BigInt(values[0]!) : BigInt(value) < BigInt(values[0]!)
    }
    default:
      return false
  }
}

const isInteger = (text: string) => /^-?[0-9]{1,19}$/.test(text)

/** The only field is the node's name, and it takes one value. */
function isFieldMet({ key, operator, values = [] }: Requirement, name: string): boolean {
  if (key !== 'metadata.name' || values.length !== 1) return false
  if (operator === 'In') return values[0] === name
  return operator === 'NotIn' && values[0] !== name
}
