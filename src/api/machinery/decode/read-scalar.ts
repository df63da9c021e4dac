// How one scalar is read: the value as Kubernetes would write it again, or `wrong`.
// Kubernetes: sigs.k8s.io/json/internal/golang/encoding/json.decodeState.literalStore
// Kubernetes: k8s.io/apimachinery/pkg/util/intstr.IntOrString.UnmarshalJSON
import { canonicalQuantity } from '../../../base/quantity.ts'
import type { Scalar } from '../schema/schema.ts'
import { canonicalBase64 } from './base64.ts'
import { canonicalMicroTime, canonicalTime } from './time.ts'

/** The value does not fit its type. No JSON value is a symbol. */
export const wrong = Symbol('wrong')

// The largest whole number below 2^63 that a JSON number of ours can hold: one more would not be an int64 for the reader.
const largestInt64 = 2 ** 63 - 1024

/** Go leaves a byte 0 for a null. */
export const isByteOrNull = (value: unknown): value is number | null =>
  value === null || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255)
const isInt32 = (value: number) => Number.isInteger(value) && value >= -0x80000000 && value <= 0x7fffffff
const isInt64 = (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value <= 2 ** 63

export const scalarReaders: Readonly<Record<Scalar, (value: unknown) => unknown>> = {
  string: (value) => (typeof value === 'string' ? value : wrong),
  bool: (value) => (typeof value === 'boolean' ? value : wrong),
  int32: (value) => (typeof value === 'number' && isInt32(value) ? value : wrong),
  int64: (value) => (typeof value === 'number' && isInt64(value) ? Math.max(-largestInt64, Math.min(largestInt64, value)) : wrong),
  float64: (value) => (typeof value === 'number' ? value : wrong),
  bytes: (value) => {
    // Go also reads bytes from a list of numbers.
    if (Array.isArray(value)) return value.every(isByteOrNull) ? btoa(value.map((byte) => String.fromCharCode(byte ?? 0)).join('')) : wrong
    const canonical = typeof value === 'string' ? canonicalBase64(value) : wrong
    return typeof canonical === 'number' ? wrong : canonical
  },
  Time: (value) => (typeof value === 'string' ? orWrong(canonicalTime(value)) : wrong),
  MicroTime: (value) => (typeof value === 'string' ? orWrong(canonicalMicroTime(value)) : wrong),
  Quantity: (value) =>
    typeof value === 'string'
      ? orWrong(canonicalQuantity(value.trim()))
      : typeof value === 'number'
        ? orWrong(canonicalQuantity(String(value)))
        : wrong,
  IntOrString: (value) => (typeof value === 'string' || (typeof value === 'number' && isInt32(value)) ? value : wrong),
  any: (value) => (freeFormProblem(value) === undefined ? value : wrong),
}

// Go accepts ten times as many levels. In JavaScript, copying or writing an object overflows the stack after a few thousand.
const deepestFreeForm = 1_000

/** Why a value without a type cannot be kept. A number beyond the doubles would be stored as null. */
export function freeFormProblem(value: unknown, levels = deepestFreeForm): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'json: cannot unmarshal number into Go value of type float64'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return 'exceeded max depth'
  for (const item of Object.values(value)) {
    const problem = freeFormProblem(item, levels - 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function orWrong<T>(value: T | undefined): T | typeof wrong {
  return value === undefined ? wrong : value
}
