// Whether a node is one that a pod asks for: its node selector and its required node affinity, and nothing else.
import type { Node, PodSpec } from '../../api/types.ts'

type Terms = NonNullable<
  NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms']
type Term = Terms[number]
type Requirement = NonNullable<Term['matchExpressions']>[number]

export function isNodeWanted({ nodeSelector, affinity }: Pick<PodSpec, 'nodeSelector' | 'affinity'>, { metadata }: Node): boolean {
  const labels = metadata?.labels ?? {}
  for (const [key, value] of Object.entries(nodeSelector ?? {})) if (!Object.hasOwn(labels, key) || labels[key] !== value) return false
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return !required || required.nodeSelectorTerms.some((term) => isTermMet(term, labels, metadata?.name ?? ''))
}

/** An empty term is met by no node. */
function isTermMet({ matchExpressions = [], matchFields = [] }: Term, labels: Readonly<Record<string, string>>, name: string): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false
  return (
    matchExpressions.every((requirement) =>
      isMet(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined),
    ) && matchFields.every((requirement) => isFieldMet(requirement, name))
  )
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
