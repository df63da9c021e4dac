import { describe, expect, it } from 'vitest'
import { WatchLines, withoutManagedFields } from './http-watch.ts'

const fields = [
  { manager: 'kubelet', fieldsV1: { 'f:status': { 'k:{"type":"Ready"}': { '.': {}, 'f:list]"[': ['\\', '"]', '[['] } } } },
  { manager: 'a"b\\', fieldsV1: {} },
]

describe('withoutManagedFields()', () => {
  it.each([
    ['at the end', { name: 'a', managedFields: fields }, { name: 'a' }],
    ['in the middle', { name: 'a', managedFields: fields, uid: 'x' }, { name: 'a', uid: 'x' }],
    ['at the beginning', { managedFields: fields, name: 'a' }, { name: 'a' }],
    ['alone', { managedFields: fields }, {}],
    ['empty', { name: 'a', managedFields: [] }, { name: 'a' }],
    ['absent', { name: 'a' }, { name: 'a' }],
    ['named in a string', { annotations: { x: '{"managedFields":[1]}' } }, { annotations: { x: '{"managedFields":[1]}' } }],
  ])('drops the list %s', (_name, metadata, expected) => {
    const event = (content: object) => ({ type: 'ADDED', object: { metadata: content, spec: { a: ['"', '\\'] } } })
    expect(JSON.parse(withoutManagedFields(JSON.stringify(event(metadata))))).toEqual(event(expected))
  })

  it('leaves JSON alone that ends too early', () => {
    expect(withoutManagedFields('{"managedFields":[{"a":"')).toBe('{"managedFields":[{"a":"')
  })
})

describe('WatchLines', () => {
  const line = `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'a', managedFields: fields } } })}\n`

  it('drops managedFields where they are not read', () => {
    expect(new WatchLines({ omitsManagedFields: true }).read(line).events).toMatchObject([{ object: { metadata: { name: 'a' } } }])
    expect(new WatchLines({ omitsManagedFields: true }).read(line).events[0]?.object.metadata).not.toHaveProperty('managedFields')
    expect(new WatchLines().read(line).events[0]?.object.metadata).toHaveProperty('managedFields')
  })
})
