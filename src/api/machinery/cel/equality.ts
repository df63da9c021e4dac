// Whether two values are equal, and which is less.
// Kubernetes: github.com/google/cel-go/common/types.Equal, compareDoubleInt, compareIntDouble, compareDouble
import { EvaluationError } from './evaluation-error.ts'
import { Duration, Timestamp } from './time.ts'
import { CelList, type CelMap, isMap, OpaqueValue, Optional, TypeValue, UnsignedInt } from './values.ts'

/** CEL's equality: numbers compare across types, values of different types are unequal. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (isNumber(one)) return isNumber(other) && compareNumbers(one, other) === 0
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (one instanceof CelList) return other instanceof CelList && areListsEqual(one, other)
  if (isMap(one)) return isMap(other) && areMapsEqual(one, other)
  if (one instanceof Timestamp) return other instanceof Timestamp && one.nanos === other.nanos
  if (one instanceof Duration) return other instanceof Duration && one.nanos === other.nanos
  if (one instanceof Uint8Array) return other instanceof Uint8Array && compareBytes(one, other) === 0
  if (one instanceof TypeValue) return other instanceof TypeValue && one.name === other.name
  if (one instanceof Optional)
    return (
      other instanceof Optional &&
      (one.value === undefined ? other.value === undefined : other.value !== undefined && isEqual(one.value, other.value))
    )
  return one instanceof OpaqueValue && other instanceof OpaqueValue && one.typeName === other.typeName && one.equals(other)
}

/** Lists of list type set or map are equal in any order. */
function areListsEqual(one: CelList, other: CelList): boolean {
  if (one.size !== other.size) return false
  const listType = one.listType ?? other.listType
  if (listType?.kind === 'map') {
    const { keys } = listType
    const byKey = new Map<string, unknown>()
    for (const item of other) byKey.set(keyOf(item, keys), item)
    for (const item of one) {
      const match = byKey.get(keyOf(item, keys))
      if (match === undefined || !isEqual(item, match)) return false
    }
    return true
  }
  if (listType?.kind === 'set') {
    const rest = [...other]
    for (const item of one) {
      const at = rest.findIndex((candidate) => isEqual(item, candidate))
      if (at < 0) return false
      rest.splice(at, 1)
    }
    return true
  }
  for (let at = 0; at < one.size; at++) if (!isEqual(one.at(at), other.at(at))) return false
  return true
}

export function keyOf(item: unknown, keys: readonly string[]): string {
  if (!isMap(item)) return ''
  return JSON.stringify(keys.map((key) => String((item.get(key) as string | undefined) ?? '')))
}

function areMapsEqual(one: CelMap, other: CelMap): boolean {
  if (one.size !== other.size) return false
  for (const [key, value] of one.entries()) {
    const match = other.get(key)
    if (match === undefined || !isEqual(value, match)) return false
  }
  return true
}

export function isNumber(value: unknown): value is bigint | number | UnsignedInt {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof UnsignedInt
}

function compareNumbers(one: bigint | number | UnsignedInt, other: bigint | number | UnsignedInt): number {
  const left = one instanceof UnsignedInt ? one.value : one
  const right = other instanceof UnsignedInt ? other.value : other
  return left < right ? -1 : left > right ? 1 : left <= right ? 0 : Number.NaN
}

/** Negative, zero or positive; NaN where the two have no order. */
export function compare(one: unknown, other: unknown): number {
  if (isNumber(one) && isNumber(other)) return compareNumbers(one, other)
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other)
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other)
  if ((one instanceof Timestamp && other instanceof Timestamp) || (one instanceof Duration && other instanceof Duration))
    return one.nanos < other.nanos ? -1 : one.nanos > other.nanos ? 1 : 0
  if (one instanceof Uint8Array && other instanceof Uint8Array) return compareBytes(one, other)
  throw new EvaluationError('no such overload')
}

/** Go compares the bytes of UTF-8, whose order is that of code points; JavaScript compares UTF-16. */
function compareText(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at++) {
    const left = one.charCodeAt(at)
    const right = other.charCodeAt(at)
    if (left === right) continue
    const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
    if (isSurrogate(left) !== isSurrogate(right)) return isSurrogate(left) ? 1 : -1
    return left - right
  }
  return one.length - other.length
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  for (let at = 0; at < one.length && at < other.length; at++) if (one[at] !== other[at]) return one[at]! - other[at]!
  return one.length - other.length
}
