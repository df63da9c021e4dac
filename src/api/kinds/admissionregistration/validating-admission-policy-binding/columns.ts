// Kubernetes: pkg/printers/internalversion.printValidatingAdmissionPolicyBinding, printMutatingAdmissionPolicyBinding
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { formatSelector } from '../../../machinery/go-dump/selector-text.ts'
import type { MutatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBinding } from '../../../types.ts'

type PolicyBinding = MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding

/** The columns of validating and of mutating bindings. */
export const policyBindingColumns = columnsOf<PolicyBinding>([
  nameColumn,
  text('PolicyName', 'The policy that it binds.', ({ spec }) => spec?.policyName ?? ''),
  text('ParamRef', 'The parameters of the policy.', paramCell),
  ageColumn,
])

function paramCell({ spec }: PolicyBinding): string {
  const param = spec?.paramRef
  if (param === undefined) return '<unset>'
  if (param.name) return `${param.namespace || '*'}/${param.name}`
  return param.selector === undefined ? '<unset>' : formatSelector(param.selector)
}
