import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeChanges, decodeHeader, encodeHeader, findGroups, GroupEncoder, groupsStart, type JournalChange } from './journal-format.ts'

const header = { generation: 7, mark: 0x8badf00d, seed: 0x12345678 }

function put(key: string, revision: number, text = `{"key":"${key}"}`): JournalChange {
  return { type: 'put', record: { key, revision, createRevision: revision, text, memo: undefined } }
}

/** A file, and where each of its groups ends. */
function fileOf(groups: readonly (readonly JournalChange[])[], { rest = 0, of = header } = {}) {
  const encoder = new GroupEncoder()
  const start = Buffer.alloc(groupsStart)
  encodeHeader(of).copy(start)
  const parts = [start]
  const ends = [groupsStart]
  for (const changes of groups) {
    const bytes = Buffer.from(encoder.encode(of, changes))
    parts.push(bytes)
    ends.push(ends.at(-1)! + bytes.length)
  }
  return { bytes: Buffer.concat([...parts, Buffer.alloc(rest)]), ends }
}

const three = [[put('a', 2), put('b', 3)], [{ ...put('a', 4), type: 'delete' as const }], [put('c', 5), put('d', 6, '')]]

describe('decodeHeader()', () => {
  it('reads what was written', () => {
    expect(decodeHeader(fileOf([]).bytes)).toEqual(header)
  })

  it.each([
    ['an empty file', Buffer.alloc(0), 'unused'],
    ['zeros', Buffer.alloc(10_000), 'unused'],
    ['zeros before something', Buffer.concat([Buffer.alloc(5000), Buffer.from('x')]), 'damaged'],
    ['something else', Buffer.from('something else, and rather long'), 'damaged'],
    ['a part of a header', encodeHeader(header).subarray(0, 20), 'damaged'],
  ])('takes %s for what it is', (_name, bytes, expected) => {
    expect(decodeHeader(bytes)).toBe(expected)
  })

  it('notices a change of any byte', () => {
    for (let i = 0; i < 28; i++) {
      const bytes = encodeHeader(header)
      bytes[i]! ^= 1
      expect(decodeHeader(bytes)).toBe('damaged')
    }
  })
})

describe('findGroups()', () => {
  it('finds any changes as they were', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 })
    const change = fc.record({ type: fc.constantFrom('put' as const, 'delete' as const), key: text, text, createRevision: fc.nat() })
    const groups = fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { maxLength: 5 })
    fc.assert(
      fc.property(groups, fc.integer({ min: 2, max: 2 ** 50 }), fc.nat(3000), (drafts, first, rest) => {
        let revision = first
        const written = drafts.map((group) =>
          group.map(({ type, key, text, createRevision }): JournalChange => {
            return { type, record: { key, revision: revision++, createRevision, text: type === 'put' ? text : '', memo: undefined } }
          }),
        )
        const { bytes, ends } = fileOf(written, { rest })
        const { groups, end, isDamaged } = findGroups(bytes, header)
        expect({ end, isDamaged }).toEqual({ end: ends.at(-1), isDamaged: false })
        expect(groups.map((group) => decodeChanges(bytes, group))).toEqual(written)
      }),
    )
  })

  it('takes a group that is longer than the room that is kept', () => {
    const { bytes } = fileOf([[put('a', 2, 'é'.repeat(2_000_000))], [put('b', 3)]])
    expect(findGroups(bytes, header).groups).toHaveLength(2)
  })

  it.each(['cut off', 'ending in zeros'])('finds the whole groups of a file %s anywhere', (how) => {
    const { bytes, ends } = fileOf(three, { rest: 100 })
    for (let length = groupsStart; length < bytes.length; length++) {
      const cut =
        how === 'cut off' ? bytes.subarray(0, length) : Buffer.concat([bytes.subarray(0, length), Buffer.alloc(bytes.length - length)])
      const whole = ends.filter((end) => end <= length).length - 1
      const found = findGroups(cut, header)
      // A text that ends in zeros is the same when they are cut off; there is none here.
      expect([length, found.groups.length, found.isDamaged]).toEqual([length, whole, false])
    }
  })

  it('tells damage with whole groups behind it from a torn end, whichever byte it is', () => {
    const { bytes, ends } = fileOf(three, { rest: 100 })
    for (let i = groupsStart; i < ends.at(-1)!; i++) {
      const damaged = Buffer.from(bytes)
      damaged[i]! ^= 0x10
      const hit = ends.findIndex((end) => i < end) - 1
      const { groups, isDamaged } = findGroups(damaged, header)
      expect([i, groups.length, isDamaged]).toEqual([i, hit, hit < three.length - 1])
    }
  })

  it('does not take what is left of an earlier generation for groups', () => {
    const old = fileOf([...three, [put('e', 7)], [put('f', 8)]], { of: { ...header, generation: 5, mark: 1, seed: 2 } }).bytes
    const { bytes, ends } = fileOf([[put('g', 9)]])
    bytes.copy(old)
    expect(findGroups(old, header)).toMatchObject({ groups: [{ firstRevision: 9 }], end: ends[1], isDamaged: false })
    // Not even where a group of then begins just behind the last one of now, or mark and seed were guessed.
    const same = fileOf(three).bytes
    fileOf([[put('a', 9), put('b', 10)]]).bytes.copy(same)
    expect(findGroups(same, header)).toMatchObject({ groups: [{ firstRevision: 9 }], isDamaged: false })
  })
})
