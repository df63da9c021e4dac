import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { structOf } from '../../api/machinery/schema/schema.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { PatchFormat } from './rest.ts'
import { input, openBench, options } from './testing/rest-bench.ts'

// Objects that are nearly right get further than noise: real fields, with values of any type.
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', 'a', 'x.example/y', '1', 'Always', '0', null, true, 0, -1, 1, 2 ** 53, 1e300, 80) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

function objectOf(type: string, depth: number): fc.Arbitrary<object> {
  const fields = structOf(type).fields.filter(({ name }) => name !== '$typeMeta')
  const model: Record<string, fc.Arbitrary<unknown>> = {}
  for (const { name, type: field } of fields) {
    const inner = field.kind === 'list' || field.kind === 'map' ? field.of : field
    const one =
      inner.kind === 'struct' && depth > 0 ? fc.oneof({ weight: 4, arbitrary: objectOf(inner.name, depth - 1) }, anything) : anything
    const value =
      field.kind === 'list'
        ? fc.array(one, { maxLength: 2 })
        : field.kind === 'map'
          ? fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor', 'b c'), one, { maxKeys: 2 })
          : one
    model[name] = fc.option(value, { nil: undefined, freq: depth > 1 ? 3 : 1 })
  }
  return fc.record(model, { requiredKeys: [] })
}

const stored = kinds.filter(({ verbs }) => verbs === undefined)
const inputOf = (kind: Kind) =>
  objectOf(kind.type, 4).map((object) => ({
    ...object,
    metadata: {
      ...('metadata' in object && typeof object.metadata === 'object' ? object.metadata : {}),
      name: 'a',
      namespace: kind.namespaced ? 'default' : '',
    },
  }))

const plain = (request: Promise<unknown>) =>
  request.catch((error: unknown) => {
    if (!isStatusError(error)) throw error
    expect(error.code).toBeGreaterThanOrEqual(400)
  })

describe('the verbs', () => {
  it.each(stored.map((kind) => [kind.type, kind] as const))('answer or refuse whatever %s they get', async (_, kind) => {
    const namespace = kind.namespaced ? 'default' : ''
    const formats: readonly PatchFormat[] = ['json', 'merge', 'strategic', 'apply']
    await fc.assert(
      fc.asyncProperty(inputOf(kind), inputOf(kind), fc.jsonValue(), fc.constantFrom(...formats), async (first, second, noise, format) => {
        const { rest } = await openBench()
        await plain(rest.create(kind, namespace, input(first), options))
        await plain(rest.update(kind, namespace, 'a', undefined, input(second), options))
        await plain(rest.update(kind, namespace, 'a', 'status', input(second), options))
        await plain(rest.patch(kind, namespace, 'a', undefined, format, input(second), options))
        await plain(rest.patch(kind, namespace, 'a', undefined, format, input(noise), options))
        await plain(rest.create(kind, namespace, input(noise), options))
        for (const { json: text, object } of rest.list(kind, '', { labelSelector: '!none' }).items)
          expect({ kind: kind.kind, ...JSON.parse(text), apiVersion: object.apiVersion }).toEqual(JSON.parse(JSON.stringify(object)))
        await plain(rest.delete(kind, namespace, 'a', options))
      }),
      { numRuns: 12 },
    )
  })
})
