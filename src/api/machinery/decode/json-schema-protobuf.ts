// JSON schemas of CustomResourceDefinitions as clients send them in protobuf. Three parts are one thing in JSON and another in protobuf: a schema or a
// truth value, a schema or a list, and free-form JSON.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool, JSONSchemaPropsOrArray
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray

type Wire = bigint | Uint8Array
/** The fields of a message, and what protobuf's reader offers for single values. */
interface SchemaReader {
  fieldsOf(bytes: Uint8Array): Iterable<readonly [number: number, value: Wire]>
  text(value: Wire): string
  integer(value: Wire): number
  double(value: Wire): number
}

type Reading =
  | 'text'
  | 'integer'
  | 'double'
  | 'bool'
  | 'json'
  | 'schema'
  | 'texts'
  | 'jsons'
  | 'schemas'
  | 'map'
  | 'orArray'
  | 'orBool'
  | 'rules'

const fields: Readonly<Record<number, readonly [name: string, reading: Reading]>> = {
  1: ['id', 'text'],
  2: ['$schema', 'text'],
  3: ['$ref', 'text'],
  4: ['description', 'text'],
  5: ['type', 'text'],
  6: ['format', 'text'],
  7: ['title', 'text'],
  8: ['default', 'json'],
  9: ['maximum', 'double'],
  10: ['exclusiveMaximum', 'bool'],
  11: ['minimum', 'double'],
  12: ['exclusiveMinimum', 'bool'],
  13: ['maxLength', 'integer'],
  14: ['minLength', 'integer'],
  15: ['pattern', 'text'],
  16: ['maxItems', 'integer'],
  17: ['minItems', 'integer'],
  18: ['uniqueItems', 'bool'],
  19: ['multipleOf', 'double'],
  20: ['enum', 'jsons'],
  21: ['maxProperties', 'integer'],
  22: ['minProperties', 'integer'],
  23: ['required', 'texts'],
  24: ['items', 'orArray'],
  25: ['allOf', 'schemas'],
  26: ['oneOf', 'schemas'],
  27: ['anyOf', 'schemas'],
  28: ['not', 'schema'],
  29: ['properties', 'map'],
  30: ['additionalProperties', 'orBool'],
  37: ['nullable', 'bool'],
  38: ['x-kubernetes-preserve-unknown-fields', 'bool'],
  39: ['x-kubernetes-embedded-resource', 'bool'],
  40: ['x-kubernetes-int-or-string', 'bool'],
  41: ['x-kubernetes-list-map-keys', 'texts'],
  42: ['x-kubernetes-list-type', 'text'],
  43: ['x-kubernetes-map-type', 'text'],
  44: ['x-kubernetes-validations', 'rules'],
}
/** Go writes these also when they are zero: they are left out in JSON. */
const leftOutWhenZero = new Set([
  'exclusiveMaximum',
  'exclusiveMinimum',
  'uniqueItems',
  'nullable',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
])
const ruleFields: Readonly<Record<number, string>> = { 1: 'rule', 2: 'message', 3: 'messageExpression', 4: 'reason', 5: 'fieldPath' }
const maxDepth = 200

export function readJsonSchema(reader: SchemaReader, value: Wire, depth = 0): Record<string, unknown> {
  if (!(value instanceof Uint8Array) || depth > maxDepth) throw new TypeError('a schema that is no message')
  const schema: Record<string, unknown> = {}
  const inner = (bytes: Wire) => readJsonSchema(reader, bytes, depth + 1)
  for (const [number, part] of reader.fieldsOf(value)) {
    const [name, reading] = fields[number] ?? []
    if (name === undefined || reading === undefined) continue
    const add = (item: unknown) => {
      schema[name] ??= []
      ;(schema[name] as unknown[]).push(item)
    }
    switch (reading) {
      case 'text':
        if (reader.text(part) !== '') schema[name] = reader.text(part)
        break
      case 'bool':
        if (part !== 0n || !leftOutWhenZero.has(name)) schema[name] = part !== 0n
        break
      case 'integer':
      case 'double':
        schema[name] = reader[reading](part)
        break
      case 'json':
        schema[name] = readRaw(reader, part)
        break
      case 'texts':
        add(reader.text(part))
        break
      case 'jsons':
        add(readRaw(reader, part))
        break
      case 'schemas':
        add(inner(part))
        break
      case 'schema':
        schema[name] = inner(part)
        break
      case 'rules':
        add(readRule(reader, part))
        break
      case 'map': {
        const [key, property] = readEntry(reader, part)
        const properties = (schema[name] ?? {}) as Record<string, unknown>
        Object.defineProperty(properties, key, { value: inner(property), enumerable: true, configurable: true, writable: true })
        schema[name] = properties
        break
      }
      case 'orArray':
      case 'orBool':
        schema[name] = readEither(reader, part, reading, inner)
        break
    }
  }
  return schema
}

function readEither(reader: SchemaReader, value: Wire, reading: 'orArray' | 'orBool', inner: (bytes: Wire) => unknown): unknown {
  let allows = false
  let schema: unknown
  const list: unknown[] = []
  for (const [number, part] of reader.fieldsOf(value as Uint8Array)) {
    if (reading === 'orBool' && number === 1) allows = part !== 0n
    else if (reading === 'orBool' && number === 2) schema = inner(part)
    else if (number === 1) schema = inner(part)
    else if (number === 2) list.push(inner(part))
  }
  if (schema !== undefined) return schema
  return reading === 'orBool' ? allows : list
}

function readEntry(reader: SchemaReader, value: Wire): [string, Wire] {
  let key = ''
  let entry: Wire = new Uint8Array()
  for (const [number, part] of reader.fieldsOf(value as Uint8Array)) {
    if (number === 1) key = reader.text(part)
    if (number === 2) entry = part
  }
  return [key, entry]
}

function readRaw(reader: SchemaReader, value: Wire): unknown {
  for (const [number, part] of reader.fieldsOf(value as Uint8Array)) if (number === 1) return JSON.parse(reader.text(part))
  return null
}

function readRule(reader: SchemaReader, value: Wire): Record<string, unknown> {
  const rule: Record<string, unknown> = {}
  for (const [number, part] of reader.fieldsOf(value as Uint8Array)) {
    if (number === 6) rule['optionalOldSelf'] = part !== 0n
    const name = ruleFields[number]
    if (name !== undefined && (reader.text(part) !== '' || name === 'rule')) rule[name] = reader.text(part)
  }
  return rule
}
