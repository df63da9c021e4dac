// Whatever can be decoded can be made fit to be stored, and stays what Go would write.
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { kinds } from '../kinds.ts'
import { fillDefaults } from '../machinery/kind.ts'
import { type FieldType, structOf } from '../machinery/schema/schema.ts'
import { checkCanonical, contextWith, created, decoded, defaulted, type Loose } from '../testing/prepared-objects.ts'

const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'None',
    'Always',
    'RollingUpdate',
    'OnDelete',
    'Indexed',
    'ClientIP',
    'LoadBalancer',
    'ExternalName',
    'Container',
  ),
  fc.constantFrom('10.0.0.1', '::FFFF:1.2.3.4', '__proto__', 'constructor', 'nginx:latest', 'a.b'),
  fc.string({ maxLength: 5 }),
)
const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: text,
  bool: fc.boolean(),
  int32: fc.integer({ min: -2, max: 5 }),
  int64: fc.integer({ min: -2, max: 5 }),
  float64: fc.integer(),
  bytes: fc.constantFrom('', 'YQ=='),
  Time: fc.constant('2026-01-01T00:00:00Z'),
  MicroTime: fc.constant('2026-01-01T00:00:00.000000Z'),
  Quantity: fc.constantFrom('0', '1', '-1', '1500u', '1n', '0.5', '1Gi', '1e3'),
  IntOrString: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('', '25%', 'web')),
  any: fc.jsonValue({ maxDepth: 1 }),
}

const deepest = 7

function anyValue(type: FieldType, depth: number): fc.Arbitrary<unknown> {
  if (type.kind === 'scalar') return scalars[type.scalar]!
  if (type.kind === 'list') return fc.array(anyValue(type.of, depth), { maxLength: 2 })
  if (type.kind === 'map')
    return fc.dictionary(fc.constantFrom('cpu', 'memory', 'a', '__proto__'), anyValue(type.of, depth), { maxKeys: 2 })
  return depth > deepest ? fc.constant({}) : anyStruct(type.name, depth + 1)
}

/** A few of the struct's fields: all of them would make every object as big as the API. */
function anyStruct(name: string, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const { fields } = structOf(name)
  if (fields.length === 0) return fc.constant({})
  return fc
    .uniqueArray(fc.constantFrom(...fields), { minLength: Math.min(1, fields.length), maxLength: 5 })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((field) => [field.name, fc.option(anyValue(field.type, depth), { freq: 12 })]))),
    )
}

describe.each(kinds.filter(({ verbs }) => verbs === undefined).map((kind) => [kind.kind, kind] as const))('any %s', (_, kind) => {
  it('can be defaulted, prepared, warned of, updated and given a status', () => {
    fc.assert(
      fc.property(anyStruct(kind.type, 0), anyStruct(kind.type, 0), (one, other) => {
        const named = (object: Loose) => ({ ...object, metadata: { name: 'x', ...object.metadata } })
        const context = contextWith()
        defaulted(kind, named(one), context)
        const current = created(kind, named(one), context)
        kind.strategy.warnings?.(current, undefined, context)
        for (const prepare of ['prepareForUpdate', 'prepareForStatusUpdate'] as const) {
          const next = decoded(kind, named(other))
          fillDefaults(kind.strategy, next, context)
          kind.strategy[prepare]?.(next, current, context)
          checkCanonical(kind, next)
          kind.strategy.generationChanges?.(next, current)
          kind.strategy.warnings?.(next, current, context)
        }
      }),
      { numRuns: 50 },
    )
  })
})
