// The decisions were recorded from the validation of Kubernetes v1.36.4: for a rule its estimated cost or what is wrong with it, for a schema
// its errors, in alphabetical order.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CompileError, compile, estimateCost, InstantiationError } from '../cel/cel.ts'
import { fieldErrorMessage } from '../field-error.ts'
import type { JsonSchema } from './definition.ts'
import { maxOccurrences, sizedType } from './rule-costs.ts'
import { ruleType } from './rule-types.ts'
import { validateSchema } from './schema-rules.ts'

const recorded = <T>(name: string): readonly T[] => JSON.parse(readFileSync(new URL(`./testing/${name}`, import.meta.url), 'utf8')) as T[]

interface RecordedRules {
  readonly schema: JsonSchema
  readonly occurrences: number
  readonly rules: readonly (readonly [rule: string, costOrProblem: number | string])[]
}

function costOrProblem(schema: JsonSchema, rule: string): number | string {
  const type = ruleType(schema)!
  try {
    const program = compile(rule, { variables: { self: type, oldSelf: type } })
    if (program.type.kind !== 'bool') return 'cel expression must evaluate to a bool'
    return estimateCost(program.expression, sizedType(schema, false)).max
  } catch (error) {
    if (error instanceof InstantiationError) return `program instantiation failed: ${error.message}`
    if (error instanceof CompileError) return `compilation failed: ${error.message}`
    throw error
  }
}

describe.each(recorded<RecordedRules>('recorded-rules.json').map((one, at) => [at, one] as const))(
  'schema %i',
  (_at, { schema, ...wanted }) => {
    test('occurs as often as Kubernetes says', () => expect(maxOccurrences(schema, false)).toBe(wanted.occurrences))

    test.each(wanted.rules)('%s', (rule, expected) => {
      const found = costOrProblem(schema, rule)
      // Costs beyond 2^53 are not exact, and far above the limit.
      if (typeof expected === 'number') expect((found as number) / expected || 1).toBeCloseTo(1, 9)
      else expect(found).toBe(expected)
    })
  },
)

test.each(
  recorded<{ readonly schema: JsonSchema; readonly errors: readonly string[] }>('recorded-definitions.json').map(
    (one, at) => [at, one] as const,
  ),
)('definition %i', (_at, { schema, errors }) => {
  expect(validateSchema(schema, 'schema').map(fieldErrorMessage).sort()).toEqual(errors)
})

const limitedList = (maxItems: number, rule: string): JsonSchema => ({
  type: 'object',
  properties: { list: { type: 'array', maxItems, items: { type: 'string', 'x-kubernetes-validations': [{ rule }] } } },
})

test('names how far a rule is above the limit', () => {
  const advice = '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)'
  const rule = 'self.contains("a")'
  const messages = (maxItems: number) => validateSchema(limitedList(maxItems, rule), 'schema').map(({ detail }) => detail)
  expect(messages(31)).toEqual([])
  expect(messages(32)).toEqual([`estimated rule cost exceeds budget by factor of 1.006637x ${advice}`])
  expect(messages(64)).toEqual([`estimated rule cost exceeds budget by factor of 2.0x ${advice}`])
  expect(messages(100_000)).toEqual([
    `estimated rule cost exceeds budget by factor of more than 100x ${advice}`,
    'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
    `x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${advice}`,
  ])
})

test('computes the smallest size of a schema once, however often it is used', () => {
  let schema: JsonSchema = { type: 'string' }
  for (let level = 0; level < 60; level++) schema = { type: 'object', required: ['a', 'b'], properties: { a: schema, b: schema } }
  expect(maxOccurrences(schema, false)).toBe(0)
  const list: JsonSchema = { type: 'array', items: schema }
  expect(sizedType(list, false).maxElements).toBe(0)
  expect(sizedType(list, false)).toBe(sizedType(list, false))
  const small: JsonSchema = { type: 'object' }
  expect(sizedType(small, true)).not.toBe(sizedType(small, false))
})
