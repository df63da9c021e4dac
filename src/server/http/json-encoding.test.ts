import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indentJson, metadataJson } from './json-encoding.ts'

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
