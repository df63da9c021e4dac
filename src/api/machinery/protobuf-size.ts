// How long an object is in protobuf, the form in which Kubernetes stores its own kinds. For limits: a few bytes may differ where Go
// writes empty fields.
// Ours: the sizes that generated code of Kubernetes computes.
import { isJsonObject } from './json-object.ts'
import { type Field, type FieldType, type Scalar, structOf } from './schema/schema.ts'
import { byteLength } from './validation/names.ts'

/** A schema is stored in other fields than it is written in. */
const schemaType = 'apiextensions.JSONSchemaProps'
const timeBytes = 6

export function protobufSize(typeName: string, value: unknown): number {
  // What may be written as something else than a struct is stored as JSON.
  if (!isJsonObject(value) || typeName === schemaType) return byteLength(JSON.stringify(value))
  const message: Message = { size: 0, inner: new Map() }
  for (const field of structOf(typeName).fields) {
    const given = value[field.name]
    if (given !== undefined && given !== null) addField(message, field, given)
  }
  return closedSize(message)
}

/** `inner` has the messages of structs that JSON inlines, by their number. */
interface Message {
  size: number
  readonly inner: Map<number, Message>
}

function addField(root: Message, { numbers, type }: Field, value: unknown): void {
  let message = root
  for (const number of numbers.slice(0, -1)) {
    const inner = message.inner.get(number) ?? { size: 0, inner: new Map() }
    message.inner.set(number, inner)
    message = inner
  }
  message.size += fieldSize(numbers.at(-1) ?? 1, type, value)
}

function closedSize({ size, inner }: Message): number {
  let total = size
  for (const [number, message] of inner) total += delimited(number, closedSize(message))
  return total
}

function fieldSize(number: number, type: FieldType, value: unknown): number {
  if (type.kind === 'list') return (value as unknown[]).reduce<number>((sum, one) => sum + fieldSize(number, type.of, one), 0)
  if (type.kind === 'struct') return delimited(number, protobufSize(type.name, value))
  if (type.kind === 'scalar') return scalarSize(number, type.scalar, value)
  let size = 0
  for (const [key, entry] of Object.entries(value as object)) {
    // A list in a map is a message with one repeated field.
    const entrySize = type.of.kind === 'list' ? delimited(2, fieldSize(1, type.of, entry)) : fieldSize(2, type.of, entry)
    size += delimited(number, delimited(1, byteLength(key)) + entrySize)
  }
  return size
}

function scalarSize(number: number, scalar: Scalar, value: unknown): number {
  switch (scalar) {
    case 'bool':
      return tagSize(number) + 1
    case 'int32':
    case 'int64':
      return tagSize(number) + (Number(value) < 0 ? 10 : varintSize(Number(value)))
    case 'float64':
      return tagSize(number) + 8
    case 'bytes':
      return delimited(number, Math.floor((String(value).length * 3) / 4))
    case 'Time':
    case 'MicroTime':
      return delimited(number, timeBytes)
    case 'string':
      return delimited(number, byteLength(String(value)))
    case 'Quantity':
      return delimited(number, delimited(1, byteLength(String(value))))
    case 'IntOrString':
      return delimited(number, 4 + delimited(3, typeof value === 'string' ? byteLength(value) : 0))
    default:
      return delimited(number, delimited(1, byteLength(JSON.stringify(value))))
  }
}

const tagSize = (number: number) => varintSize(number * 8)
const delimited = (number: number, length: number) => tagSize(number) + varintSize(length) + length

function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 0x80; rest /= 0x80) size++
  return size
}
