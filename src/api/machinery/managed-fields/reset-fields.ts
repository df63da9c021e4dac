// Fields that a write through an endpoint never changes, and therefore never owns: an ordinary write does not change the status, and
// a status write changes nothing else.
import { emptySet, type FieldSet } from './field-set.ts'

const status: FieldSet = { 'f:status': emptySet }
const spec: FieldSet = { 'f:spec': emptySet }

/** `resetByStatus` is as in the Strategy of the kind. */
export function resetFieldsOf(subresource: string, resetByStatus: FieldSet = spec): FieldSet {
  return subresource === 'status' ? resetByStatus : status
}
