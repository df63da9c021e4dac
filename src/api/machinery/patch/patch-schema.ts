// The schema for strategic merge patch: the type of each field, how it is patched, and the key that matches its elements.
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.PatchMetaFromStruct.*
// Kubernetes: k8s.io/apimachinery/third_party/forked/golang/json.LookupPatchMetadataForStruct
import { type FieldType, structOf } from '../schema/schema.ts'
import { plainPatchError } from './patch-error.ts'

export interface PatchField {
  readonly type: FieldType
  readonly strategy: 'merge' | 'replace' | undefined
  readonly mergeKey: string | undefined
}

export const structType = (name: string): FieldType => ({ kind: 'struct', name, pointer: false })

/** The field of that name, where both the object and the patch have a value that could be merged. */
export function patchFieldOf(type: FieldType, name: string): PatchField {
  if (type.kind !== 'struct' && !(type.kind === 'scalar' && type.scalar === 'any'))
    throw plainPatchError(`merging an object in json but data type is not struct, instead is: ${goKindOf(type)}`)
  const struct = type.kind === 'struct' ? structOf(type.name) : undefined
  const field = struct?.byName.get(name)
  if (field === undefined)
    throw plainPatchError(
      `unable to find api field in struct ${struct?.goName ?? 'RawExtension'} for the json field ${JSON.stringify(name)}`,
    )
  const strategy = field.patchStrategies.find((one) => one === 'merge' || one === 'replace') as 'merge' | 'replace' | undefined
  return { type: field.type, strategy, mergeKey: field.mergeKey }
}

/** The same for a field that has to be a list: the type is that of its elements. */
export function patchListOf(type: FieldType, name: string): PatchField {
  const field = patchFieldOf(type, name)
  if (field.type.kind === 'list') return { ...field, type: field.type.of }
  throw plainPatchError(`expected slice or array type, but got: ${goKindOf(type)}`)
}

/** Go's word for the kind of a type. */
export function goKindOf(type: FieldType): string {
  if (type.kind === 'list') return 'slice'
  if (type.kind === 'map') return 'map'
  if (type.pointer) return 'ptr'
  if (type.kind === 'struct') return 'struct'
  switch (type.scalar) {
    case 'bytes':
      return 'slice'
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return type.scalar
    default:
      return 'struct'
  }
}
