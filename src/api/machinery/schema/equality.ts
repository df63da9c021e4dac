// Equality as Kubernetes means it for immutable fields: an empty list is a missing list, an empty map a missing map, a
// plain field's zero value a missing field; amounts and times are compared by value, not by spelling.
// Kubernetes: k8s.io/apimachinery/pkg/api/equality.Semantic
// Kubernetes: k8s.io/apimachinery/third_party/forked/golang/reflect.Equalities.DeepEqual

import { isEqualJson } from '../../../base/json.ts'
import { compareQuantities, parseQuantity } from '../../../base/quantity.ts'
import { ownValue } from '../json-object.ts'
import { type FieldType, structOf } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

const isNothing = (value: unknown) => value === undefined || value === null

/** Whether Kubernetes treats two values of that struct as equal. A missing struct counts as one without fields. */
export function isEqualStruct(name: string, a: unknown, b: unknown): boolean {
  if (a === b) return true
  const left = (a ?? {}) as Json
  const right = (b ?? {}) as Json
  for (const { name: field, type } of structOf(name).fields)
    if (!isEqualAs(type, ownValue(left, field), ownValue(right, field))) return false
  return true
}

/** The same for a pointer to a struct: a missing struct differs from an empty one. */
export function isEqualOptional(name: string, a: unknown, b: unknown): boolean {
  return isNothing(a) || isNothing(b) ? isNothing(a) === isNothing(b) : isEqualStruct(name, a, b)
}

export function isEqualAs(type: FieldType, a: unknown, b: unknown): boolean {
  if (a === b) return true
  switch (type.kind) {
    case 'struct':
      return type.pointer ? isEqualOptional(type.name, a, b) : isEqualStruct(type.name, a, b)
    case 'list': {
      const left = (a ?? []) as readonly unknown[]
      const right = (b ?? []) as readonly unknown[]
      return left.length === right.length && left.every((one, index) => isEqualAs(type.of, one, right[index]))
    }
    case 'map': {
      const left = (a ?? {}) as Json
      const right = (b ?? {}) as Json
      const keys = Object.keys(left)
      return (
        keys.length === Object.keys(right).length &&
        keys.every((key) => Object.hasOwn(right, key) && isEqualAs(type.of, left[key], right[key]))
      )
    }
    case 'scalar':
      if (isNothing(a) || isNothing(b)) {
        if (isNothing(a) && isNothing(b)) return true
        return !type.pointer && isZero(type.scalar, isNothing(a) ? b : a)
      }
      return isEqualScalar(type.scalar, a, b)
  }
}

function isEqualScalar(scalar: string, a: unknown, b: unknown): boolean {
  if (scalar === 'Quantity') {
    const left = parseQuantity(String(a))
    const right = parseQuantity(String(b))
    return left !== undefined && right !== undefined && compareQuantities(left, right) === 0
  }
  if (scalar === 'Time' || scalar === 'MicroTime') return Date.parse(String(a)) === Date.parse(String(b))
  return scalar === 'any' && isEqualJson(a, b)
}

function isZero(scalar: string, value: unknown): boolean {
  if (scalar === 'any') return false
  return value === '' || value === 0 || value === false || (scalar === 'Quantity' && isEqualScalar(scalar, value, '0'))
}
