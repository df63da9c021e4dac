import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDurableStore } from './durable-store.ts'
import { CompactedError, type Store } from './store.ts'
import { draft } from './testing/draft.ts'
import { describeStore } from './testing/store-contract.ts'

const root = await mkdtemp(join(tmpdir(), 'rollcall-durable-'))
let directories = 0
const newDirectory = () => join(root, `store-${++directories}.d`)

describeStore('durable', (options) => openDurableStore({ path: newDirectory(), ...options }), { randomRuns: 40 })

describe('openDurableStore()', () => {
  let path: string
  let store: Store
  beforeEach(async () => {
    path = newDirectory()
    store = await openDurableStore({ path })
  })
  afterEach(() => store.close())
  const reopen = async () => {
    await store.close()
    store = await openDurableStore({ path })
  }

  it('creates a directory that only its owner can access', async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  it('names the directory that it cannot write to', async () => {
    const file = join(root, 'a-file')
    await writeFile(file, '')
    await expect(openDurableStore({ path: file })).rejects.toThrow(`Cannot open the store in "${file}": `)
    await expect(openDurableStore({ path: join(file, 'store') })).rejects.toThrow(`Cannot open the store in "${join(file, 'store')}": `)
  })

  it('restores every record, and starts its history at that state', async () => {
    await store.put('pods/a/1', 0, draft('1'))
    await store.put('pods/a/2', 0, draft('2'))
    await store.put('pods/a/1', 2, draft('é😀', 'memo'))
    await store.put('pods/a/3', 0, draft('x'.repeat(2_000_000)))
    await store.remove('pods/a/2', 3, draft('2'))
    await reopen()
    expect([store.revision, store.compactRevision]).toEqual([6, 6])
    const { key, revision, createRevision, value, memo } = store.get('pods/a/1')!
    expect([key, revision, createRevision, value, memo]).toEqual(['pods/a/1', 4, 2, '{"name":"é😀","revision":"4"}', undefined])
    expect(store.get('pods/a/3')?.value).toBe(`{"name":"${'x'.repeat(2_000_000)}","revision":"5"}`)
    expect(store.list('').records.map(({ key }) => key)).toEqual(['pods/a/1', 'pods/a/3'])
    expect(() => store.watch('', 5, () => {})).toThrow(CompactedError)
    expect(() => store.list('', { revision: 5 })).toThrow(CompactedError)
    const seen: number[] = []
    store.watch('', 6, (events) => seen.push(...events.map(({ record }) => record.revision)))
    await store.put('pods/a/1', 4, draft('1'))
    expect(seen).toEqual([7])
  })

  it('restores thousands of records', async () => {
    const names = Array.from({ length: 9000 }, (_, at) => String(at).padStart(4, '0'))
    await Promise.all(names.map((name) => store.put(`pods/${name}`, 0, draft(name))))
    await reopen()
    expect(store.list('').records.map(({ value }) => JSON.parse(value).name)).toEqual(names)
    await Promise.all(names.map((name, at) => store.remove(`pods/${name}`, store.get(`pods/${name}`)!.revision, draft(`gone ${at}`))))
    await reopen()
    expect([store.list('').records.length, store.revision]).toEqual([0, 18_001])
  })

  it('uses no revision twice when the newest one was a removal', async () => {
    await store.put('k', 0, draft('k'))
    await store.remove('k', 2, draft('k'))
    await reopen()
    expect((await store.put('k', 0, draft('k'))).revision).toBe(4)
  })

  it('orders keys by UTF-16 code units after it was reopened', async () => {
    const keys = ['a/\uffee', 'a/😀', 'a/z', 'a/\u20ac', 'a']
    for (const key of keys) await store.put(key, 0, draft('k'))
    await reopen()
    expect(store.list('').records.map(({ key }) => key)).toEqual([...keys].sort())
    for (const key of keys) expect(store.get(key)?.key).toBe(key)
  })

  it('refuses a directory that is already open, under any path', async () => {
    const message = `is in use by process ${process.pid}`
    await expect(openDurableStore({ path })).rejects.toThrow(`Cannot open the store: directory "${path}" ${message}`)
    await expect(openDurableStore({ path: `${root}/./${path.slice(root.length + 1)}/` })).rejects.toThrow(message)
    expect((await store.put('k', 0, draft('k'))).revision).toBe(2)
    await reopen()
  })

  it.each(['snapshot-00000001', 'journal-00000001', 'head'])('refuses a foreign file named %s', async (name) => {
    const damaged = newDirectory()
    await mkdir(damaged)
    await writeFile(join(damaged, name), 'something else')
    const message = `Cannot open the store: file "${join(damaged, name)}" is damaged`
    // Twice: the first refusal releases the directory.
    for (let tries = 0; tries < 2; tries++) await expect(openDurableStore({ path: damaged })).rejects.toThrow(message)
  })

  it.each(['data.mdb', 'journal-0'])('refuses a directory with %s of an earlier version, and says what to do', async (name) => {
    const earlier = newDirectory()
    await mkdir(earlier)
    await writeFile(join(earlier, name), '')
    await expect(openDurableStore({ path: earlier })).rejects.toThrow(
      `Cannot open the store: directory "${earlier}" has "${name}" of an earlier build, which kept its data in LMDB and which this version cannot read; choose another data directory, or delete this one`,
    )
  })

  it('refuses an unknown format', async () => {
    await store.close()
    const file = join(path, 'journal-00000001')
    const bytes = await readFile(file)
    bytes.writeUInt32LE(3, 8)
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 44)), 44)
    await writeFile(file, bytes)
    await expect(openDurableStore({ path })).rejects.toThrow(`directory "${path}" has format 3, and this version reads format 2`)
  })

  it('writes a snapshot when the journal is large, and then deletes the earlier journals', async () => {
    await store.close()
    store = await openDurableStore({ path, durability: { journalBytes: 100_000 } })
    const has = async (name: RegExp) => (await readdir(path)).some((file) => name.test(file))
    let written = 0
    while (!(await has(/^snapshot-\d+$/)) || (await has(/^journal-00000001$/))) {
      const keys = Array.from({ length: 50 }, () => `pods/${String(written++).padStart(6, '0')}`)
      await Promise.all(keys.map((key) => store.put(key, 0, draft('x'.repeat(500)))))
    }
    await store.remove('pods/000000', 2, draft('gone'))
    const before = store.list('').records.map(({ key, revision, value }) => [key, revision, value])
    await store.close()
    store = await openDurableStore({ path })
    expect(store.list('').records.map(({ key, revision, value }) => [key, revision, value])).toEqual(before)
    expect(store.revision).toBe(written + 2)
  })
})

afterAll(() => rm(root, { recursive: true }))
