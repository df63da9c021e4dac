import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, escapeJson } from './escape.ts'

describe('escapeHtml()', () => {
  it('leaves no sign that HTML reads', () =>
    expect(escapeHtml(`<a href="x" b='y'>&`)).toBe('&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;'))
})

describe('escapeJson()', () => {
  const rows: readonly [string, string][] = [
    ['the end of the script', '</script><script>alert(1)</script>'],
    ['a comment that opens a script', '<!--<script>'],
    ['lines that JavaScript breaks at', '\u2028\u2029'],
    ['an entity', '&lt;'],
  ]
  for (const [name, text] of rows)
    it(`is the same text again, and no markup: ${name}`, () => {
      const json = escapeJson({ text })
      expect(json).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(json)).toEqual({ text })
    })

  it('keeps every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(escapeJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
