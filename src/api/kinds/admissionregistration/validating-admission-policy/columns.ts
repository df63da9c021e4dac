import { ageColumn, ageOf, integer, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicy } from '../../../types.ts'

export const validatingAdmissionPolicyColumns: Columns<ValidatingAdmissionPolicy> = {
  definitions: [
    nameColumn,
    integer('Validations', 'How many validations it has.'),
    text('ParamKind', 'The kind of its parameters.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    (object.spec?.validations ?? []).length,
    object.spec?.paramKind === undefined ? '<unset>' : `${object.spec.paramKind.apiVersion ?? ''}/${object.spec.paramKind.kind ?? ''}`,
    ageOf(object, nowMs),
  ],
}
