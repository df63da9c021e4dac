// The errors of an object that does not fit its type, after a strategic merge patch or a server-side apply: Kubernetes converts such
// an object without writing it as JSON first, with other messages.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.applyPatchToObject
// Kubernetes: k8s.io/apimachinery/pkg/runtime.fromUnstructured
import { readQuantity } from '../../../base/quantity.ts'
import { canonicalBase64 } from '../decode/base64.ts'
import { scalarReaders, wrong } from '../decode/read-scalar.ts'
import { timeProblem } from '../decode/time.ts'
import { jsonTypeOf } from '../go-text.ts'
import { isJsonObject } from '../json-object.ts'
import { type FieldType, type Scalar, structOf } from '../schema/schema.ts'

/** The first problem in the order of the type's fields; undefined where the decoder's own words are the same. */
export function conversionProblem(typeName: string, value: unknown): string | undefined {
  return problemOf({ kind: 'struct', name: typeName, pointer: false }, value, undefined)
}

/** The same for the kind and the version of an object, which come before its other fields. */
export function typeMetaProblem({ kind, apiVersion }: Readonly<Record<string, unknown>>): string | undefined {
  return firstProblem([kind, apiVersion], (value) => problemOf({ kind: 'scalar', scalar: 'string', pointer: false }, value, undefined))
}

function problemOf(type: FieldType, value: unknown, goType: string | undefined): string | undefined {
  if (value === null || value === undefined) return undefined
  switch (type.kind) {
    case 'struct':
      return isJsonObject(value) ? structProblem(type.name, value) : `cannot restore struct from: ${goKind(value)}`
    case 'list':
      return Array.isArray(value)
        ? firstProblem(value, (one) => problemOf(type.of, one, undefined))
        : `cannot restore slice from ${goKind(value)}`
    case 'map':
      return isJsonObject(value)
        ? firstProblem(Object.values(value), (one) => problemOf(type.of, one, undefined))
        : `cannot restore map from ${goKind(value)}`
    case 'scalar':
      return scalarProblem(type.scalar, value, goType)
  }
}

function structProblem(name: string, value: Readonly<Record<string, unknown>>): string | undefined {
  return firstProblem(structOf(name).fields, (field) =>
    Object.hasOwn(value, field.name) ? problemOf(field.type, value[field.name], field.goType) : undefined,
  )
}

const kinds: Partial<Record<Scalar, string>> = { string: 'string', bool: 'bool', int32: 'int32', int64: 'int64', float64: 'float64' }

function scalarProblem(scalar: Scalar, value: unknown, goType = scalar as string): string | undefined {
  const wanted = kinds[scalar]
  if (wanted === undefined) return scalarReaders[scalar](value) === wrong ? customProblem(scalar, value) : undefined
  const given = goKind(value)
  if (given === wanted) return undefined
  const isNumber = wanted !== 'string' && wanted !== 'bool'
  if (given === 'int64' && isNumber) return undefined
  // Go can turn these into one another, and Kubernetes will not.
  if ((given === 'int64' && wanted === 'string') || (given === 'float64' && isNumber)) return `cannot convert ${given} to ${goType}`
  return `unrecognized type: ${wanted}`
}

/** Of types that read their own JSON: Kubernetes writes the value as JSON for them, without the place where it is. */
function customProblem(scalar: Scalar, value: unknown): string | undefined {
  const isText = typeof value === 'string'
  switch (scalar) {
    case 'Time':
    case 'MicroTime':
      return isText ? timeProblem(value, scalar === 'MicroTime') : unmarshalProblem(jsonTypeOf(value), 'string')
    case 'IntOrString':
      return unmarshalProblem(typeof value === 'number' ? `number ${value}` : jsonTypeOf(value), 'int32')
    case 'Quantity': {
      const problem = readQuantity(typeof value === 'object' ? '{}' : String(value).trim())
      return typeof problem === 'string' ? problem : undefined
    }
    case 'bytes':
      if (isText) return `error decoding from json: illegal base64 data at input byte ${canonicalBase64(value)}`
      return Array.isArray(value) ? undefined : `cannot restore slice from ${goKind(value)}`
    default:
      return undefined
  }
}

const unmarshalProblem = (given: string, wanted: string) => `json: cannot unmarshal ${given} into Go value of type ${wanted}`

function firstProblem<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const problem = find(one)
    if (problem !== undefined) return problem
  }
  return undefined
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'slice'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return 'map'
}
