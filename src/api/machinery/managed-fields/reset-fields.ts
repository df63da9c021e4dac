// Fields that a write through an endpoint never changes, and therefore never owns: an ordinary write does not change the status, and
// a status write changes nothing else.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.ResetFieldsStrategy
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/merge.Updater.update
import { emptySet, type FieldSet } from './field-set.ts'

/** The fields by endpoint: `object` for the object itself, otherwise the name of the subresource. */
export type ResetFields = Readonly<Partial<Record<'object' | 'status' | 'approval', FieldSet>>>

const status: FieldSet = { 'f:status': emptySet }
const spec: FieldSet = { 'f:spec': emptySet }

/** `subresource` is '' for the object itself; `resetFields` is as in the Strategy of the kind. */
export function resetFieldsOf(subresource: string, resetFields: ResetFields = {}): FieldSet {
  if (subresource === 'status') return resetFields.status ?? spec
  return (subresource === 'approval' ? resetFields.approval : resetFields.object) ?? status
}
