import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDuplicateFields, findStrictProblems, parseJson } from './json.ts'

describe('parseJson()', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"apiVersion": "v1", ', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['{"a":tru', 'unexpected end of JSON input'],
    ['-', 'unexpected end of JSON input'],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a"}', "invalid character '}' after object key"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1}', "invalid character '}' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12x4"', "invalid character 'x' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"a\u0001b"', "invalid character '\\x01' in string literal"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    [`${'['.repeat(10_001)}${']'.repeat(10_001)}`, "invalid character '[' exceeded max depth"],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => parseJson(text)).toThrow(message)
  })

  it('has something to say about every text that is no JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 2 }), (json, at, more) => {
        const cut = at % (json.length + 1)
        const text = json.slice(0, cut) + more + json.slice(cut + 1)
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(() => parseJson(text)).toThrow(/^(unexpected end of JSON input|invalid character )/)
          return
        }
        expect(parseJson(text)).toEqual(expected)
      }),
    )
  })

  it('takes JSON of any depth that Go takes', () => {
    expect(() => parseJson(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)).not.toThrow()
  })
})

describe('findStrictProblems()', () => {
  it.each([
    ['in the order of the text', '{"a":{"b":1,"b":2},"x":1}', ['unknown field "x"'], ['duplicate field "a.b"', 'unknown field "x"']],
    [
      'an unknown field once, with all in it',
      '{"x":1,"x":{"a":1,"a":2},"b":1,"b":2}',
      ['unknown field "x"'],
      ['unknown field "x"', 'duplicate field "b"'],
    ],
    ['only unknown fields', '{"x":1}', ['unknown field "x"'], ['unknown field "x"']],
    [
      'fields of the same name by their paths',
      '{"a":[{"x":1},{"x":1,"y":1,"y":2}],"b":{"ax":1,"x":{"x":1}},"b":{"x":1}}',
      ['unknown field "b.ax"', 'unknown field "b.x"', 'unknown field "a[1].x"'],
      ['unknown field "a[1].x"', 'duplicate field "a[1].y"', 'unknown field "b.ax"', 'unknown field "b.x"', 'duplicate field "b"'],
    ],
  ])('lists %s', (_, text, unknownFields, expected) => {
    expect(findStrictProblems(text, JSON.parse(text), unknownFields)).toEqual(expected)
  })

  it('lists 100 at most', () => {
    const fields = Array.from({ length: 150 }, (_, index) => `"a${index}":1,"a${index}":2`).join()
    expect(findStrictProblems(`{${fields}}`, {}, [])).toHaveLength(100)
  })

  it('takes little time for many fields in one with a long name', () => {
    const long = 'k'.repeat(1_000_000)
    const fields = Array.from({ length: 5000 }, (_, index) => `"a${index}":{"b":1}`).join()
    const repeated = Array.from({ length: 5000 }, () => '"c":{"d":1,"d":2}').join()
    const text = `{"${long}":{${fields},${repeated}},"x":1}`
    const problems = findStrictProblems(text, JSON.parse(text), ['unknown field "x"'])
    expect(problems.map((problem) => problem.replace(long, 'k'))).toEqual([
      'duplicate field "k.c.d"',
      'duplicate field "k.c"',
      'unknown field "x"',
    ])
  })
})

describe('findDuplicateFields()', () => {
  const find = (text: string) => findDuplicateFields(text, JSON.parse(text))
  it.each([
    ['none', '{"a":{"b":1},"c":{"b":1}}', []],
    ['none in a list of objects', '[{"a":1},{"a":2}]', []],
    ['none among strings that look like keys', '{"a":"\\"b\\":1,\\"b\\":2","\\\\":"\\\\","c":["a:",":"]}', []],
    ['one at the root', '{"a":1,"a":2}', ['duplicate field "a"']],
    ['one in a map', '{"data" : {"a":"1", "b":"2" , "a" :"3"}}', ['duplicate field "data.a"']],
    [
      'one in a list',
      '{"spec":{"containers":[{"name":"a"},{"name":"b","env":[],"name":"c"}]}}',
      ['duplicate field "spec.containers[1].name"'],
    ],
    ['one that is written in two ways', '{"a":1,"\\u0061":2}', ['duplicate field "a"']],
    ['each once', '{"a":1,"a":2,"a":3}', ['duplicate field "a"']],
    ['a field after a duplicate', '{"x":{"a":1,"a":[{"b":1}]},"y":{"c":1,"c":2}}', ['duplicate field "x.a"', 'duplicate field "y.c"']],
  ])('finds %s', (_name, text, expected) => {
    expect(find(text)).toEqual(expected)
  })

  it('finds nothing in what was written by a JSON writer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(find(JSON.stringify(value))).toEqual([])
        expect(find(JSON.stringify(value, null, 2))).toEqual([])
      }),
    )
  })
})

describe('parseJson() of half characters', () => {
  it.each([
    ['a lone first half', '"a\\ud800b"', 'a\ufffdb'],
    ['a lone second half', '"\\uDC00"', '\ufffd'],
    ['the halves in the wrong order', '"\\udc00\\ud800"', '\ufffd\ufffd'],
    ['a whole pair', '"\\ud83d\\ude00"', '😀'],
    ['a first half before a pair', '"\\ud800\\ud83d\\ude00"', '\ufffd😀'],
    ['an escaped backslash', '"\\\\ud800"', '\\ud800'],
    ['other escapes', '"\\u0041\\n\\ud800\\""', 'A\n\ufffd"'],
  ])('replaces as Go does: %s', (_name, text, value) => {
    expect(parseJson(text)).toBe(value)
  })
})
