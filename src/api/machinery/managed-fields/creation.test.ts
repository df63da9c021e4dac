import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../types.ts'
import { creationOf } from './creation.ts'
import { trackUpdate } from './update.ts'

const text = fc.constantFrom('', 'a', 'b')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const labels = fc.dictionary(fc.constantFrom('x', 'y', 'z'), text, { maxKeys: 2 })
const metadata = fc.record({
  name: text,
  namespace: maybe(text),
  labels: maybe(labels),
  finalizers: maybe(fc.array(text, { maxLength: 2 })),
})
const event = fc.record({
  metadata,
  involvedObject: fc.record({ name: maybe(text), fieldPath: maybe(text) }),
  message: maybe(text),
  count: maybe(fc.constantFrom(0, 1, 2)),
  source: maybe(fc.record({ component: maybe(text), host: maybe(text) })),
  firstTimestamp: maybe(fc.constantFrom(null, '2026-01-01T00:00:00Z')),
})
const container = fc.record({
  name: text,
  image: maybe(text),
  args: maybe(fc.array(text, { maxLength: 2 })),
  env: maybe(fc.array(fc.record({ name: text, value: maybe(text) }), { maxLength: 2 })),
  resources: maybe(fc.record({ requests: maybe(fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('0', '1'))) })),
})
const pod = fc.record({
  metadata,
  spec: maybe(
    fc.record({
      containers: fc.array(container, { maxLength: 2 }),
      securityContext: maybe(fc.constantFrom({}, { runAsUser: 0 }, { runAsUser: 1 })),
      nodeSelector: maybe(labels),
      tolerations: maybe(fc.array(fc.record({ key: text }), { maxLength: 1 })),
    }),
  ),
  status: maybe(fc.constantFrom({}, { phase: 'Pending' })),
})

describe('creationOf()', () => {
  it.each([
    ['core.Event', event],
    ['core.Pod', pod],
  ] as const)('gives for %s what no memory would give', (typeName, objects) => {
    fc.assert(
      fc.property(fc.array(objects as fc.Arbitrary<unknown>, { minLength: 1, maxLength: 8 }), (all) => {
        for (const one of all) {
          const object = JSON.parse(JSON.stringify(one)) as KubernetesObject
          // An update of an object of which nothing is there compares anew.
          const anew = trackUpdate({
            typeName,
            old: {
              metadata: {
                managedFields: [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:x': {} } }],
              },
            } as KubernetesObject,
            next: object,
            manager: 'm',
            apiVersion: 'v1',
            now: 'now',
          })?.find(({ manager }) => manager === 'm')?.fieldsV1
          expect(JSON.stringify(creationOf(typeName, object).owned)).toBe(JSON.stringify(anew ?? {}))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('finds out the fields of a spec once', () => {
    const spec = { containers: [{ name: 'c' }] }
    const fieldsOf = (name: string) => creationOf('core.Pod', { metadata: { name }, spec } as KubernetesObject).owned['f:spec']
    expect(fieldsOf('b')).toBe(fieldsOf('a'))
  })
})
