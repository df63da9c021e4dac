// Kubernetes: pkg/printers/internalversion.printValidatingAdmissionPolicy, printMutatingAdmissionPolicy
import { ageColumn, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { MutatingAdmissionPolicy, ValidatingAdmissionPolicy } from '../../../types.ts'

/** The columns of validating and of mutating policies, with the number of rules in between. */
export const policyColumns = <T extends ValidatingAdmissionPolicy | MutatingAdmissionPolicy>(
  name: string,
  description: string,
  count: (policy: T) => number,
) =>
  columnsOf<T>([nameColumn, integer(name, description, count), text('ParamKind', 'The kind of its parameters.', paramKindCell), ageColumn])

function paramKindCell({ spec }: ValidatingAdmissionPolicy | MutatingAdmissionPolicy): string {
  return spec?.paramKind === undefined ? '<unset>' : `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}`
}
