// The managed fields of a new object.
import { KnownSpecs } from '../known-specs.ts'
import type { KubernetesObject } from '../types.ts'
import { compareObjects, withoutFields } from './compare.ts'
import { FieldChange } from './field-change.ts'
import { emptySet, type FieldSet, union } from './field-set.ts'
import { resetFieldsOf } from './reset-fields.ts'

const specFields = new KnownSpecs<FieldSet>()

/** The fields of the spec are found out once for each spec, by identity. */
export function creationOf(typeName: string, object: KubernetesObject & { readonly spec?: unknown }): FieldChange {
  const { spec, ...rest } = object
  const others = fieldsOf(typeName, rest)
  const written =
    typeof spec === 'object' && spec !== null
      ? union(
          others,
          specFields.of(spec, [typeName], () => fieldsOf(typeName, { spec })),
        )
      : others
  return new FieldChange(written, emptySet)
}

function fieldsOf(typeName: string, object: object): FieldSet {
  const { added, modified } = withoutFields(compareObjects(typeName, {}, object as KubernetesObject), resetFieldsOf(''))
  return union(modified, added)
}
