import { selectorCell } from '../../../machinery/columns/cells.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'

/** The parameters of a binding, as `kubectl get` shows them. */
export function paramCell(param: NonNullable<ValidatingAdmissionPolicyBinding['spec']>['paramRef']): string {
  if (param === undefined) return '<unset>'
  if (param.name) return `${param.namespace || '*'}/${param.name}`
  return param.selector === undefined ? '<unset>' : selectorCell(param.selector)
}
