import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../../api/types.ts'
import { orderMetadata, replaceRevision, serialize, serializeUnstored, splitAtRevision } from './serialization.ts'

const object = (metadata: object, more: object = {}): KubernetesObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: orderMetadata(metadata),
  ...more,
})
const textOf = (one: KubernetesObject, revision: number) => {
  const { head, tail } = serialize(one)
  return head + revision + tail
}

describe('serialise()', () => {
  it('puts the revision between the uid and the generation, and leaves the kind out', () => {
    const text = textOf(object({ labels: { a: 'b' }, generation: 3, uid: 'u', name: 'n', namespace: 's' }, { data: { k: 'v' } }), 7)
    expect(text).toBe(
      '{"metadata":{"name":"n","namespace":"s","uid":"u","resourceVersion":"7","generation":3,"labels":{"a":"b"}},"data":{"k":"v"}}',
    )
  })

  it('leaves out what is empty in metadata, and fields that are undefined', () => {
    expect(textOf(object({ name: 'n', labels: {}, finalizers: [] }, { data: undefined }), 2)).toBe(
      '{"metadata":{"name":"n","resourceVersion":"2"}}',
    )
  })

  it('finds its cut again whatever users write', () => {
    const hostile = fc.oneof(fc.string(), fc.constantFrom('"resourceVersion":"9"', '\\"resourceVersion":"', '","resourceVersion":"1'))
    fc.assert(
      fc.property(hostile, hostile, hostile, fc.integer({ min: 1 }), (name, namespace, value, revision) => {
        const text = textOf(object({ name, namespace, labels: { a: value } }, { data: { [value]: name } }), revision)
        const { head, tail } = splitAtRevision(text)
        expect(head + revision + tail).toBe(text)
        expect(JSON.parse(replaceRevision(text, 12)).metadata.resourceVersion).toBe('12')
        expect(JSON.parse(replaceRevision(text, revision))).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('serialiseUnstored()', () => {
  it.each([
    ['with fields on both sides', { name: 'n', generation: 1 }, '{"metadata":{"name":"n","generation":1}}'],
    ['with fields before only', { name: 'n' }, '{"metadata":{"name":"n"}}'],
    ['with fields after only', { labels: { a: 'b' } }, '{"metadata":{"labels":{"a":"b"}}}'],
    ['with none', {}, '{"metadata":{}}'],
  ])('takes the resourceVersion out %s', (_, metadata, text) => {
    expect(serializeUnstored(object(metadata), undefined)).toBe(text)
  })
})
