// The managed fields of a new object.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.buildManagerInfoManager.Update
import { KnownSpecs } from '../known-specs.ts'
import type { KubernetesObject } from '../types.ts'
import { compareObjects, withoutFields } from './compare.ts'
import { emptySet, type FieldSet, union } from './field-set.ts'
import { withoutUnowned } from './of-object.ts'
import { type ResetFields, resetFieldsOf } from './reset-fields.ts'

interface Creation {
  /** All fields that are set. */
  readonly written: FieldSet
  /** Those that come to be owned. */
  readonly owned: FieldSet
  /** The object did not exist. */
  readonly removed: FieldSet
}

const specFields = new KnownSpecs<FieldSet>()

/** The fields of the spec are found out once for each spec, by identity. */
export function creationOf(typeName: string, object: KubernetesObject & { readonly spec?: unknown }, resetFields?: ResetFields): Creation {
  const written = writtenIn(typeName, object, resetFieldsOf('', resetFields))
  return { written, owned: withoutUnowned(written), removed: emptySet }
}

function writtenIn(typeName: string, object: KubernetesObject & { readonly spec?: unknown }, reset: FieldSet): FieldSet {
  const { spec, ...rest } = object
  // Custom resources may have any value there.
  if (typeof spec !== 'object' || spec === null) return fieldsOf(typeName, object, reset)
  const ofSpec = specFields.of(spec, [typeName], () => fieldsOf(typeName, { spec }, reset))
  return union(fieldsOf(typeName, rest, reset), ofSpec)
}

function fieldsOf(typeName: string, object: object, reset: FieldSet): FieldSet {
  const { added, modified } = withoutFields(compareObjects(typeName, {}, object as KubernetesObject), reset)
  return union(modified, added)
}
