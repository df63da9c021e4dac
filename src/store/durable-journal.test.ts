import fs from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { realClock } from '../base/clock.ts'
import { draft } from './contract.ts'
import { Database } from './database.ts'
import type { CheckpointOptions } from './durable-journal.ts'
import { decodeHeader, findGroups, type JournalHeader } from './journal-format.ts'
import { openLmdbStore } from './lmdb.ts'
import { CommitError, type Store } from './store.ts'

const root = await mkdtemp(join(tmpdir(), 'rollcall-journal-'))
afterAll(() => rm(root, { recursive: true }))

let directories = 0
const newDirectory = () => join(root, `store-${++directories}`)

const stores = new Set<Store>()
async function openStore(path: string, checkpoint?: Partial<CheckpointOptions>): Promise<Store> {
  const store = await openLmdbStore({ path, checkpoint })
  stores.add(store)
  return store
}
async function close(store: Store): Promise<void> {
  stores.delete(store)
  await store.close()
}
afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all([...stores].map(close))
})

/** What a process that is killed now leaves. */
async function leftBy(path: string): Promise<string> {
  const copy = newDirectory()
  await cp(path, copy, { recursive: true })
  return copy
}

const contentOf = (store: Store) => [
  store.revision,
  ...store.list('').records.map(({ key, revision, text }) => `${key} ${revision} ${text}`),
]

async function contentAt(path: string): Promise<unknown[]> {
  const store = await openStore(path)
  const content = contentOf(store)
  await close(store)
  return content
}

async function journalOf(path: string, name = 'journal-1') {
  const bytes = await readFile(join(path, name))
  const { groups } = findGroups(bytes, decodeHeader(bytes) as JournalHeader)
  return { bytes, groups }
}

const keysIn = (store: Store) => store.list('').records.map(({ key }) => key)
const revisionOf = (store: Store, key: string) => store.get(key)?.revision ?? 0
const pause = (ms: number) => new Promise<void>((resolve) => realClock.after(ms, resolve))

describe('the journal', () => {
  it('has what the database has not, until the store is closed', async () => {
    const path = newDirectory()
    const store = await openStore(path)
    await store.put('a', 0, draft('é😀'))
    await store.put('b', 0, draft('b'))
    await store.remove('a', 2, draft('a'))
    await store.put('c', 0, draft('c'))
    const expected = contentOf(store)
    const killed = await leftBy(path)
    expect((await new Database(killed, killed).read()).revision).toBe(1)
    expect(await contentAt(killed)).toEqual(expected)
    await close(store)
    expect((await readdir(path)).filter((name) => name.startsWith('journal'))).toEqual([])
    expect((await new Database(path, path).read()).revision).toBe(5)
    expect(await contentAt(path)).toEqual(expected)
  })

  it('goes on where a killed process left it, again and again', async () => {
    let path = newDirectory()
    for (let round = 0; round < 5; round++) {
      const store = await openStore(path)
      expect(store.revision).toBe(1 + 2 * round)
      await store.put(`key-${round}`, 0, draft('k'))
      await store.put('key', revisionOf(store, 'key'), draft('k'.repeat(round)))
      path = await leftBy(path)
      await close(store)
    }
    const store = await openStore(path)
    expect(keysIn(store)).toEqual(['key', 'key-0', 'key-1', 'key-2', 'key-3', 'key-4'])
  })

  it('has exactly the whole groups when its last ones are cut anywhere', { timeout: 60_000 }, async () => {
    const path = newDirectory()
    const store = await openStore(path)
    const states: unknown[][] = [contentOf(store)]
    for (const [key, text] of [
      ['a', '1'],
      ['b', '2'],
      ['a', ''],
      ['c', '4'],
    ] as const) {
      await store.put(key, revisionOf(store, key), { head: text, tail: '' })
      states.push(contentOf(store))
    }
    const { bytes, groups } = await journalOf(path)
    const killed = await leftBy(path)
    const names = ['data.mdb', 'journal-0']
    const ends = groups.map(({ end }) => end)
    for (let length = ends[1]!; length <= ends[3]!; length++) {
      const cut = newDirectory()
      await mkdir(cut)
      for (const name of names) await cp(join(killed, name), join(cut, name))
      // Every other time as a file that was made long enough before.
      await writeFile(join(cut, 'journal-1'), bytes.subarray(0, length))
      if (length % 2 === 0) await truncate(join(cut, 'journal-1'), bytes.length)
      const whole = ends.filter((end) => end <= length).length
      const again = await openStore(cut)
      expect([length, ...contentOf(again)]).toEqual([length, ...states[whole]!])
      // What is torn is overwritten, and the next start finds that instead.
      await again.put('next', 0, draft('n'))
      const expected = contentOf(again)
      const left = await leftBy(cut)
      await close(again)
      if (length % 5 === 0) expect(await contentAt(left)).toEqual(expected)
    }
  })

  it('is refused when it is damaged before its end, and says what to do', async () => {
    const path = newDirectory()
    const store = await openStore(path)
    await store.put('first', 0, draft('1'))
    await close(store)
    const again = await openStore(path)
    for (let i = 0; i < 3; i++) await again.put(`key-${i}`, 0, draft('k'))
    const { bytes, groups } = await journalOf(path)
    const damaged = await leftBy(path)
    const file = join(damaged, 'journal-1')
    const advice = 'restore the directory from a copy, or move its journal files away to go on from revision 2 without what came later'
    bytes[groups[1]!.start + 30]! ^= 1
    await writeFile(file, bytes)
    const message = `Cannot open the store: file "${file}" is damaged at byte ${groups[1]!.start}, with whole writes behind it; ${advice}`
    for (let tries = 0; tries < 2; tries++) await expect(openStore(damaged)).rejects.toThrow(message)
    bytes[3]! ^= 1
    await writeFile(file, bytes)
    await expect(openStore(damaged)).rejects.toThrow(`file "${file}" is no journal, or damaged at its start; ${advice}`)
    for (const name of ['journal-0', 'journal-1']) await rm(join(damaged, name))
    expect(keysIn(await openStore(damaged))).toEqual(['first'])
  })

  it('is refused when a part of it is missing', async () => {
    const path = newDirectory()
    const stages: string[] = []
    const store = await openStore(path, {
      journalBytes: 5000,
      onStage: async (stage) => {
        if (stage === 'begun') stages.push(await leftBy(path))
      },
    })
    for (let i = 0; stages.length < 2; i++) await store.put(`key-${i}`, 0, draft('x'.repeat(500)))
    const killed = stages[1]!
    const { groups } = await journalOf(killed, 'journal-0')
    await truncate(join(killed, 'journal-0'), groups.at(-1)!.start)
    await rm(join(killed, 'data.mdb'))
    await expect(openStore(killed)).rejects.toThrow(/ begins after revision \d+, and 2 is missing; restore the directory/)
  })
})

describe('a checkpoint', () => {
  it('loses nothing, whenever the process is killed', async () => {
    const path = newDirectory()
    const left: { stage: string; copy: string; expected: unknown[] }[] = []
    const note = async (stage: string) => {
      const expected = contentOf(store)
      left.push({ stage, copy: await leftBy(path), expected })
    }
    const store = await openStore(path, {
      journalBytes: 20_000,
      idleMs: 60_000,
      onStage: (stage) => {
        turn = (async () => {
          await writing
          await note(stage)
          await store.put(`during-${stage}`, revisionOf(store, `during-${stage}`), draft('d'))
          await note(`a write after ${stage}`)
          turn = undefined
        })()
        return turn
      },
    })
    /** Nobody else writes while a copy is made. */
    let turn: Promise<void> | undefined
    let writing: Promise<unknown> | undefined
    for (let i = 0; i < 120; i++) {
      while (turn !== undefined) await turn
      const key = `key-${i % 17}`
      const current = revisionOf(store, key)
      const isRemoval = i % 5 === 4 && current > 0
      writing = isRemoval ? store.remove(key, current, draft('gone')) : store.put(key, current, draft('x'.repeat(1000)))
      await writing
    }
    await vi.waitFor(() => expect(left.length % 4).toBe(0))
    expect(left.length).toBeGreaterThanOrEqual(8)
    for (const { stage, copy, expected } of left) {
      expect([stage, ...(await contentAt(copy))]).toEqual([stage, ...expected])
      // And once more, from what this start has made of it.
      expect(await contentAt(copy)).toEqual(expected)
    }
  })

  it('can be killed between its transactions', async () => {
    const path = newDirectory()
    const store = await openStore(path)
    for (let i = 0; i < 700; i++) void store.put(`key-${i}`, 0, draft(`${i}`))
    await store.put('key-0', 2, draft('again'))
    await store.remove('key-1', 3, draft('gone'))
    const expected = contentOf(store)
    const changes = new Map(store.list('').records.map((record) => [record.key, record]))
    const killed = await leftBy(path)
    let transactions = 0
    expect(await new Database(killed, killed).write(changes, store.revision, () => ++transactions > 1)).toBe(false)
    expect((await new Database(killed, killed).read()).records.length).toBeGreaterThan(0)
    const moved = await leftBy(killed)
    expect(await contentAt(killed)).toEqual(expected)
    // Without the journal no revision is given twice.
    for (const name of ['journal-0', 'journal-1']) await rm(join(moved, name))
    const salvaged = await openStore(moved)
    expect(Math.max(...salvaged.list('').records.map(({ revision }) => revision))).toBe(salvaged.revision)
    await salvaged.put('new', 0, draft('n'))
    expect(await contentAt(await leftBy(moved))).toEqual(contentOf(salvaged))
  })

  it('comes when nothing was written for a while', async () => {
    const path = newDirectory()
    let written = 0
    const store = await openStore(path, {
      journalBytes: 50_000,
      idleMs: 30,
      onStage: async (stage) => void (stage === 'written' && written++),
    })
    await store.put('a', 0, draft('a'))
    await vi.waitFor(() => expect(written).toBe(1))
    await store.put('b', 0, draft('b'))
    await vi.waitFor(() => expect(written).toBe(2))
    await pause(100)
    expect(written).toBe(2)
    const killed = await leftBy(path)
    expect((await new Database(killed, killed).read()).revision).toBe(3)
    expect(await contentAt(killed)).toEqual(contentOf(store))
  })

  it('keeps the journal short', async () => {
    const path = newDirectory()
    const store = await openStore(path, { journalBytes: 50_000 })
    for (let i = 0; i < 400; i++) await store.put('key', revisionOf(store, 'key'), draft('x'.repeat(5000)))
    for (const name of ['journal-0', 'journal-1']) expect((await stat(join(path, name))).size).toBeLessThan(2_000_000)
    const killed = await leftBy(path)
    expect(await contentAt(killed)).toEqual(contentOf(store))
  })

  it('is tried again when it failed, and costs no write', async () => {
    const path = newDirectory()
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    let isFailing = true
    const store = await openStore(path, {
      journalBytes: 5000,
      onStage: async () => {
        if (isFailing) throw new Error('no room')
      },
    })
    for (let i = 0; i < 30; i++) await store.put(`key-${i}`, 0, draft('x'.repeat(500)))
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringMatching(/tried again: no room$/)))
    const killed = await leftBy(path)
    expect(await contentAt(killed)).toEqual(contentOf(store))
    isFailing = false
    const expected = contentOf(store)
    await close(store)
    expect(await contentAt(path)).toEqual(expected)
  })
})

describe('a directory that is moved away under a running store', () => {
  it('keeps everything, and nothing is made in its old place', async () => {
    const path = newDirectory()
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    let tries = 0
    const store = await openStore(path, { journalBytes: 5000, onStage: async (stage) => void (stage === 'begun' && tries++) })
    await store.put('before', 0, draft('b'))
    const moved = newDirectory()
    await rename(path, moved)
    for (let i = 0; i < 30; i++) await store.put(`key-${i}`, 0, draft('x'.repeat(500)))
    await vi.waitFor(() => expect(tries).toBeGreaterThan(0))
    const expected = contentOf(store)
    await close(store)
    expect(fs.existsSync(path)).toBe(false)
    expect(await contentAt(moved)).toEqual(expected)
  })

  it('leaves another one in its place alone', async () => {
    const path = newDirectory()
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const first = await openStore(path)
    await first.put('a', 0, draft('a'))
    await close(first)
    const store = await openStore(path)
    await store.put('b', 0, draft('b'))
    const expected = contentOf(store)
    const moved = newDirectory()
    await rename(path, moved)
    const other = newDirectory()
    await close(await openStore(other))
    await rename(other, path)
    await close(store)
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('data.mdb" is no longer the one that was opened'))
    expect(await contentAt(moved)).toEqual(expected)
    expect(await contentAt(path)).toEqual([1])
  })
})

describe('a disk that fails', () => {
  const error = (code: string) => Object.assign(new Error(`${code}: it failed`), { code })
  const fail = (code: string) => () => {
    throw error(code)
  }

  it('that is full refuses the write, and takes the next one when there is room', async () => {
    const path = newDirectory()
    const store = await openStore(path)
    await store.put('a', 0, draft('a'))
    const { writeSync } = fs
    vi.spyOn(fs, 'writeSync')
      // Half of the group is there when the room ends.
      .mockImplementationOnce(((fd: number, bytes: Buffer, offset: number, length: number, position: number) =>
        writeSync(fd, bytes, offset, Math.floor(length / 2), position)) as typeof fs.writeSync)
      .mockImplementationOnce(fail('ENOSPC'))
    await expect(store.put('b', 0, draft('b'))).rejects.toThrow('Cannot write "b": the store could not commit: ENOSPC: it failed')
    expect(await contentAt(await leftBy(path))).toEqual(contentOf(store))
    expect((await store.put('b', 0, draft('b'))).revision).toBe(3)
    expect(await contentAt(await leftBy(path))).toEqual(contentOf(store))
  })

  // LMDB would end the process.
  it('that opens no more files leaves the changes in the journal', async () => {
    const path = newDirectory()
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const store = await openStore(path, { journalBytes: 5000 })
    const { openSync } = fs
    let left = 2
    vi.spyOn(fs, 'openSync').mockImplementation((...parameters) => (left-- > 0 ? openSync(...parameters) : fail('EMFILE')()))
    for (let i = 0; i < 30; i++) await store.put(`key-${i}`, 0, draft('x'.repeat(500)))
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringMatching(/tried again: EMFILE: it failed$/)))
    vi.mocked(fs.openSync).mockRestore()
    expect(await contentAt(await leftBy(path))).toEqual(contentOf(store))
  })

  it('that does not say whether it has the write lets no other one in', async () => {
    const path = newDirectory()
    const store = await openStore(path, { journalBytes: 50_000, idleMs: 20 })
    await store.put('a', 0, draft('a'))
    vi.spyOn(fs, 'fdatasyncSync').mockImplementationOnce(fail('EIO'))
    await expect(store.put('b', 0, draft('b'))).rejects.toThrow(CommitError)
    await expect(store.put('c', 0, draft('c'))).rejects.toThrow('the store must be opened anew')
    await pause(60)
    await expect(store.put('c', 0, draft('c'))).rejects.toThrow('the store must be opened anew')
    await close(store)
    const again = await openStore(path)
    expect(keysIn(again)).toEqual(['a'])
    expect((await again.put('b', 0, draft('b'))).revision).toBe(3)
  })
})

describe('openLmdbStore()', () => {
  it('opens a directory without a journal, and keeps versions that know none out', async () => {
    const path = newDirectory()
    const row = (revision: number, text: string) => {
      const bytes = Buffer.alloc(16)
      bytes.writeDoubleLE(revision, 0)
      bytes.writeDoubleLE(2, 8)
      return Buffer.concat([bytes, Buffer.from(text)])
    }
    const openDatabase = () => open<Buffer, Buffer>({ path, noSubdir: false, keyEncoding: 'binary', encoding: 'binary', cache: false })
    const before = openDatabase()
    await before.put(Buffer.from('meta'), row(7, '{"format":1}'))
    await before.put(Buffer.from('rpods/a'), row(6, 'text'))
    await before.close()
    const store = await openStore(path)
    expect(contentOf(store)).toEqual([7, 'pods/a 6 text'])
    expect((await store.put('b', 0, draft('b'))).revision).toBe(8)
    const killed = await leftBy(path)
    const after = open<Buffer, Buffer>({ path: killed, noSubdir: false, keyEncoding: 'binary', encoding: 'binary', cache: false })
    expect(Buffer.from(after.get(Buffer.from('meta'))!).toString('utf8', 16)).toBe('{"format":2}')
    await after.close()
    expect(await contentAt(killed)).toEqual(contentOf(store))
  })

  it('refuses a database that was cut off, wherever, and does not die of it', { timeout: 30_000 }, async () => {
    const path = newDirectory()
    const store = await openStore(path)
    for (let i = 0; i < 300; i++) void store.put(`key-${i}`, 0, draft('x'.repeat(i * 40)))
    await store.put('last', 0, draft('x'))
    const expected = contentOf(store)
    await close(store)
    const whole = await readFile(join(path, 'data.mdb'))
    let refused = 0
    for (let length = 1; length < whole.length; length += Math.floor(whole.length / 40)) {
      const cut = newDirectory()
      await mkdir(cut)
      await writeFile(join(cut, 'data.mdb'), whole.subarray(0, length))
      // Nothing uses the last pages of some files.
      const content = await contentAt(cut).catch((error: Error) => {
        expect(error.message).toMatch(
          /^Cannot open the store: file ".*data.mdb" is (shorter than it was written; restore|no database, or damaged)/,
        )
        refused++
        return expected
      })
      expect(content).toEqual(expected)
    }
    expect(refused).toBeGreaterThan(30)
  })
})
