import { describe, expect, it } from 'vitest'
import { WatchLines } from './http-watch.ts'

const fields = [
  { manager: 'kubelet', fieldsV1: { 'f:status': { 'k:{"type":"Ready"}': { '.': {}, 'f:list]"[': ['\\', '"]', '[['] } } } },
  { manager: 'a"b\\', fieldsV1: {} },
]

type Event = { readonly type: string; readonly object: object }

const eventOf = (metadata: object, rest: object = { spec: { a: ['"', '\\', 'ä'] }, status: { phase: 'läuft' } }): Event => ({
  type: 'ADDED',
  object: { metadata, ...rest },
})

/** The events of a stream that arrives in pieces of that size. */
function readInPieces(text: string, size: number, omitsManagedFields: boolean) {
  const lines = new WatchLines({ omitsManagedFields })
  const bytes = Buffer.from(text)
  const events: unknown[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const read = lines.read(Buffer.from(bytes.subarray(at, at + size)))
    if (read.error !== undefined) throw read.error
    events.push(...read.events)
  }
  return events
}

const readOne = (event: Event, omitsManagedFields = true) => readInPieces(`${JSON.stringify(event)}\n`, 1_000_000, omitsManagedFields)[0]

describe('WatchLines', () => {
  it.each([
    ['at the end', { name: 'a', managedFields: fields }, { name: 'a' }],
    ['in the middle', { name: 'a', managedFields: fields, uid: 'x' }, { name: 'a', uid: 'x' }],
    ['at the beginning', { managedFields: fields, name: 'a' }, { name: 'a' }],
    ['alone', { managedFields: fields }, {}],
    ['empty', { name: 'a', managedFields: [] }, { name: 'a' }],
    ['absent', { name: 'a' }, { name: 'a' }],
    ['named in a string', { annotations: { x: '{"managedFields":[1]}' } }, { annotations: { x: '{"managedFields":[1]}' } }],
  ])('drops managedFields %s where they are not read', (_name, metadata, expected) => {
    expect(readOne(eventOf(metadata))).toEqual(eventOf(expected))
    expect(readOne(eventOf(metadata), false)).toEqual(eventOf(metadata))
  })

  it('reads a stream however it is split', () => {
    const events = [
      eventOf({ name: 'ä', managedFields: fields }),
      eventOf({ name: 'long', annotations: { x: 'ö'.repeat(400_000) } }),
      eventOf({ name: 'c' }),
    ]
    const text = `${events.map((event) => JSON.stringify(event)).join('\n \r\n\n')}\n`
    const expected = [eventOf({ name: 'ä' }), ...events.slice(1)]
    for (const size of [7, 1000, 65_536, 10_000_000]) expect(readInPieces(text, size, true)).toEqual(expected)
  })

  it('returns the events before one that it cannot read', () => {
    const { events, error } = new WatchLines({ omitsManagedFields: true }).read(
      Buffer.from(`${JSON.stringify(eventOf({ name: 'a' }))}\n{"managedFields":[{"a":"\n`),
    )
    expect(events).toHaveLength(1)
    expect(error?.message).toMatch(/^Cannot read a watch event: /)
  })

  it('ends with the Status of an ERROR event', () => {
    const { error } = new WatchLines().read(Buffer.from('{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n'))
    expect(error).toMatchObject({ status: { code: 410 } })
  })

  it('gives up a line that never ends', () => {
    const lines = new WatchLines()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    expect(() => {
      for (let index = 0; index < 65; index++) lines.read(chunk)
    }).toThrow('Cannot read a watch event: it is larger than 67108864 bytes')
  })
})
