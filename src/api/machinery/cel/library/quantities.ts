// Quantities: `quantity('1Gi').isGreaterThan(quantity('100Mi'))`.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.quantity.*
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  readQuantity,
  subtractQuantities,
} from '../../../../base/quantity.ts'
import { bool, double, int, opaque, string } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { OpaqueValue } from '../values.ts'
import { traverse } from './costs.ts'

const billion = 1_000_000_000n

const type = opaque('kubernetes.Quantity')
type QuantityValue = OpaqueValue<Quantity>
const wrap = (quantity: Quantity): QuantityValue => new OpaqueValue(type, quantity, (one, other) => one.nano === other.nano)
const ofInt = (value: bigint): Quantity => ({ nano: value * billion, format: 'DecimalExponent' })
const compare = (one: QuantityValue, other: QuantityValue) => compareQuantities(one.content, other.content)
const isInteger = ({ content: quantity }: QuantityValue) =>
  quantity.nano % billion === 0n && quantity.nano / billion < 2n ** 63n && quantity.nano / billion >= -(2n ** 63n)

function parse(text: string): QuantityValue {
  const quantity = readQuantity(text)
  if (typeof quantity === 'string') throw new EvaluationError(quantity)
  return wrap(quantity)
}

export const quantities: Functions = {
  quantity: [global([string], type, parse, traverse)],
  isQuantity: [global([string], bool, (text: string) => parseQuantity(text) !== undefined, traverse)],
  sign: [global([type], int, ({ content: quantity }: QuantityValue) => (quantity.nano > 0n ? 1n : quantity.nano < 0n ? -1n : 0n))],
  isGreaterThan: [member([type, type], bool, (one: QuantityValue, other: QuantityValue) => compare(one, other) > 0)],
  isLessThan: [member([type, type], bool, (one: QuantityValue, other: QuantityValue) => compare(one, other) < 0)],
  compareTo: [member([type, type], int, (one: QuantityValue, other: QuantityValue) => BigInt(compare(one, other)))],
  asApproximateFloat: [member([type], double, ({ content: quantity }: QuantityValue) => Number(quantity.nano) / 1e9)],
  asInteger: [
    member([type], int, (value: QuantityValue) => {
      if (!isInteger(value)) throw new EvaluationError('cannot convert value to integer')
      return value.content.nano / billion
    }),
  ],
  isInteger: [member([type], bool, isInteger)],
  add: [
    member([type, type], type, (one: QuantityValue, other: QuantityValue) => wrap(addQuantities(one.content, other.content))),
    member([type, int], type, (one: QuantityValue, other: bigint) => wrap(addQuantities(one.content, ofInt(other)))),
  ],
  sub: [
    member([type, type], type, (one: QuantityValue, other: QuantityValue) => wrap(subtractQuantities(one.content, other.content))),
    member([type, int], type, (one: QuantityValue, other: bigint) => wrap(subtractQuantities(one.content, ofInt(other)))),
  ],
}
