import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { indentJson, jsonToYaml, metadataJson } from './json-encoding.ts'

describe('metadataText()', () => {
  it('cuts out the metadata, whatever is in it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (metadata, spec) => {
        expect(metadataJson(JSON.stringify({ metadata, spec }))).toBe(JSON.stringify(metadata))
      }),
    )
  })

  it('handles braces and quotes in strings', () => {
    const metadata = { name: 'a', annotations: { 'x"}': '\\"{[', y: '\\\\' } }
    expect(metadataJson(JSON.stringify({ metadata, spec: {} }))).toBe(JSON.stringify(metadata))
  })
})

describe('indentJson()', () => {
  it('equals JSON.stringify with an indent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  it('keeps numbers that JavaScript has not', () => {
    expect(indentJson('{"a":12345678901234567890}')).toBe('{\n  "a": 12345678901234567890\n}')
  })
})

describe('jsonToYaml()', () => {
  it.each([
    ['a list', { a: [{ b: 1 }] }, 'a:\n- b: 1\n'],
    ['keys in order', { b: 1, a: {} }, 'a: {}\nb: 1\n'],
    ['a plain string', { a: 'nginx:1.25' }, 'a: nginx:1.25\n'],
    ['a string that reads as a boolean', { a: 'yes' }, 'a: "yes"\n'],
    ['a string that reads as a number', { a: '1_000' }, 'a: "1_000"\n'],
    ['a string that reads as a time', { a: '2026-01-01T00:00:00Z' }, 'a: "2026-01-01T00:00:00Z"\n'],
    ['a string with syntax in it', { a: 'b: c' }, "a: 'b: c'\n"],
    ['a quote in a string with syntax in it', { a: "found '=', expected: ','" }, "a: 'found ''='', expected: '','''\n"],
    ['several lines', { a: 'b\nc\n' }, 'a: |\n  b\n  c\n'],
  ])('writes %s as Kubernetes does', async (_name, value, text) => {
    expect(await jsonToYaml(JSON.stringify(value))).toBe(text)
  })

  it.each([' \n', 'c \nd', 'tab\t\n\n', '\n x'])('loses no space of %j', async (text) => {
    expect(parse(await jsonToYaml(JSON.stringify({ a: text })))).toEqual({ a: text })
  })

  it.each(['1', '1_', '1:', '.1', ' ', 'a: '])('reads a long text of %j in time that grows with its length', async (part) => {
    const text = `${part.repeat(200_000)}x`
    const startedAt = performance.now()
    await jsonToYaml(JSON.stringify({ a: text }))
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})
