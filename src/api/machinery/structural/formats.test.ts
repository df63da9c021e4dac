import { expect, test } from 'vitest'
import { unknownFormats } from './formats.ts'

test('finds formats that have no meaning for their type, each once', () => {
  const properties = {
    a: { type: 'string', format: 'foo' },
    b: { type: 'integer', format: 'int-or-string' },
    c: { type: 'string', format: 'uuid' },
    d: { type: 'array', items: { type: 'string', format: 'bar' } },
    e: { type: 'string', format: 'k8s-short-name' },
    f: { type: 'string', format: 'foo' },
    g: { type: 'number', format: 'float' },
    h: { type: 'boolean', format: 'date' },
    i: { type: 'string', format: 'date-time' },
  }
  expect([...unknownFormats({ type: 'object', properties })]).toEqual(['foo', 'int-or-string', 'bar', 'date'])
})
