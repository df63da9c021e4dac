// Operators and comparisons.
// Kubernetes: github.com/google/cel-go/common/stdlib.Functions
// Kubernetes: github.com/google/cel-go/common/types.addInt64Checked, subtractInt64Checked, multiplyInt64Checked, divideInt64Checked
import { bool, bytes, double, duration, int, listOf, mapOf, param, string, timestamp, uint } from '../cel-type.ts'
import { compare, isEqual, keyOf } from '../equality.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, type Overload } from '../functions.ts'
import { checkedDuration, checkedTimestamp, type Duration, type Timestamp } from '../time.ts'
import { CelList, type CelMap, sizeOf, UnsignedInt } from '../values.ts'
import { perCharacter } from './costs.ts'

const minInt = -(2n ** 63n)
const maxInt = 2n ** 63n - 1n

export function checkedInt(value: bigint): bigint {
  if (value < minInt || value > maxInt) throw new EvaluationError('integer overflow')
  return value
}

export function checkedUint(value: bigint): UnsignedInt {
  if (value < 0n || value >= 2n ** 64n) throw new EvaluationError('unsigned integer overflow')
  return new UnsignedInt(value)
}

const A = param('A')

function numeric(ofInts: (one: bigint, other: bigint) => bigint, ofDoubles?: (one: number, other: number) => number): Overload[] {
  return [
    global([int, int], int, (one: bigint, other: bigint) => checkedInt(ofInts(one, other))),
    global([uint, uint], uint, (one: UnsignedInt, other: UnsignedInt) => checkedUint(ofInts(one.value, other.value))),
    ...(ofDoubles === undefined ? [] : [global([double, double], double, ofDoubles)]),
  ]
}

function divideBy(message: string, divide: (one: bigint, other: bigint) => bigint) {
  return (one: bigint, other: bigint) => {
    if (other === 0n) throw new EvaluationError(message)
    return divide(one, other)
  }
}

const joinCost = ([one, other]: readonly unknown[]) => Math.ceil((sizeOf(one) + sizeOf(other)) * perCharacter)
const compareCost = ([one, other]: readonly unknown[]) => Math.ceil(Math.min(sizeOf(one), sizeOf(other)) * perCharacter)

function order(test: (order: number) => boolean): Overload[] {
  const numbers = [int, uint, double]
  const pairs = [
    ...numbers.flatMap((one) => numbers.map((other) => [one, other] as const)),
    ...[bool, timestamp, duration].map((type) => [type, type] as const),
  ]
  const call = (one: unknown, other: unknown) => test(compare(one, other))
  return [
    ...pairs.map((pair) => global(pair, bool, call)),
    global([string, string], bool, call, compareCost),
    global([bytes, bytes], bool, call, compareCost),
  ]
}

/** Lists of list type set and map merge, as server-side apply merges them. */
function joinLists(one: CelList, other: CelList): CelList {
  const { listType } = one
  if (listType === undefined) return new CelList([...one, ...other])
  if (listType.kind === 'set') {
    const items = [...one]
    for (const item of other) if (!items.some((known) => isEqual(known, item))) items.push(item)
    return new CelList(items, undefined, listType)
  }
  const byKey = new Map<string, unknown>()
  for (const item of [...one, ...other]) byKey.set(keyOf(item, listType.keys), item)
  return new CelList([...byKey.values()], undefined, listType)
}

function joinBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Uint8Array.from([...one, ...other])
}

export const arithmetic: Functions = {
  '_+_': [
    ...numeric(
      (one, other) => one + other,
      (one, other) => one + other,
    ),
    global([string, string], string, (one: string, other: string) => one + other, joinCost),
    global([bytes, bytes], bytes, joinBytes, joinCost),
    global([listOf(A), listOf(A)], listOf(A), joinLists),
    global([timestamp, duration], timestamp, (one: Timestamp, other: Duration) => checkedTimestamp(one.nanos + other.nanos)),
    global([duration, timestamp], timestamp, (one: Duration, other: Timestamp) => checkedTimestamp(one.nanos + other.nanos)),
    global([duration, duration], duration, (one: Duration, other: Duration) => checkedDuration(one.nanos + other.nanos)),
  ],
  '_-_': [
    ...numeric(
      (one, other) => one - other,
      (one, other) => one - other,
    ),
    global([timestamp, timestamp], duration, (one: Timestamp, other: Timestamp) => checkedDuration(one.nanos - other.nanos)),
    global([timestamp, duration], timestamp, (one: Timestamp, other: Duration) => checkedTimestamp(one.nanos - other.nanos)),
    global([duration, duration], duration, (one: Duration, other: Duration) => checkedDuration(one.nanos - other.nanos)),
  ],
  '_*_': numeric(
    (one, other) => one * other,
    (one, other) => one * other,
  ),
  '_/_': numeric(
    divideBy('division by zero', (one, other) => one / other),
    (one, other) => one / other,
  ),
  '_%_': numeric(divideBy('modulus by zero', (one, other) => one % other)),
  '-_': [global([int], int, (value: bigint) => checkedInt(-value)), global([double], double, (value: number) => -value)],
  '!_': [global([bool], bool, (value: boolean) => !value)],
  '_==_': [global([A, A], bool, isEqual, compareCost)],
  '_!=_': [global([A, A], bool, (one: unknown, other: unknown) => !isEqual(one, other), compareCost)],
  '_<_': order((result) => result < 0),
  '_<=_': order((result) => result <= 0),
  '_>_': order((result) => result > 0),
  '_>=_': order((result) => result >= 0),
  '@in': [
    global(
      [A, listOf(A)],
      bool,
      (item: unknown, list: CelList) => {
        for (const one of list) if (isEqual(one, item)) return true
        return false
      },
      ([, list]) => sizeOf(list),
    ),
    global([A, mapOf(A, param('B'))], bool, (key: unknown, map: CelMap) => map.get(key) !== undefined),
  ],
}
