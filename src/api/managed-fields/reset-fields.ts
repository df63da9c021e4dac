// What a write through an endpoint never changes, and so never owns: an ordinary write leaves the status alone, a write
// to the status the rest.
import { emptySet, type FieldSet } from './field-set.ts'

const status: FieldSet = { 'f:status': emptySet }
const spec: FieldSet = { 'f:spec': emptySet }

const ofStatus: Readonly<Record<string, FieldSet>> = {
  'core.Pod': { 'f:metadata': { 'f:deletionTimestamp': emptySet, 'f:ownerReferences': emptySet }, 'f:spec': emptySet },
  'apps.Deployment': { 'f:metadata': { 'f:labels': emptySet }, 'f:spec': emptySet },
}

export function resetFieldsOf(typeName: string, subresource: string): FieldSet {
  return subresource === 'status' ? (ofStatus[typeName] ?? spec) : status
}
