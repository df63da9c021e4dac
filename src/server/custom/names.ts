// Which names a definition gets: those that no other definition of its group has.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/controller/status.NamingConditionController.calculateNamesAndConditions
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/controller/status.equalToAcceptedOrFresh
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/controller/establish.EstablishingController.sync
import { isConditionTrue } from '../../api/machinery/conditions.ts'
import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames } from '../../api/machinery/structural/definition.ts'

interface Naming {
  readonly acceptedNames: Partial<DefinitionNames>
  readonly condition: DefinitionCondition
}

/** `taken` are the accepted names of the other definitions of the group. */
export function planNames(definition: CustomResourceDefinition, taken: readonly Partial<DefinitionNames>[]): Naming {
  const resources = new Set<string>()
  const kinds = new Set<string>()
  for (const names of taken) {
    for (const name of [names.plural, names.singular, ...(names.shortNames ?? [])]) if (name) resources.add(name)
    for (const name of [names.kind, names.listKind]) if (name) kinds.add(name)
  }
  const wanted = definition.spec.names
  const before: Partial<DefinitionNames> = definition.status?.acceptedNames ?? {}
  const names: Record<string, unknown> = { ...before }
  let conflict: { readonly reason: string; readonly message: string } | undefined
  const claim = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>) => {
    const name = wanted[field] ?? ''
    if (name !== (before[field] ?? '') && used.has(name)) {
      const title = field[0]!.toUpperCase() + field.slice(1)
      conflict = { reason: `${title}Conflict`, message: `${JSON.stringify(name)} is already in use` }
    } else names[field] = name
  }
  claim('plural', resources)
  claim('singular', resources)
  const own = new Set(before.shortNames)
  const refused = (wanted.shortNames ?? []).filter((name) => !own.has(name) && resources.has(name))
  if (refused.length > 0) {
    const problems = refused.map((name) => `${JSON.stringify(name)} is already in use`)
    conflict = { reason: 'ShortNamesConflict', message: problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]` }
  } else if (wanted.shortNames === undefined) delete names['shortNames']
  else names['shortNames'] = wanted.shortNames
  claim('kind', kinds)
  claim('listKind', kinds)
  if (wanted.categories === undefined) delete names['categories']
  else names['categories'] = wanted.categories
  return {
    acceptedNames: names as Partial<DefinitionNames>,
    condition:
      conflict === undefined
        ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
        : { type: 'NamesAccepted', status: 'False', ...conflict },
  }
}

const establishedTrue: DefinitionCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
}
const notAccepted: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
}

/** Once established, a definition stays so. */
export function planEstablished({ status }: CustomResourceDefinition, naming: Naming): DefinitionCondition {
  const before = status?.conditions?.find(({ type }) => type === 'Established')
  if (before?.status === 'True') return before
  return naming.condition.status === 'True' ? establishedTrue : notAccepted
}

export const isEstablished = ({ status }: CustomResourceDefinition): boolean => isConditionTrue(status?.conditions, 'Established')
