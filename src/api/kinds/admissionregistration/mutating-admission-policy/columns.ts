import { ageColumn, ageOf, integer, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'

export const mutatingAdmissionPolicyColumns: Columns<MutatingAdmissionPolicy> = {
  definitions: [
    nameColumn,
    integer('Mutations', 'How many mutations it has.'),
    text('ParamKind', 'The kind of its parameters.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    (object.spec?.mutations ?? []).length,
    object.spec?.paramKind === undefined ? '<unset>' : `${object.spec.paramKind.apiVersion ?? ''}/${object.spec.paramKind.kind ?? ''}`,
    ageOf(object, nowMs),
  ],
}
