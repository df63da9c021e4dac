// An OpenAPI document with every member that the table of its messages names, each in a form that gnostic accepts.
import type { Messages } from '../../src/server/openapi/gnostic-messages.ts'

/** Members that allow only some values. */
const given: Readonly<Record<string, unknown>> = {
  swagger: '2.0',
  openapi: '3.0.0',
  schemes: ['https'],
  collectionFormat: 'csv',
  $ref: '#/definitions/a',
  style: 'form',
  in: 'header',
}

const required = new Set(['responses', 'content', 'schema'])

/** The values of the member `type` by message, where it is not a type of values. */
const types: Readonly<Record<string, string>> = { SecurityScheme: 'apiKey' }

export function documentOf({ messages, marks }: Messages): Readonly<Record<string, unknown>> {
  /** How many of each message have all members. The others have only plain ones, so that the document has an end. */
  const whole = new Map<string, number>()
  const turns = new Map<string, number>()

  function valuesOf(type: string): unknown[] {
    if (type.startsWith('{')) return [Object.fromEntries(valuesOf(type.slice(1, -1)).map((value, i) => [`name${i}`, value]))]
    // gnostic reads no lists of schemas.
    if (type.startsWith('[')) return type === '[string]' ? [valuesOf('string')] : valuesOf(type.slice(1, -1))
    if (type.includes('|')) return type.split('|').flatMap(valuesOf)
    switch (type) {
      case 'string':
        return ['text']
      case 'bool':
        return [true]
      case 'int64':
        return [7]
      case 'double':
        return [1.5]
      case 'any':
        return [{ a: [1, 'b', null] }]
    }
    return /[ :]/.test(messages[type]!) ? structsOf(type) : valuesOf(messages[type]!)
  }

  function structsOf(type: string): unknown[] {
    const count = whole.get(type) ?? 0
    whole.set(type, count + 1)
    const members: Record<string, unknown> = {}
    for (const field of messages[type]!.split(' ')) {
      const isRepeated = field.length > 1 && field.endsWith('*')
      const [name = '', memberType = 'string'] = (isRepeated ? field.slice(0, -1) : field).split(':')
      if (count > 3 && /[A-Z{[|]/.test(memberType) && !required.has(name)) continue
      // gnostic reads what a callback has besides its paths as a path.
      if (type === 'Callback' && name === 'x-') continue
      const nth = turn(field)
      const values = name === 'x-' ? ['extension'] : valuesOf(memberType)
      if (name === '*') for (const [i, value] of values.entries()) members[type === 'Responses' ? `20${i}` : `/path${i}`] = value
      else if (values.length > 0)
        members[name === 'x-' ? 'x-more' : name] = given[name] ?? (isRepeated ? values : values[nth % values.length])
    }
    const [mark, value] = marks[type] ?? []
    if ('type' in members) members['type'] = types[type] ?? (/Security$/.test(type) ? 'oauth2' : 'string')
    if (mark !== undefined && value !== undefined) members[mark] = value
    return [members]
  }

  /** Counts the members, so that each alternative has its turn. */
  function turn(field: string): number {
    const count = turns.get(field) ?? 0
    turns.set(field, count + 1)
    return count
  }

  return structsOf('Document')[0] as Readonly<Record<string, unknown>>
}
