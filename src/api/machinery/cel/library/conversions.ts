// Conversions between types, sizes, and the parts of times.
// Kubernetes: github.com/google/cel-go/common/stdlib.Functions
// Kubernetes: github.com/google/cel-go/common/types.String.ConvertToType, Timestamp.Receive, Duration.Receive
import { parseGoBool } from '../../go-text.ts'
import { bool, bytes, type CelType, double, duration, dyn, int, listOf, mapOf, param, string, timestamp, uint } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member, type Overload } from '../functions.ts'
import {
  checkedTimestamp,
  type DatePart,
  type Duration,
  datePart,
  floorDivide,
  parseDuration,
  parseTimestamp,
  showDuration,
  showTimestamp,
  type Timestamp,
} from '../time.ts'
import { type CelList, type CelMap, TypeValue, typeNameOf, UnsignedInt } from '../values.ts'
import { checkedInt, checkedUint } from './arithmetic.ts'
import { traverse } from './costs.ts'
import { showDouble } from './format-text.ts'

const identity = (value: unknown) => value
const limit = 2 ** 63

function doubleToInt(value: number): bigint {
  if (!Number.isFinite(value) || value >= limit || value <= -limit) throw new EvaluationError('integer overflow')
  return BigInt(Math.trunc(value))
}

function textToInt(text: string): bigint {
  const value = /^[+-]?[0-9]+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
  if (value === undefined || BigInt.asIntN(64, value) !== value) throw new EvaluationError("type conversion error from 'string' to 'int'")
  return value
}

function textToUint(text: string): UnsignedInt {
  const value = /^[0-9]+$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || value >= 2n ** 64n) throw new EvaluationError("type conversion error from 'string' to 'uint'")
  return new UnsignedInt(value)
}

function textToDouble(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (/^nan$/i.test(text)) return Number.NaN
  const value = Number(text)
  if (text.trim() !== text || text === '' || Number.isNaN(value))
    throw new EvaluationError("type conversion error from 'string' to 'double'")
  return value
}

function textToBool(text: string): boolean {
  const value = parseGoBool(text)
  if (value === undefined) throw new EvaluationError("type conversion error from 'string' to 'bool'")
  return value
}

function bytesToText(value: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(value)
  } catch {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string')
  }
}

function part(name: DatePart): Overload[] {
  return [
    member([timestamp], int, (time: Timestamp) => datePart(time, name, '')),
    member([timestamp, string], int, (time: Timestamp, zone: string) => datePart(time, name, zone)),
  ]
}

const ofDuration = (nanosPerUnit: bigint) => member([duration], int, (value: Duration) => value.nanos / nanosPerUnit)
const timeToInt = (time: Timestamp) => floorDivide(time.nanos, 1_000_000_000n)
const both = (args: readonly CelType[], result: CelType, call: (...args: never[]) => unknown): Overload[] => [
  global(args, result, call),
  member(args, result, call),
]

export const conversions: Functions = {
  int: [
    global([int], int, identity),
    global([uint], int, (value: UnsignedInt) => checkedInt(value.value)),
    global([double], int, doubleToInt),
    global([string], int, textToInt),
    global([timestamp], int, timeToInt),
    global([duration], int, (value: Duration) => value.nanos),
  ],
  uint: [
    global([uint], uint, identity),
    global([int], uint, checkedUint),
    global([double], uint, (value: number) => checkedUint(doubleToInt(value))),
    global([string], uint, textToUint),
  ],
  double: [
    global([double], double, identity),
    global([int], double, Number),
    global([uint], double, (value: UnsignedInt) => Number(value.value)),
    global([string], double, textToDouble),
  ],
  string: [
    global([string], string, identity),
    global([bool], string, String),
    global([int], string, String),
    global([uint], string, (value: UnsignedInt) => String(value.value)),
    global([double], string, showDouble),
    global([bytes], string, bytesToText, traverse),
    global([timestamp], string, showTimestamp),
    global([duration], string, showDuration),
  ],
  bool: [global([bool], bool, identity), global([string], bool, textToBool)],
  bytes: [global([bytes], bytes, identity), global([string], bytes, (text: string) => new TextEncoder().encode(text), traverse)],
  duration: [
    global([duration], duration, identity),
    global([string], duration, (text: string) => {
      const value = parseDuration(text)
      if (value === undefined) throw new EvaluationError(`time: invalid duration ${JSON.stringify(text)}`)
      return value
    }),
  ],
  timestamp: [
    global([timestamp], timestamp, identity),
    global([string], timestamp, (text: string) => {
      const value = parseTimestamp(text)
      if (value === undefined)
        throw new EvaluationError(
          `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)}`,
        )
      return value
    }),
    global([int], timestamp, (seconds: bigint) => checkedTimestamp(seconds * 1_000_000_000n)),
  ],
  dyn: [global([param('A')], dyn, identity)],
  type: [global([param('A')], { kind: 'type', of: param('A') }, (value: unknown) => new TypeValue(typeNameOf(value)))],
  size: [
    ...both([string], int, (text: string) => BigInt([...text].length)),
    ...both([bytes], int, (value: Uint8Array) => BigInt(value.length)),
    ...both([listOf(param('A'))], int, (list: CelList) => BigInt(list.size)),
    ...both([mapOf(param('A'), param('B'))], int, (map: CelMap) => BigInt(map.size)),
  ],
  getFullYear: part('year'),
  getMonth: part('month'),
  getDayOfYear: part('dayOfYear'),
  getDayOfMonth: part('dayOfMonth'),
  getDate: part('date'),
  getDayOfWeek: part('dayOfWeek'),
  getHours: [...part('hours'), ofDuration(3_600_000_000_000n)],
  getMinutes: [...part('minutes'), ofDuration(60_000_000_000n)],
  getSeconds: [...part('seconds'), ofDuration(1_000_000_000n)],
  getMilliseconds: [...part('milliseconds'), ofDuration(1_000_000n)],
}
