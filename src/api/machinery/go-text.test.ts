import { describe, expect, it } from 'vitest'
import { mapValue, omitted, shownAs, showValue, typed } from './field-error.ts'
import { goJson, goQuote } from './go-text.ts'

describe('showValue()', () => {
  it.each<readonly [string, unknown, string]>([
    ['a string', 'a "b"', '"a \\"b\\""'],
    ['a string with HTML', '<a>', '"<a>"'],
    ['an enumeration with HTML', typed('<a>'), '"\\u003ca\\u003e"'],
    ['a number', 1.5, '1.5'],
    ['a boolean', false, 'false'],
    ['nothing', undefined, 'null'],
    ['a list', ['a', 'b'], '["a","b"]'],
    ['a struct', { b: 1, a: '&' }, '{"b":1,"a":"\\u0026"}'],
    ['a map', mapValue({ b: '1', a: '2', '10': 'x', '9': 'y' }), '{"10":"x","9":"y","a":"2","b":"1"}'],
    ['no map', mapValue(undefined), 'null'],
    ['a text of its own', shownAs('{}'), '{}'],
    ['what is not shown', omitted, ''],
  ])('%s', (_name, value, text) => {
    expect(showValue(value)).toBe(text)
  })
})

describe('goQuote()', () => {
  it.each([
    ['plain', '"plain"'],
    ['tab\t line\n', '"tab\\t line\\n"'],
    ['bell\x07 escape\x1b', '"bell\\a escape\\x1b"'],
    ['ü 漢 😀', '"ü 漢 😀"'],
    ['no-break\u00a0space', '"no-break\\u00a0space"'],
    ['tag\u{e0001}', '"tag\\U000e0001"'],
    ['half\ud800', '"half\ufffd"'],
  ])('%j', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted)
  })
})

describe('goJson()', () => {
  it('indents by the given number', () => {
    expect(goJson({ a: [], b: [1] }, ' ')).toBe('{\n "a": [],\n "b": [\n  1\n ]\n}')
  })
})
