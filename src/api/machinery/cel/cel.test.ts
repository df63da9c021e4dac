import { describe, expect, test } from 'vitest'
import {
  Budget,
  CompileError,
  CostExceededError,
  compile,
  dyn,
  int,
  listOf,
  mapOf,
  type ObjectType,
  string,
  timestamp,
  toJson,
} from './cel.ts'

const variables = { x: dyn, n: int, s: string, l: listOf(int), m: mapOf(string, int) }
const values = { x: { a: 1, b: ['p', 'q'], c: { d: 1.5 } }, n: 7, s: 'hello', l: [3, 1, 2], m: { a: 1, b: 2 } }
const evaluate = (source: string) => toJson(compile(source, { variables }).evaluate(values))

describe('values', () => {
  test.each<[string, unknown]>([
    ['1 + 2 * 3', 7],
    ['dyn(1) == 1.0 && 1 < 1.5', true],
    ['x.a + 1', 2],
    ['x.b[1]', 'q'],
    ["'p' in x.b && !('z' in x.b) && 'a' in m", true],
    ['has(x.a) && !has(x.zz) && has(x.c.d)', true],
    ['x.?zz.orValue(5)', 5],
    ['x.?c.?d.value()', 1.5],
    ['l[?9].orValue(0)', 0],
    ['[1, ?l[?9], 2]', [1, 2]],
    ["{'a': 1, ?'b': m[?'z']}", { a: 1 }],
    ['l.all(i, i > 0) && l.exists(i, i > 2) && l.exists_one(i, i == 2)', true],
    ['l.map(i, i > 1, i * 2)', [6, 4]],
    ['l.filter(i, i > 1)', [3, 2]],
    ['m.transformMap(k, v, v + 1)', { a: 2, b: 3 }],
    ['l.transformList(i, v, i + v)', [3, 2, 4]],
    ['l.sort() == [1, 2, 3] && !l.isSorted() && l.sum() == 6 && l.max() == 3', true],
    ['l.sortBy(i, -i) == [3, 2, 1] && lists.range(2) == [0, 1] && l.slice(0, 1) == [3]', true],
    ['sets.contains([1, 2], [1]) && sets.equivalent([1], [1, 1]) && !sets.intersects([1], [2])', true],
    ["s.upperAscii() + s.charAt(0) + s.substring(1, 3) + ' a '.trim()", 'HELLOhela'],
    ["'a,b,c'.split(',', 2)", ['a', 'b,c']],
    ["'%s is %d, %.2f'.format([dyn('a'), dyn(3), dyn(1.5)])", 'a is 3, 1.50'],
    ["s.matches('^h.*o$') && 'a1b2'.findAll('[0-9]') == ['1', '2']", true],
    ["quantity('1Gi').isGreaterThan(quantity('100Mi')) && quantity('1k').add(1) == quantity('1001')", true],
    ["semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && isSemver('v1.2', true)", true],
    ["cidr('10.0.0.0/8').containsIP('10.1.2.3') && !isIP('1.2.3') && ip('::1').isLoopback()", true],
    ["url('https://example.com:80/a?x=1').getHostname()", 'example.com'],
    ["format.dns1123Label().validate('A_b').hasValue()", true],
    ["duration('1h30m') > duration('5m') && timestamp('2024-01-01T00:00:00Z').getFullYear() == 2024", true],
    [
      "timestamp('2026-07-01T12:00:00Z').getHours('Europe/Berlin') == 14 && timestamp('2026-07-01T12:00:00Z').getHours('-03:30') == 8",
      true,
    ],
    ["has(optional.of(x).a) && !has(optional.none().a) && optional.none()[?'a'].orValue(3) == 3", true],
    ["type(n) == int && type(s) == string && string(1.0) == '1' && int('5') == 5", true],
    ['x.zz || true', true],
    ['l.exists(i, i == 1 || x.zz)', true],
    ['[] + [1]', [1]],
    ['n > 5 ? "many" : "few"', 'many'],
    ['r\'\\d\' + \'\\u00e9\' + """a\nb"""', '\\d\u00e9a\nb'],
  ])('%s', (source, wanted) => expect(evaluate(source)).toEqual(wanted))
})

describe('failures of evaluations, in the words of Kubernetes', () => {
  test.each([
    ['x.zz', 'no such key: zz'],
    ['x.b[5]', 'index out of bounds: 5'],
    ['1 / (n - 7)', 'division by zero'],
    ['9223372036854775807 + n', 'integer overflow'],
    ['x.a > s', 'no such overload'],
    ['x.zz && true', 'no such key: zz'],
    ['l.filter(i, i > 9).max()', 'max called on empty list'],
    ['x.?zz.value()', 'optional.none() dereference'],
    ['quantity(s)', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ])('%s', (source, message) => expect(() => evaluate(source)).toThrow(message))
})

describe('expressions that do not compile', () => {
  test.each([
    ['s.foo', "ERROR: <input>:1:2: type 'string' does not support field selection\n | s.foo\n | .^"],
    ['y', "ERROR: <input>:1:1: undeclared reference to 'y' (in container '')\n | y\n | ^"],
    ['1 + s', "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | 1 + s\n | ..^"],
    ['s == 1', "ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(string, int)'\n | s == 1\n | ..^"],
    ['s.nope()', "ERROR: <input>:1:7: undeclared reference to 'nope' (in container '')\n | s.nope()\n | ......^"],
    [
      'n.all(i, true)',
      "ERROR: <input>:1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | n.all(i, true)\n | ^",
    ],
  ])('%s', (source, message) => {
    expect(() => compile(source, { variables })).toThrow(CompileError)
    expect(() => compile(source, { variables })).toThrow(message)
  })
})

const person: ObjectType = {
  kind: 'object',
  name: 'person',
  fieldOf: (name) =>
    name === 'age'
      ? { type: int, jsonName: 'age' }
      : name === '__namespace__'
        ? { type: string, jsonName: 'namespace' }
        : name === 'born'
          ? { type: timestamp, jsonName: 'born' }
          : undefined,
}

test('declared fields are read by their types and their names in JSON', () => {
  const self = { age: 3, namespace: 'a', born: '2020-02-01T00:00:00Z' }
  const program = compile('self.age + 1 == 4 && self.__namespace__ == "a" && self.born.getMonth() == 1', { variables: { self: person } })
  expect(program.evaluate({ self })).toBe(true)
  expect(() => compile('self.nope', { variables: { self: person } })).toThrow("undefined field 'nope'")
})

test('lists of list type map are equal in any order', () => {
  const type = listOf(dyn, { kind: 'map', keys: ['name'] })
  const program = compile('self == oldSelf', { variables: { self: type, oldSelf: type } })
  const one = { name: 'a', value: 1 }
  const other = { name: 'b', value: 2 }
  expect(program.evaluate({ self: [one, other], oldSelf: [other, one] })).toBe(true)
  expect(program.evaluate({ self: [one, other], oldSelf: [other, { ...one, value: 3 }] })).toBe(false)
})

test('an evaluation that costs too much is cancelled, also inside of logic', () => {
  const source = 'lists.range(1000).all(i, lists.range(1000).all(k, i + k >= 0)) || true'
  expect(() => compile(source, { variables }).evaluate(values)).toThrow(CostExceededError)
  const budget = new Budget(10)
  expect(compile('n > 1', { variables }).evaluate(values, budget)).toBe(true)
  expect(budget.spent).toBe(2)
  expect(() => compile('l.all(i, i > 0)', { variables }).evaluate(values, budget)).toThrow(
    'operation cancelled: actual cost limit exceeded',
  )
})

describe('expressions that are too complex do not compile', () => {
  const levels = (count: number) => Array.from({ length: count }, (_, at) => at)
  const compileError = (source: string): string => {
    try {
      compile(source, { variables })
    } catch (error) {
      if (error instanceof CompileError) return error.message
      throw error
    }
    return 'compiles'
  }

  test.each(['optMap(x, x)', 'optFlatMap(x, optional.of(x))'])('chains of %s', (macro) => {
    const chain = (length: number) => `optional.of(1)${`.${macro}`.repeat(length)}.hasValue()`
    expect(evaluate(chain(8))).toBe(true)
    expect(compileError(chain(100))).toContain('expression is too complex: more than 100000 parts')
  })

  test('types that double at every level', () => {
    const nested = (depth: number) => levels(depth).reduceRight((inner, at) => `[{x${at}: x${at}}].all(x${at + 1}, ${inner})`, 'true')
    expect(evaluate(`[1].all(x0, ${nested(5)})`)).toBe(true)
    expect(compileError(`[1].all(x0, ${nested(60)})`)).toContain('type is too complex: it is made of more than 1000 types')
    expect(compileError(`[[]].all(x0, ${nested(60)})`)).toContain('type is too complex: it is made of more than 1000 types')
  })

  test('a type that doubles from one variable to the next', () => {
    let type = int
    const compileNext = () => {
      for (const _ of levels(60)) type = compile('{v: v}', { variables: { v: type } }).type
    }
    expect(compileNext).toThrow(CompileError)
  })

  test('operations nested deeper than the stack', () => {
    expect(compileError(`1${' + 1'.repeat(40_000)}`)).toContain('ERROR: <input>:1:1: expression recursion limit exceeded\n')
  })
})

test('a message shows the first 100 problems and counts the others', () => {
  const source = `[${Array.from({ length: 10_000 }, (_, at) => `y${at}`).join(', ')}]`
  let message = ''
  try {
    compile(source, { variables })
  } catch (error) {
    message = (error as CompileError).message
  }
  expect(message.match(/^ERROR: .*/gm)).toHaveLength(100)
  expect(message).toContain("undeclared reference to 'y99' ")
  expect(message.split('\n').at(-1)).toBe('9900 more errors were truncated')
})
