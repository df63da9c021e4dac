// Decodes Kubernetes' protobuf, which Go clients send, to the value that the same object in JSON would be parsed to. From there on it is
// handled like JSON.
// Kubernetes: k8s.io/apimachinery/pkg/runtime/serializer/protobuf.Serializer.Decode

import { formatTime } from '../../../base/clock.ts'
import { messageOf } from '../../../base/error-message.ts'
import { type Field, type FieldType, type Scalar, structOf } from '../schema/schema.ts'
import { badRequestError, type StatusError } from '../status-error.ts'
import { readJsonSchema } from './json-schema-protobuf.ts'

/** The wire form of an object: its kind and its message. */
interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly message: Uint8Array
}

// Four bytes before every object: "k8s" and a zero.
const magic = [0x6b, 0x38, 0x73, 0x00]
const deepest = 1000
const text = new TextDecoder()

class MalformedMessage extends Error {}

/** The Status of a bad request, with the reason. */
type Refuse = (why: string) => StatusError

/** Throws the Status of a bad request when these bytes are no object. */
export function readEnvelope(bytes: Uint8Array, refuse: Refuse = badRequestError): Envelope {
  if (bytes.length === 0) throw refuse('empty data')
  if (magic.some((byte, index) => bytes[index] !== byte))
    throw refuse(`provided data does not appear to be a protobuf message, expected prefix [${magic.join(' ')}]`)
  if (bytes.length === magic.length) throw refuse('empty body')
  return refusing(refuse, () => {
    let apiVersion = ''
    let kind = ''
    let message: Uint8Array = new Uint8Array()
    for (const [number, value] of fieldsOf(bytes.subarray(magic.length))) {
      if (number === 1 && value instanceof Uint8Array) {
        for (const [inner, name] of fieldsOf(value)) {
          if (inner === 1 && name instanceof Uint8Array) apiVersion = text.decode(name)
          if (inner === 2 && name instanceof Uint8Array) kind = text.decode(name)
        }
      } else if (number === 2 && value instanceof Uint8Array) message = value
    }
    return { apiVersion, kind, message }
  })
}

/** The value that JSON would have given, with `kind` and `apiVersion` where the envelope names them. */
export function decodeProtobuf(typeName: string, envelope: Envelope, refuse: Refuse = badRequestError): Record<string, unknown> {
  const { apiVersion, kind, message } = envelope
  return refusing(refuse, () => ({
    ...(kind !== '' && { kind }),
    ...(apiVersion !== '' && { apiVersion }),
    ...readStruct(typeName, message, 0),
  }))
}

function refusing<T>(refuse: Refuse, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedMessage) throw refuse(error.message)
    throw error
  }
}

type WireValue = bigint | Uint8Array

/** The fields of a message in the order in which they are written. */
function* fieldsOf(bytes: Uint8Array): Generator<[number, WireValue]> {
  const reader = new Reader(bytes)
  while (!reader.atEnd) {
    const tag = Number(reader.varint())
    const number = tag >>> 3
    if (number === 0) throw new MalformedMessage('a field with the number 0')
    switch (tag & 7) {
      case 0:
        yield [number, reader.varint()]
        break
      case 1:
        yield [number, reader.take(8)]
        break
      case 2:
        yield [number, reader.take(Number(reader.varint()))]
        break
      case 5:
        yield [number, reader.take(4)]
        break
      default:
        throw new MalformedMessage(`wire type ${tag & 7} is not known`)
    }
  }
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new MalformedMessage('unexpected EOF')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new MalformedMessage('integer overflow')
  }

  take(length: number): Uint8Array {
    if (!(length >= 0 && this.#at + length <= this.#bytes.length)) throw new MalformedMessage('unexpected EOF')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

/** By number: a field, or the fields inside of a struct that is inlined in JSON but not in protobuf. */
type Numbered = ReadonlyMap<number, Field | Numbered>

const numbered = new Map<string, Numbered>()

function numbersOf(typeName: string): Numbered {
  const known = numbered.get(typeName)
  if (known !== undefined) return known
  const root = new Map<number, Field | Numbered>()
  for (const field of structOf(typeName).fields) {
    const last = field.numbers.at(-1)
    if (last === undefined) continue
    let level = root
    for (const number of field.numbers.slice(0, -1)) {
      const inner = (level.get(number) ?? new Map()) as Map<number, Field | Numbered>
      level.set(number, inner)
      level = inner
    }
    level.set(last, field)
  }
  numbered.set(typeName, root)
  return root
}

function readStruct(typeName: string, bytes: Uint8Array, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  readFields(numbersOf(typeName), bytes, object, depth)
  return object
}

function readFields(fields: Numbered, bytes: Uint8Array, object: Record<string, unknown>, depth: number): void {
  if (depth > deepest) throw new MalformedMessage('exceeded max depth')
  for (const [number, value] of fieldsOf(bytes)) {
    const field = fields.get(number)
    if (field === undefined) continue
    if (field instanceof Map) {
      if (value instanceof Uint8Array) readFields(field as Numbered, value, object, depth + 1)
    } else addValue(field as Field, value, object, depth)
  }
}

function addValue({ name, type }: Field, value: WireValue, object: Record<string, unknown>, depth: number): void {
  if (type.kind === 'struct' && type.name === 'apiextensions.JSONSchemaProps') {
    object[name] = readSchema(value)
    return
  }
  if (type.kind === 'list') {
    object[name] ??= []
    const list = object[name] as unknown[]
    // Numbers may come packed into one field.
    if (value instanceof Uint8Array && type.of.kind === 'scalar' && isNumber(type.of.scalar)) {
      const reader = new Reader(value)
      while (!reader.atEnd) list.push(readScalar(type.of.scalar, reader.varint()))
    } else list.push(readValue(type.of, value, depth))
    return
  }
  if (type.kind === 'map') {
    object[name] ??= {}
    const [key, entry] = readEntry(type.of, value, depth)
    // A key such as __proto__ is a key like any other.
    Object.defineProperty(object[name], key, { value: entry, enumerable: true, configurable: true, writable: true })
    return
  }
  object[name] = readValue(type, value, depth)
}

function readEntry(type: FieldType, value: WireValue, depth: number): [string, unknown] {
  if (!(value instanceof Uint8Array)) throw new MalformedMessage('wrong wire type for a map')
  let key = ''
  let entry: unknown = type.kind === 'scalar' && type.scalar === 'string' ? '' : undefined
  for (const [number, part] of fieldsOf(value)) {
    if (number === 1 && part instanceof Uint8Array) key = text.decode(part)
    if (number === 2) entry = readValue(type, part, depth)
  }
  return [key, entry]
}

function readValue(type: FieldType, value: WireValue, depth: number): unknown {
  if (type.kind === 'scalar') return readScalar(type.scalar, value)
  if (!(value instanceof Uint8Array)) throw new MalformedMessage('wrong wire type for a message')
  if (type.kind === 'struct') return readStruct(type.name, value, depth + 1)
  // A list inside of a map is a message with one repeated field.
  if (type.kind === 'list')
    return [...fieldsOf(value)].filter(([number]) => number === 1).map(([, item]) => readValue(type.of, item, depth + 1))
  return undefined
}

const isNumber = (scalar: Scalar) => scalar === 'int32' || scalar === 'int64' || scalar === 'bool'

function readScalar(scalar: Scalar, value: WireValue): unknown {
  if (isNumber(scalar)) {
    if (value instanceof Uint8Array) throw new MalformedMessage(`wrong wire type for ${scalar}`)
    return scalar === 'bool' ? value !== 0n : toNumber(value)
  }
  if (!(value instanceof Uint8Array)) throw new MalformedMessage(`wrong wire type for ${scalar}`)
  switch (scalar) {
    case 'string':
      return text.decode(value)
    case 'bytes':
      return toBase64(value)
    case 'float64':
      return new DataView(value.buffer, value.byteOffset, value.byteLength).getFloat64(0, true)
    case 'Time':
    case 'MicroTime':
      return readTime(value, scalar === 'MicroTime')
    case 'Quantity':
      return readQuantity(value)
    case 'IntOrString':
      return readIntOrString(value)
    default:
      return readRaw(value)
  }
}

const toNumber = (value: bigint) => Number(BigInt.asIntN(64, value))

function readTime(bytes: Uint8Array, micro: boolean): string | undefined {
  let seconds = 0
  let nanos = 0
  for (const [number, value] of fieldsOf(bytes)) {
    if (number === 1 && typeof value === 'bigint') seconds = toNumber(value)
    if (number === 2 && typeof value === 'bigint') nanos = toNumber(value)
  }
  if (seconds === 0 && nanos === 0) return undefined
  // The last second that RFC 3339 can write is in the year 9999.
  if (seconds > 253_402_300_799 || seconds < -62_135_596_800) throw new MalformedMessage('a time out of range')
  const whole = formatTime(seconds * 1000)
  return micro ? `${whole.slice(0, -1)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z` : whole
}

function readQuantity(bytes: Uint8Array): string {
  for (const [number, value] of fieldsOf(bytes)) if (number === 1 && value instanceof Uint8Array) return text.decode(value) || '0'
  return '0'
}

function readIntOrString(bytes: Uint8Array): number | string {
  let isText = false
  let whole = 0
  let words = ''
  for (const [number, value] of fieldsOf(bytes)) {
    if (number === 1) isText = value !== 0n
    if (number === 2 && typeof value === 'bigint') whole = toNumber(value)
    if (number === 3 && value instanceof Uint8Array) words = text.decode(value)
  }
  return isText ? words : whole
}

function readSchema(value: WireValue): unknown {
  const single = (scalar: Scalar) => (part: WireValue) => readScalar(scalar, part)
  try {
    return readJsonSchema(
      {
        fieldsOf,
        text: single('string') as (part: WireValue) => string,
        integer: single('int64') as (part: WireValue) => number,
        double: single('float64') as (part: WireValue) => number,
      },
      value,
    )
  } catch (error) {
    throw error instanceof MalformedMessage ? error : new MalformedMessage(messageOf(error))
  }
}

/** Free-form JSON is sent as text. */
function readRaw(bytes: Uint8Array): unknown {
  for (const [number, value] of fieldsOf(bytes)) {
    if (number !== 1 || !(value instanceof Uint8Array) || value.length === 0) continue
    try {
      return JSON.parse(text.decode(value))
    } catch {
      throw new MalformedMessage('raw JSON that is none')
    }
  }
  return undefined
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
