import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { paramCell } from './param-cell.ts'

export const validatingAdmissionPolicyBindingColumns: Columns<ValidatingAdmissionPolicyBinding> = {
  definitions: [nameColumn, text('PolicyName', 'The policy that it binds.'), text('ParamRef', 'The parameters of the policy.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), object.spec?.policyName ?? '', paramCell(object.spec?.paramRef), ageOf(object, nowMs)],
}
