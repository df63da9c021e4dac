// Optional values.
// Kubernetes: github.com/google/cel-go/cel.optionalLib.*, optMap, optFlatMap
import { bool, listOf, optionalOf, param } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { Duration, Timestamp } from '../time.ts'
import { CelList, isMap, Optional, UnsignedInt } from '../values.ts'

const A = param('A')

function isZero(value: unknown): boolean {
  if (value instanceof UnsignedInt) return value.value === 0n
  if (value instanceof CelList || isMap(value)) return value.size === 0
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof Duration) return value.nanos === 0n
  if (value instanceof Timestamp) return false
  return value === null || value === false || value === '' || value === 0n || value === 0
}

export const optionals: Functions = {
  'optional.of': [global([A], optionalOf(A), (value: unknown) => new Optional(value))],
  'optional.ofNonZeroValue': [global([A], optionalOf(A), (value: unknown) => (isZero(value) ? Optional.none : new Optional(value)))],
  'optional.none': [global([], optionalOf(A), () => Optional.none)],
  'optional.unwrap': [global([listOf(optionalOf(A))], listOf(A), unwrap)],
  unwrapOpt: [member([listOf(optionalOf(A))], listOf(A), unwrap)],
  value: [
    member([optionalOf(A)], A, (optional: Optional) => {
      if (optional.value === undefined) throw new EvaluationError('optional.none() dereference')
      return optional.value
    }),
  ],
  hasValue: [member([optionalOf(A)], bool, (optional: Optional) => optional.value !== undefined)],
  or: [member([optionalOf(A), optionalOf(A)], optionalOf(A), (one: Optional, other: Optional) => (one.value === undefined ? other : one))],
  orValue: [member([optionalOf(A), A], A, (one: Optional, other: unknown) => (one.value === undefined ? other : one.value))],
}

function unwrap(list: CelList): CelList {
  return new CelList([...list].flatMap((item) => ((item as Optional).value === undefined ? [] : [(item as Optional).value])))
}
