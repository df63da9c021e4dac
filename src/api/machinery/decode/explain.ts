// Finds the errors of an input, with the messages and in the order of Kubernetes' decoder, which reads the document from its
// start: it collects unknown fields, continues after the first value of a wrong type, and stops at an invalid time or quantity.
// Kubernetes: sigs.k8s.io/json/internal/golang/encoding/json.decodeState.saveError, decodeState.addErrorContext
// Kubernetes: sigs.k8s.io/json/internal/golang/encoding/json.decodeState.saveStrictError

import { readQuantity } from '../../../base/quantity.ts'
import { isJsonObject } from '../json-object.ts'
import { goTypeOf } from '../schema/go-type.ts'
import { type FieldType, type Scalar, type Struct, structOf } from '../schema/schema.ts'
import { canonicalBase64 } from './base64.ts'
import { DecodeError } from './decode-error.ts'
import { freeFormProblem, isByteOrNull, scalarReaders, wrong } from './read-scalar.ts'
import { timeProblem } from './time.ts'

/** The unknown fields as sentences. Throws a DecodeError when a value does not fit its type. */
export function explain(struct: Struct, value: unknown): string[] {
  const walk: Walk = { struct: '', fields: [], unknown: new Set(), firstError: undefined, atRoot: true }
  walkStruct(walk, struct, value, '', plainGoType({ kind: 'struct', name: struct.name, pointer: false }))
  if (walk.firstError !== undefined) throw walk.firstError
  return [...walk.unknown]
}

interface Walk {
  /** The struct that the decoder is in, and the names of the fields that led there. Lists and maps do not count. */
  struct: string
  fields: string[]
  readonly unknown: Set<string>
  firstError: DecodeError | undefined
  atRoot: boolean
}

const maxUnknownFields = 100

function walkStruct(walk: Walk, struct: Struct, value: unknown, path: string, goType: string): void {
  if (value === null || value === undefined) return
  if (!isJsonObject(value)) {
    remember(walk, mismatch(walk, kindOf(value), goType))
    return
  }
  const { struct: outerStruct, fields: outerFields, atRoot } = walk
  walk.atRoot = false
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const fieldPath = path === '' ? key : `${path}.${key}`
    const field = struct.byName.get(key)
    walk.struct = struct.goName
    if (field !== undefined) {
      walk.fields = field.embeddedIn === undefined ? [...outerFields, key] : [...outerFields, field.embeddedIn, key]
      if (field.or === undefined) walkValue(walk, field.type, item, fieldPath, field.goType ?? plainGoType(field.type))
      else walkUnion(walk, field.or, field.type, item)
    } else if (struct.typeMeta && (key === 'kind' || key === 'apiVersion')) {
      walk.fields = [...outerFields, 'TypeMeta', key]
      if (!atRoot) walkValue(walk, stringType, item, fieldPath, 'string')
    } else if (walk.unknown.size < maxUnknownFields) walk.unknown.add(`unknown field ${JSON.stringify(fieldPath)}`)
  }
  walk.struct = outerStruct
  walk.fields = outerFields
}

/** Kubernetes' decoder of a union reads its parts on its own: unknown fields in them are not reported. */
function walkUnion(walk: Walk, other: 'bool' | 'list', type: FieldType, value: unknown): void {
  const unknown = new Set<string>()
  const inner: Walk = { ...walk, unknown, firstError: undefined }
  const goType = plainGoType(type)
  if (isJsonObject(value)) walkValue(inner, type, value, '', goType)
  else if (other === 'list' && Array.isArray(value)) for (const item of value) walkValue(inner, type, item, '', goType)
  else if (other === 'bool' && value !== null && typeof value !== 'boolean')
    remember(inner, new DecodeError('boolean or JSON schema expected'))
  if (inner.firstError !== undefined) remember(walk, inner.firstError)
}

const stringType: FieldType = { kind: 'scalar', scalar: 'string', pointer: false }

function walkValue(walk: Walk, type: FieldType, value: unknown, path: string, goType: string): void {
  if (value === null || value === undefined) return
  if (type.kind === 'struct') walkStruct(walk, structOf(type.name), value, path, goType)
  else if (type.kind === 'scalar') walkScalar(walk, type.scalar, value, goType)
  else if (type.kind === 'list' && Array.isArray(value)) {
    const goItem = goType.startsWith('[]') ? goType.slice(2) : plainGoType(type.of)
    for (const [at, item] of value.entries()) walkValue(walk, type.of, item, `${path}[${at}]`, goItem)
  } else if (type.kind === 'map' && isJsonObject(value)) {
    const goItem = goType.startsWith('map[') ? goType.slice(goType.indexOf(']') + 1) : plainGoType(type.of)
    for (const [key, item] of Object.entries(value)) walkValue(walk, type.of, item, `${path}.${key}`, goItem)
  } else remember(walk, mismatch(walk, kindOf(value), goType))
}

function walkScalar(walk: Walk, scalar: Scalar, value: unknown, goType: string): void {
  if (scalarReaders[scalar](value) !== wrong) return
  switch (scalar) {
    case 'Time':
    case 'MicroTime':
      if (typeof value === 'string') throw new DecodeError(timeProblem(value, scalar === 'MicroTime'))
      throw mismatch(walk, kindOf(value), 'string')
    case 'Quantity': {
      const problem = readQuantity(typeof value === 'object' ? '{}' : String(value).trim())
      throw new DecodeError(typeof problem === 'string' ? problem : `Cannot read quantity ${value}`)
    }
    case 'IntOrString':
      throw mismatch(walk, kindOfNumber(value), 'int32')
    case 'any':
      throw new DecodeError(freeFormProblem(value) ?? '')
    case 'bytes':
      if (typeof value === 'string') remember(walk, new DecodeError(`illegal base64 data at input byte ${canonicalBase64(value)}`))
      else if (Array.isArray(value)) remember(walk, mismatch(walk, kindOfNumber(value.find((item) => !isByteOrNull(item))), 'uint8'))
      else remember(walk, mismatch(walk, kindOf(value), goType))
      break
    case 'int32':
    case 'int64':
      remember(walk, mismatch(walk, kindOfNumber(value), goType))
      break
    default:
      remember(walk, mismatch(walk, kindOf(value), goType))
  }
}

function remember(walk: Walk, error: DecodeError): void {
  walk.firstError ??= error
}

function mismatch(walk: Walk, value: string, goType: string): DecodeError {
  const target =
    walk.fields.length === 0 ? `Go value of type ${goType}` : `Go struct field ${walk.struct}.${walk.fields.join('.')} of type ${goType}`
  return new DecodeError(`json: cannot unmarshal ${value} into ${target}`)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const kindOfNumber = (value: unknown): string => (typeof value === 'number' ? `number ${value}` : kindOf(value))

/** Messages name the type without its pointer. */
const plainGoType = (type: FieldType): string => goTypeOf(type).replace(/^\*/, '')
