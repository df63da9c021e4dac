import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../kinds.ts'
import type { KubernetesObject, ManagedFieldsEntry } from '../types.ts'
import { compareObjects } from './compare.ts'
import { emptySet, type FieldSet, intersection, isEmptySet, isSameSet, union } from './field-set.ts'
import { withoutUnowned } from './of-object.ts'
import { creationOf, trackUpdate } from './update.ts'

type Json = Record<string, unknown>

const time = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
const configMap = (data: Json, metadata: Json = {}) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, data }) as KubernetesObject

function write(
  typeName: string,
  old: KubernetesObject | undefined,
  next: KubernetesObject,
  manager: string,
  second: number,
  subresource = '',
) {
  const { resetFields } = kinds.find(({ type }) => type === typeName)?.strategy ?? {}
  const managedFields = trackUpdate({ typeName, old, next, manager, apiVersion: 'v1', subresource, now: time(second), resetFields })
  return { ...next, metadata: { ...next.metadata, managedFields: managedFields! } } as KubernetesObject
}
const writeMap = (old: KubernetesObject | undefined, data: Json, manager: string, second: number) =>
  write('core.ConfigMap', old, configMap(data), manager, second)
const owned = (object: KubernetesObject) =>
  (object.metadata?.managedFields ?? []).map(({ manager, time: at, fieldsV1 }) => [manager, at, fieldsV1])

describe('trackUpdate()', () => {
  it('gives a new object to its creator', () => {
    expect(writeMap(undefined, { a: '1' }, 'one', 1).metadata?.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Update',
        apiVersion: 'v1',
        time: time(1),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ])
  })

  it('moves changed fields to the writer', () => {
    const first = writeMap(undefined, { a: '1', b: '2' }, 'one', 1)
    expect(owned(writeMap(first, { a: '5', b: '2', c: '3' }, 'two', 2))).toEqual([
      ['one', time(1), { 'f:data': { '.': {}, 'f:b': {} } }],
      ['two', time(2), { 'f:data': { 'f:a': {}, 'f:c': {} } }],
    ])
  })

  it('adds to what the same writer owns, and gives it a new time', () => {
    const first = writeMap(undefined, { a: '1' }, 'one', 1)
    expect(owned(writeMap(first, { a: '1', b: '2' }, 'one', 2))).toEqual([
      ['one', time(2), { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }],
    ])
  })

  it('removes deleted fields from their owner, and gives them to no other', () => {
    const first = writeMap(undefined, { a: '1', b: '2' }, 'one', 1)
    expect(owned(writeMap(first, { b: '2' }, 'two', 2))).toEqual([['one', time(1), { 'f:data': { '.': {}, 'f:b': {} } }]])
  })

  it('drops an owner that has nothing left', () => {
    const first = writeMap(undefined, { a: '1' }, 'one', 1)
    const labelled = write('core.ConfigMap', first, configMap({ a: '1' }, { labels: { l: '' } }), 'two', 2)
    const emptied = write('core.ConfigMap', labelled, configMap({}, { labels: { l: '' } }), 'three', 3)
    expect(owned(emptied)).toEqual([['two', time(2), { 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } }]])
  })

  it('leaves the very entries of before when nothing changes', () => {
    const first = writeMap(undefined, { a: '1' }, 'one', 1)
    expect(writeMap(first, { a: '1' }, 'two', 2).metadata?.managedFields).toBe(first.metadata?.managedFields)
  })

  it('leaves them also when the request sends a copy of them', () => {
    const first = writeMap(undefined, { a: '1' }, 'one', 1)
    const copy = JSON.parse(JSON.stringify(first)) as KubernetesObject
    expect(write('core.ConfigMap', first, copy, 'two', 2).metadata?.managedFields).toBe(first.metadata?.managedFields)
  })

  it('shares the entries that stay', () => {
    const first = writeMap(undefined, { a: '1' }, 'one', 1)
    const second = writeMap(first, { a: '1', b: '2' }, 'two', 2)
    expect(second.metadata?.managedFields?.[0]).toBe(first.metadata?.managedFields?.[0])
  })

  it('calls a writer without a name unknown', () => {
    expect(owned(writeMap(undefined, { a: '1' }, '', 1))[0]?.[0]).toBe('unknown')
  })

  it('does not track an object that has no owners', () => {
    expect(writeMap(configMap({ a: '1' }), { a: '2' }, 'one', 1).metadata?.managedFields).toBeUndefined()
  })

  const asked: [name: string, managedFields: readonly unknown[] | undefined, expected: string[]][] = [
    ['forgets all owners for an empty list', [], []],
    ['forgets all owners for one empty entry', [{}], []],
    ['keeps them when none are sent', undefined, ['one', 'two']],
    ['keeps them when they cannot be read', [{ manager: 'x', operation: 'Nothing' }], ['one', 'two']],
    [
      'keeps them when their fields cannot be read',
      [{ manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { nonsense: {} } }],
      ['one', 'two'],
    ],
    [
      'takes valid ones from the request',
      [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { 'f:a': {} } } }],
      ['x', 'two'],
    ],
  ]
  it.each(asked)('%s', (_, managedFields, expected) => {
    const first = writeMap(undefined, { a: '1' }, 'one', 1)
    const next = configMap({ a: '1', b: '2' }, managedFields === undefined ? {} : { managedFields })
    expect(owned(write('core.ConfigMap', first, next, 'two', 2)).map(([manager]) => manager)).toEqual(expected)
  })

  describe('of a subresource', () => {
    const pod = (spec: Json, status: Json, metadata: Json = {}) =>
      ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', ...metadata }, spec, status }) as KubernetesObject
    const created = write('core.Pod', undefined, pod({ nodeName: 'n' }, { phase: 'Pending' }), 'one', 1)

    it('keeps the status from writers of the object', () => {
      expect(owned(created)).toEqual([['one', time(1), { 'f:spec': { 'f:nodeName': {} } }]])
    })

    it('keeps the object from writers of the status', () => {
      const next = pod({ nodeName: 'm' }, { phase: 'Running' }, { ownerReferences: [{ uid: 'u' }] })
      const after = write('core.Pod', created, next, 'one', 2, 'status')
      expect(after.metadata?.managedFields).toEqual([
        created.metadata?.managedFields?.[0],
        expect.objectContaining({ manager: 'one', subresource: 'status', fieldsV1: { 'f:status': { 'f:phase': {} } } }),
      ])
    })

    it('does not let it change the owners by hand', () => {
      const next = pod({ nodeName: 'n' }, { phase: 'Running' }, { managedFields: [] })
      expect(owned(write('core.Pod', created, next, 'one', 2, 'status'))).toHaveLength(2)
    })
  })

  it('merges the oldest of more than ten writers', () => {
    let object = writeMap(undefined, { k0: '0' }, 'writer-0', 0)
    const data: Json = { k0: '0' }
    for (let at = 1; at <= 12; at++) {
      data[`k${at}`] = String(at)
      object = writeMap(object, { ...data }, `writer-${at}`, at)
    }
    const entries = object.metadata?.managedFields as ManagedFieldsEntry[]
    expect(entries).toHaveLength(10)
    expect(entries[0]).toMatchObject({
      manager: 'ancient-changes',
      time: time(3),
      fieldsV1: { 'f:data': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } },
    })
    expect(entries.map(({ time: at }) => at)).toEqual([...entries.map(({ time: at }) => at)].sort())
  })

  it('has one entry for old changes, whatever else is as old', () => {
    const data: Json = {}
    let object: KubernetesObject | undefined
    for (let at = 0; at < 15; at++) {
      data[`k${at}`] = ''
      object = writeMap(object, { ...data }, at % 2 === 0 ? `a${at}` : `z${at}`, 1)
    }
    const entries = object?.metadata?.managedFields ?? []
    expect(entries).toHaveLength(10)
    expect(entries.filter(({ manager }) => manager === 'ancient-changes')).toHaveLength(1)
    const together = entries.reduce<FieldSet>((all, { fieldsV1 }) => union(all, fieldsV1 as FieldSet), emptySet)
    expect(together).toEqual({ 'f:data': { '.': {}, ...Object.fromEntries(Object.keys(data).map((key) => [`f:${key}`, {}])) } })
  })

  it('orders appliers before writers, then by time and name', () => {
    const entry = (manager: string, operation: string, second: number, field: string) => ({
      manager,
      operation,
      apiVersion: 'v1',
      time: time(second),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:${field}`]: {} } },
    })
    const managedFields = [
      entry('c', 'Update', 1, 'c'),
      entry('b', 'Update', 1, 'b'),
      entry('z', 'Apply', 9, 'z'),
      entry('y', 'Apply', 2, 'y'),
    ]
    const object = configMap({ b: '', c: '', y: '', z: '' })
    expect(
      owned(write('core.ConfigMap', object, { ...object, metadata: { name: 'a', managedFields } } as KubernetesObject, 'x', 9)).map(
        ([manager]) => manager,
      ),
    ).toEqual(['y', 'z', 'b', 'c'])
  })

  it('gives every field of an object to exactly one writer', () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'))
    const writes = fc.array(fc.tuple(data, fc.constantFrom('one', 'two', 'three')), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(writes, (all) => {
        // A label keeps the object from losing all its owners, after which no manager would be tracked.
        const labelled = (values: Json) => configMap(values, { labels: { kept: '' } })
        let object = write('core.ConfigMap', undefined, labelled({}), 'zero', 0)
        for (const [at, [values, manager]] of all.entries()) object = write('core.ConfigMap', object, labelled(values), manager, at + 1)
        const sets = (object.metadata?.managedFields ?? []).map(({ fieldsV1 }) => fieldsV1 as FieldSet)
        const together = sets.reduce((one, other) => {
          expect(isEmptySet(intersection(one, other))).toBe(true)
          return union(one, other)
        }, emptySet)
        expect(isSameSet(together, withoutUnowned(compareObjects('core.ConfigMap', {}, object).added))).toBe(true)
      }),
    )
  })
})

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
