import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { paramCell } from '../validating-admission-policy-binding/param-cell.ts'

export const mutatingAdmissionPolicyBindingColumns: Columns<MutatingAdmissionPolicyBinding> = {
  definitions: [nameColumn, text('PolicyName', 'The policy that it binds.'), text('ParamRef', 'The parameters of the policy.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), object.spec?.policyName ?? '', paramCell(object.spec?.paramRef), ageOf(object, nowMs)],
}
