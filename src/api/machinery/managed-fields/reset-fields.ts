// What a write through an endpoint never changes, and so never owns: an ordinary write leaves the status alone, a write
// to the status the rest.
import { emptySet, type FieldSet } from './field-set.ts'

const status: FieldSet = { 'f:status': emptySet }
const spec: FieldSet = { 'f:spec': emptySet }

/** `resetByStatus` is as in the Strategy of the kind. */
export function resetFieldsOf(subresource: string, resetByStatus: FieldSet = spec): FieldSet {
  return subresource === 'status' ? resetByStatus : status
}
