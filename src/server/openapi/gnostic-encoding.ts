// OpenAPI documents as gnostic's protobuf messages. What a message cannot express is left out: an unknown member, or a value of another type.
// Kubernetes: github.com/google/gnostic-models/openapiv3.NewDocument
// Kubernetes: github.com/google/gnostic-models/openapiv2.NewDocument
import { once } from '../../base/cached.ts'
import { type Messages, version2, version3 } from './gnostic-messages.ts'
import type { Schema } from './schemas.ts'

// Ours: protobuf is written from its end, so that lengths are known.
/** Writes protobuf from the end to the start: what a length counts is there before the length is written, and nothing is copied. */
class BackwardWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024)
  #start = this.#buffer.length

  take(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#start))
  }

  text(value: string): void {
    const length = Buffer.byteLength(value)
    this.#reserve(length)
    this.#start -= length
    this.#buffer.write(value, this.#start)
    this.varint(length)
  }

  delimited(write: () => void): void {
    const before = this.#length
    write()
    this.varint(this.#length - before)
  }

  /** An integer of up to 64 bits; a negative one as its two's complement. */
  varint(value: number): void {
    this.#reserve(10)
    const bytes: number[] = []
    if (value >= 0 && value < 2 ** 32) for (let rest = value; rest > 0; rest = Math.floor(rest / 128)) bytes.push(rest % 128)
    else for (let rest = BigInt.asUintN(64, BigInt(value)); rest > 0n; rest >>= 7n) bytes.push(Number(rest & 127n))
    if (bytes.length === 0) bytes.push(0)
    this.#start -= bytes.length
    bytes.forEach((byte, i) => {
      this.#buffer[this.#start + i] = i < bytes.length - 1 ? byte | 128 : byte
    })
  }

  double(value: number): void {
    this.#reserve(8)
    this.#start -= 8
    this.#buffer.writeDoubleLE(value, this.#start)
  }

  get #length(): number {
    return this.#buffer.length - this.#start
  }

  #reserve(bytes: number): void {
    if (this.#start >= bytes) return
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes))
    const start = grown.length - this.#length
    this.#buffer.copy(grown, start, this.#start)
    this.#buffer = grown
    this.#start = start
  }
}

interface Type {
  readonly wireType: 0 | 1 | 2
  accepts(value: unknown): boolean
  /** Writes a value that it accepts, with the length before it where the wire has one. */
  write(writer: BackwardWriter, value: unknown): void
}

interface Message extends Type {
  /** Writes the message without its length. */
  writeFields(writer: BackwardWriter, value: unknown): void
}

interface Field {
  readonly number: number
  readonly type: Type
  readonly isRepeated: boolean
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON is YAML, but for the characters that YAML does not allow as they are. */
const toYaml = (value: unknown) =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const string: Type = {
  wireType: 2,
  accepts: (value) => typeof value === 'string',
  write: (writer, value) => writer.text(value as string),
}
const scalars: Readonly<Record<string, Type>> = {
  string,
  bool: { wireType: 0, accepts: (value) => typeof value === 'boolean', write: (writer, value) => writer.varint(value === true ? 1 : 0) },
  int64: {
    wireType: 0,
    accepts: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 63,
    write: (writer, value) => writer.varint(value as number),
  },
  double: { wireType: 1, accepts: (value) => typeof value === 'number', write: (writer, value) => writer.double(value as number) },
  any: {
    wireType: 2,
    accepts: (value) => value !== undefined,
    write: (writer, value) => writer.delimited(() => write(writer, 2, string, toYaml(value))),
  },
}

function write(writer: BackwardWriter, number: number, type: Type, value: unknown): void {
  if (!type.accepts(value)) return
  type.write(writer, value)
  writer.varint(number * 8 + type.wireType)
}

/** A message that is written field by field. */
function message(accepts: Type['accepts'], writeFields: Message['writeFields']): Message {
  return { wireType: 2, accepts, writeFields, write: (writer, value) => writer.delimited(() => writeFields(writer, value)) }
}

const pairOf = (type: Type) =>
  message(
    (pair) => type.accepts((pair as [string, unknown])[1]),
    (writer, pair) => {
      const [name, value] = pair as [string, unknown]
      write(writer, 2, type, value)
      write(writer, 1, string, name)
    },
  )

const mapOf = (pair: Type) =>
  message(isObject, (writer, value) => {
    for (const entry of Object.entries(value as Schema).reverse()) write(writer, 1, pair, entry)
  })

/** JSON has either an array or its only element. */
const listOf = (type: Type) =>
  message(
    (value) => Array.isArray(value) || type.accepts(value),
    (writer, value) => {
      for (const element of Array.isArray(value) ? value.toReversed() : [value]) write(writer, 1, type, element)
    },
  )

function createEncode({ messages, marks }: Messages): (document: Schema) => Buffer {
  const known = new Map<string, Type>(Object.entries(scalars))

  function typeOf(text: string): Type {
    const found = known.get(text)
    if (found !== undefined) return found
    const create = () => {
      if (text.startsWith('{')) return mapOf(pairOf(typeOf(text.slice(1, -1))))
      if (text.startsWith('[')) return listOf(typeOf(text.slice(1, -1)))
      return text.includes('|') ? choiceOf(text.split('|')) : structOf(text)
    }
    const type = create()
    known.set(text, type)
    return type
  }

  function choiceOf(names: readonly string[]): Type {
    // What has a mark comes first, and what accepts everything last.
    const rank = (name: string) => (marks[name] !== undefined ? 0 : name === 'any' ? 2 : 1)
    const alternatives = names.map((name, i) => ({ number: i + 1, type: typeOf(name), rank: rank(name) }))
    const inOrder = alternatives.toSorted((a, b) => a.rank - b.rank)
    const find = (value: unknown) => inOrder.find(({ type }) => type.accepts(value))
    return message(
      (value) => find(value) !== undefined,
      (writer, value) => {
        const { number, type } = find(value)!
        write(writer, number, type, value)
      },
    )
  }

  function structOf(name: string): Type {
    const text = messages[name]!
    if (!/[ :]/.test(text)) return choiceOf(text.split('|'))
    const [member, expected] = marks[name] ?? []
    const isMarked = (value: Schema) =>
      member === undefined || (expected === undefined ? Object.hasOwn(value, member) : value[member] === expected)
    const parse = once(() => parseFields(text))
    return message(
      (value) => isObject(value) && isMarked(value),
      (writer, value) => {
        const { named, extensions, others } = parse()
        for (const [key, content] of Object.entries(value as Schema).reverse()) {
          const field = named.get(key)
          const pairs = field === undefined ? (key.startsWith('x-') ? extensions : others) : undefined
          if (pairs !== undefined) write(writer, pairs.number, pairs.type, [key, content])
          else if (field?.isRepeated === false) write(writer, field.number, field.type, content)
          else if (field !== undefined && Array.isArray(content))
            for (const element of content.toReversed()) write(writer, field.number, field.type, element)
        }
      },
    )
  }

  function parseFields(text: string) {
    const named = new Map<string, Field>()
    let extensions: Field | undefined
    let others: Field | undefined
    text.split(' ').forEach((field, i) => {
      const number = i + 1
      const isRepeated = field.length > 1 && field.endsWith('*')
      const [name = '', typeName = 'string'] = (isRepeated ? field.slice(0, -1) : field).split(':')
      if (name === 'x-') extensions = { number, type: pairOf(typeOf('any')), isRepeated }
      else if (name === '*') others = { number, type: pairOf(typeOf(typeName)), isRepeated }
      else named.set(name, { number, type: typeOf(typeName), isRepeated })
    })
    return { named, extensions: extensions as Field | undefined, others: others as Field | undefined }
  }

  return (document) => {
    const writer = new BackwardWriter()
    ;(typeOf('Document') as Message).writeFields(writer, document)
    return writer.take()
  }
}

/** The serialized `openapi.v2.Document`. */
export const encodeVersion2 = createEncode(version2)
/** The serialized `openapi.v3.Document`. */
export const encodeVersion3 = createEncode(version3)
