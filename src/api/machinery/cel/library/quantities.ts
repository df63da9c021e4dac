// Quantities: `quantity('1Gi').isGreaterThan(quantity('100Mi'))`.
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

class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity'
  readonly quantity: Quantity

  constructor(quantity: Quantity) {
    super()
    this.quantity = quantity
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && this.quantity.nano === other.quantity.nano
  }
}

const type = opaque('kubernetes.Quantity')
const ofInt = (value: bigint): Quantity => ({ nano: value * billion, format: 'DecimalExponent' })
const compare = (one: QuantityValue, other: QuantityValue) => compareQuantities(one.quantity, other.quantity)
const isInteger = ({ quantity }: QuantityValue) =>
  quantity.nano % billion === 0n && quantity.nano / billion < 2n ** 63n && quantity.nano / billion >= -(2n ** 63n)

function parse(text: string): QuantityValue {
  const quantity = readQuantity(text)
  if (typeof quantity === 'string') throw new EvaluationError(quantity)
  return new QuantityValue(quantity)
}

export const quantities: Functions = {
  quantity: [global([string], type, parse, traverse)],
  isQuantity: [global([string], bool, (text: string) => parseQuantity(text) !== undefined, traverse)],
  sign: [global([type], int, ({ quantity }: QuantityValue) => (quantity.nano > 0n ? 1n : quantity.nano < 0n ? -1n : 0n))],
  isGreaterThan: [member([type, type], bool, (one: QuantityValue, other: QuantityValue) => compare(one, other) > 0)],
  isLessThan: [member([type, type], bool, (one: QuantityValue, other: QuantityValue) => compare(one, other) < 0)],
  compareTo: [member([type, type], int, (one: QuantityValue, other: QuantityValue) => BigInt(compare(one, other)))],
  asApproximateFloat: [member([type], double, ({ quantity }: QuantityValue) => Number(quantity.nano) / 1e9)],
  asInteger: [
    member([type], int, (value: QuantityValue) => {
      if (!isInteger(value)) throw new EvaluationError('cannot convert value to integer')
      return value.quantity.nano / billion
    }),
  ],
  isInteger: [member([type], bool, isInteger)],
  add: [
    member(
      [type, type],
      type,
      (one: QuantityValue, other: QuantityValue) => new QuantityValue(addQuantities(one.quantity, other.quantity)),
    ),
    member([type, int], type, (one: QuantityValue, other: bigint) => new QuantityValue(addQuantities(one.quantity, ofInt(other)))),
  ],
  sub: [
    member(
      [type, type],
      type,
      (one: QuantityValue, other: QuantityValue) => new QuantityValue(subtractQuantities(one.quantity, other.quantity)),
    ),
    member([type, int], type, (one: QuantityValue, other: bigint) => new QuantityValue(subtractQuantities(one.quantity, ofInt(other)))),
  ],
}
