import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { openOnFiles } from './durable-store.ts'
import { framesStart } from './frames.ts'
import { inspectStore } from './recovery.ts'
import type { Store } from './store.ts'
import type { StoreFiles } from './store-files.ts'
import { draft } from './testing/draft.ts'
import { SimulatedDisk } from './testing/simulated-disk.ts'

const release = () => {}
const openOn = (disk: SimulatedDisk, journalBytes = 2 ** 26) =>
  openOnFiles(disk.files(), 'dir', { journalBytes, later: () => () => {} }, release)
const lines = (records: Iterable<{ key: string; revision: number; createRevision: number; value: string }>) =>
  [...records].map(({ key, revision, createRevision, value }) => `${key} ${revision} ${createRevision} ${value}`).sort()
const turns = async (count: number) => {
  for (; count > 0; count--) await new Promise<void>((resolve) => void setImmediate(resolve))
}

async function write(store: Store, start: number, end: number): Promise<void> {
  for (let at = start; at < end; at++) {
    const key = `pods/${at % 40}`
    const current = store.get(key)
    if (current !== undefined && at % 5 === 0) await store.remove(key, current.revision, draft('gone'))
    else await store.put(key, current?.revision ?? 0, draft(`object ${at} ${'é'.repeat(at % 90)}`))
  }
}

const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
afterAll(() => warn.mockRestore())

function readOnly(files: ReadonlyMap<string, Buffer>): StoreFiles {
  const file = (bytes: Buffer) => ({
    size: () => bytes.length,
    readSync: (into: Buffer, position: number) => bytes.copy(into, 0, position, position + into.length),
    close: async () => {},
  })
  return { list: () => [...files.keys()], open: async (name: string) => file(files.get(name)!) } as unknown as StoreFiles
}

interface Left {
  readonly files: ReadonlyMap<string, Buffer>
  readonly state: readonly string[]
  readonly revision: number
}

/** The files of a store with a snapshot and a journal that was closed or killed. */
async function leave(end: 'closed' | 'killed'): Promise<Left> {
  const disk = new SimulatedDisk(seededRandom(5))
  const store = await openOn(disk, 30_000)
  for (let at = 0; !disk.read().has('snapshot-00000002') || disk.read().has('journal-00000001'); at += 20) {
    await write(store, at, at + 20)
    await turns(20)
  }
  await write(store, 1000, 1040)
  const left = { state: lines(store.list('').records), revision: store.revision }
  if (end === 'closed') await store.close()
  else disk.kill()
  const files = disk.read()
  for (const name of files.keys()) if (name.endsWith('.new')) files.delete(name)
  return { ...left, files }
}

async function outcomeOf(files: ReadonlyMap<string, Buffer>, { state, revision }: Left): Promise<'refused' | 'same' | 'changed'> {
  const found = await inspectStore(readOnly(files)).catch(() => 'refused' as const)
  if (found === 'refused' || found.damages.length > 0) return 'refused'
  const isSame = found.revision === revision && JSON.stringify(lines(found.records.values())) === JSON.stringify(state)
  return isSame ? 'same' : 'changed'
}

describe.each(['closed', 'killed'] as const)('a store that was %s', (end) => {
  let left: Left
  beforeAll(async () => {
    left = await leave(end)
  })
  /** The end of the last frame of a file. */
  const usedBytes = (bytes: Buffer) => bytes.findLastIndex((byte) => byte !== 0) + 1

  it('is read back as it was', async () => {
    expect(left.files.size).toBe(3)
    expect(await outcomeOf(left.files, left)).toBe('same')
  })

  it('never returns data with a flipped bit', { timeout: 120_000 }, async () => {
    const outcomes = { refused: 0, same: 0, changed: 0 }
    const random = seededRandom(9)
    for (const [name, bytes] of left.files) {
      const used = usedBytes(bytes)
      // Every byte of the header and of the heads of the first and last frames; a sample of the rest and of the zeros behind it.
      const positions = new Set(Array.from({ length: 60 }, (_, at) => at))
      for (let at = 0; at < 40; at++) positions.add(Math.min(framesStart + at, bytes.length - 1)).add(used - 1 - at)
      for (let at = 0; at < 150; at++) positions.add(Math.floor(random.next() * used))
      for (let at = 0; at < 20; at++) positions.add(Math.floor(random.next() * bytes.length))
      for (const position of positions) {
        const flipped = Buffer.from(bytes)
        flipped[position]! ^= 1 << Math.floor(random.next() * 8)
        const outcome = await outcomeOf(new Map([...left.files, [name, flipped]]), left)
        outcomes[outcome]++
        expect([name, position, outcome]).not.toContain('changed')
      }
    }
    expect(outcomes.refused).toBeGreaterThan(300)
  })

  it('never returns data from a truncated file', async () => {
    const random = seededRandom(3)
    for (const [name, bytes] of left.files) {
      const used = usedBytes(bytes)
      const lengths = [0, 1, framesStart, used >> 1, used - 1, ...Array.from({ length: 40 }, () => Math.floor(random.next() * used))]
      for (const length of lengths) {
        const outcome = await outcomeOf(new Map([...left.files, [name, bytes.subarray(0, length)]]), left)
        // One of the two slots of the head is enough.
        expect([name, length, outcome]).toEqual([name, length, name === 'head' && length >= 32 ? 'same' : 'refused'])
      }
    }
  })

  it('detects a missing file', async () => {
    for (const name of left.files.keys()) {
      const files = new Map(left.files)
      files.delete(name)
      expect([name, await outcomeOf(files, left)]).toEqual([name, 'refused'])
    }
  })
})

describe('a journal that lost its end', () => {
  it('is refused when it lacks acknowledged writes, even if it ends between two groups', async () => {
    const left = await leave('closed')
    const name = 'journal-00000002'
    const bytes = Buffer.from(left.files.get(name)!)
    const mark = bytes.subarray(20, 24)
    const lastGroup = bytes.lastIndexOf(mark)
    bytes.fill(0, lastGroup)
    const disk = SimulatedDisk.of(new Map([...left.files, [name, bytes]]), seededRandom(1))
    await expect(openOn(disk)).rejects.toThrow(
      `Cannot open the store: file "dir/${name}" ends with revision ${left.revision - 1} where ${left.revision} was acknowledged; "rollcall store verify dir" reports what is affected, and "rollcall store repair --drop-damaged dir" drops it`,
    )
  })

  it('drops a torn group with a warning, and the next write overwrites it', async () => {
    const left = await leave('killed')
    const name = 'journal-00000002'
    const bytes = Buffer.from(left.files.get(name)!)
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1
    // The disk has only a later sector of the next group.
    bytes.fill(7, end - (end % 512) + 1024, end - (end % 512) + 1536)
    const torn = SimulatedDisk.of(new Map([...left.files, [name, bytes]]), seededRandom(1))
    const store = await openOn(torn)
    expect(warn.mock.calls.flat().join()).toContain('was torn by a crash before it was acknowledged, and is dropped')
    expect([store.revision, lines(store.list('').records)]).toEqual([left.revision, left.state])
    await store.put('next', 0, draft('next'))
    await store.close()
    warn.mockClear()
    const again = await openOn(torn)
    expect([again.revision, warn.mock.calls]).toEqual([left.revision + 1, []])
  })
})

describe('a disk that fails', () => {
  it('refuses writes while it is full, reports it, and accepts writes when there is room again', async () => {
    const disk = new SimulatedDisk(seededRandom(2))
    const store = await openOn(disk)
    await store.put('a', 0, draft('a'))
    disk.failure = { on: 'write', code: 'ENOSPC', after: 0 }
    await expect(store.put('b', 0, draft('b'))).rejects.toThrow('Cannot write "b": the store could not commit: ENOSPC: write failed')
    expect(store.health()).toEqual({ canWrite: false, reason: 'ENOSPC: write failed' })
    expect((await store.put('b', 0, draft('b'))).revision).toBe(3)
    expect(store.health()).toEqual({ canWrite: true })
    disk.crash()
    expect((await openOn(disk)).list('').records.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it.each([
    ['a small group, in place', 10],
    ['a large group, in a thread', 400_000],
  ])('accepts no writes after a failed sync: %s', async (_, length) => {
    const disk = new SimulatedDisk(seededRandom(2))
    const store = await openOn(disk)
    await store.put('a', 0, draft('a'))
    disk.failure = { on: 'sync', code: 'EIO', after: 0 }
    await expect(store.put('b', 0, draft('x'.repeat(length)))).rejects.toThrow('EIO: sync failed')
    await expect(store.put('c', 0, draft('c'))).rejects.toThrow('its content is not known; restart to read it back')
    expect(store.health()).toEqual({ canWrite: false, reason: expect.stringContaining('the disk failed (EIO: sync failed)') })
    expect(store.get('a')?.revision).toBe(2)
    await store.close()
    disk.kill()
    expect((await openOn(disk)).get('a')?.revision).toBe(2)
  })
})
