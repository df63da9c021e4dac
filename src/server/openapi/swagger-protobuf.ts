// The OpenAPI v2 document as the protobuf message that client-go asks for: gnostic's `openapi.v2.Document`.
// https://github.com/google/gnostic/blob/main/openapiv2/OpenAPIv2.proto has the numbers of the fields.
import type { Schema } from './schemas.ts'

/** The serialized message. Throws for a field that the message does not have. */
export function encodeSwagger(swagger: Schema): Buffer {
  const writer = new BackwardWriter()
  message(writer, 'Document', swagger)
  return writer.take()
}

/** Writes one value, with its length before it where it has one. */
type Encode = (writer: BackwardWriter, value: unknown) => void

interface Field {
  readonly number: number
  readonly encode: Encode
  /** An array is one field for each element. */
  readonly repeated?: boolean
}

const one = (number: number, encode: Encode): Field => ({ number, encode })
const many = (number: number, encode: Encode): Field => ({ number, encode, repeated: true })

const string: Encode = (writer, value) => writer.text(value as string)
const bool: Encode = (writer, value) => writer.varint(value === true ? 1 : 0)
/** `Any` carries its value as YAML, and JSON is YAML. */
const any: Encode = (writer, value) => writer.delimited(() => writeField(writer, 2, string, JSON.stringify(value)))
const of =
  (name: string): Encode =>
  (writer, value) =>
    writer.delimited(() => message(writer, name, value as Schema))
/** A message with a single field, which JSON writes as the value itself. */
const wrapped =
  (number: number, encode: Encode): Encode =>
  (writer, value) =>
    writer.delimited(() => {
      for (const element of Array.isArray(value) ? value.toReversed() : [value]) writeField(writer, number, encode, element)
    })
/** A JSON object as a message with a repeated pair of name and value. */
const named =
  (number: number, encode: Encode): Encode =>
  (writer, value) =>
    writer.delimited(() => {
      for (const entry of Object.entries(value as Schema).reverse()) writeField(writer, number, pair(encode), entry)
    })

const pair =
  (encode: Encode): Encode =>
  (writer, entry) =>
    writer.delimited(() => {
      const [name, value] = entry as [string, unknown]
      writeField(writer, 2, encode, value)
      writeField(writer, 1, string, name)
    })
const anyPair = pair(any)

const bodyParameter = wrapped(1, wrapped(1, of('BodyParameter')))
const queryParameter = wrapped(1, wrapped(2, wrapped(3, of('QueryParameter'))))
const pathParameter = wrapped(1, wrapped(2, wrapped(4, of('PathParameter'))))

const parameter: Encode = (writer, value) => {
  const place = (value as { readonly in: string }).in
  if (place === 'body') bodyParameter(writer, value)
  else if (place === 'query') queryParameter(writer, value)
  else if (place === 'path') pathParameter(writer, value)
  else throw new Error(`Cannot encode a parameter in ${JSON.stringify(place)}`)
}

interface MessageType {
  readonly fields: Readonly<Record<string, Field>>
  /** The number of the field that holds what begins with `x-`. */
  readonly extensions?: number
}

const operation = of('Operation')

const messages: Readonly<Record<string, MessageType>> = {
  Document: {
    fields: {
      swagger: one(1, string),
      info: one(2, of('Info')),
      paths: one(8, named(2, of('PathItem'))),
      definitions: one(9, named(1, of('Schema'))),
      security: many(12, named(1, wrapped(1, string))),
      securityDefinitions: one(13, named(1, wrapped(2, of('ApiKeySecurity')))),
    },
    extensions: 16,
  },
  Info: { fields: { title: one(1, string), version: one(2, string) }, extensions: 7 },
  ApiKeySecurity: {
    fields: { type: one(1, string), name: one(2, string), in: one(3, string), description: one(4, string) },
    extensions: 5,
  },
  PathItem: {
    fields: {
      get: one(2, operation),
      put: one(3, operation),
      post: one(4, operation),
      delete: one(5, operation),
      options: one(6, operation),
      head: one(7, operation),
      patch: one(8, operation),
      parameters: many(9, parameter),
    },
    extensions: 10,
  },
  Operation: {
    fields: {
      tags: many(1, string),
      description: one(3, string),
      operationId: one(5, string),
      produces: many(6, string),
      consumes: many(7, string),
      parameters: many(8, parameter),
      responses: one(9, named(1, wrapped(1, of('Response')))),
      schemes: many(10, string),
    },
    extensions: 13,
  },
  Response: { fields: { description: one(1, string), schema: one(2, wrapped(1, of('Schema'))) }, extensions: 5 },
  BodyParameter: {
    fields: {
      description: one(1, string),
      name: one(2, string),
      in: one(3, string),
      required: one(4, bool),
      schema: one(5, of('Schema')),
    },
    extensions: 6,
  },
  QueryParameter: {
    fields: {
      required: one(1, bool),
      in: one(2, string),
      description: one(3, string),
      name: one(4, string),
      type: one(6, string),
      uniqueItems: one(20, bool),
    },
    extensions: 23,
  },
  PathParameter: {
    fields: {
      required: one(1, bool),
      in: one(2, string),
      description: one(3, string),
      name: one(4, string),
      type: one(5, string),
      uniqueItems: one(19, bool),
    },
    extensions: 22,
  },
  Schema: {
    fields: {
      $ref: one(1, string),
      format: one(2, string),
      description: one(4, string),
      default: one(5, any),
      required: many(19, string),
      enum: many(20, any),
      additionalProperties: one(21, wrapped(1, of('Schema'))),
      type: one(22, wrapped(1, string)),
      items: one(23, wrapped(1, of('Schema'))),
      properties: one(25, named(1, of('Schema'))),
    },
    extensions: 31,
  },
}

function message(writer: BackwardWriter, name: string, value: Schema): void {
  const { fields, extensions } = messages[name]!
  for (const [key, member] of Object.entries(value).reverse()) {
    if (member === undefined) continue
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field !== undefined) {
      for (const element of field.repeated ? (member as readonly unknown[]).toReversed() : [member])
        writeField(writer, field.number, field.encode, element)
    } else if (key.startsWith('x-') && extensions !== undefined) writeField(writer, extensions, anyPair, [key, member])
    else throw new Error(`Cannot encode field ${JSON.stringify(key)}: openapi.v2.${name} does not have it`)
  }
}

const varintType = 0
const lengthDelimitedType = 2

function writeField(writer: BackwardWriter, number: number, encode: Encode, value: unknown): void {
  encode(writer, value)
  writer.varint(number * 8 + (encode === bool ? varintType : lengthDelimitedType))
}

/** Writes from the end to the start: what a length counts is there before the length is written, and nothing is copied. */
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

  varint(value: number): void {
    this.#reserve(5)
    let bytes = 1
    for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++
    this.#start -= bytes
    let rest = value
    for (let i = 0; i < bytes; i++, rest >>>= 7) this.#buffer[this.#start + i] = i < bytes - 1 ? (rest & 127) | 128 : rest
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
