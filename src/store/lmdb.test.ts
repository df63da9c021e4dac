import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeStore, draft } from './contract.ts'
import { openLmdbStore } from './lmdb.ts'
import { CompactedError, type Store } from './store.ts'

const root = await mkdtemp(join(tmpdir(), 'rollcall-lmdb-'))
let directories = 0
const newDirectory = () => join(root, `store-${++directories}.d`)

describeStore('lmdb', (options) => openLmdbStore({ path: newDirectory(), ...options }), { randomRuns: 40 })

describe('openLmdbStore()', () => {
  let path: string
  let store: Store
  beforeEach(async () => {
    path = newDirectory()
    store = await openLmdbStore({ path })
  })
  afterEach(() => store.close())
  const reopen = async () => {
    await store.close()
    store = await openLmdbStore({ path })
  }

  it('makes the directory for its owner only', async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  it('finds everything again, and starts its history there', async () => {
    await store.put('pods/a/1', 0, draft('1'))
    await store.put('pods/a/2', 0, draft('2'))
    await store.put('pods/a/1', 2, draft('é😀', 'memo'))
    await store.put('pods/a/3', 0, draft('x'.repeat(2_000_000)))
    await store.remove('pods/a/2', 3, draft('2'))
    await reopen()
    expect([store.revision, store.compactRevision]).toEqual([6, 6])
    const { key, revision, createRevision, text, memo } = store.get('pods/a/1')!
    expect([key, revision, createRevision, text, memo]).toEqual(['pods/a/1', 4, 2, '{"name":"é😀","revision":"4"}', undefined])
    expect(store.get('pods/a/3')?.text).toBe(`{"name":"${'x'.repeat(2_000_000)}","revision":"5"}`)
    expect(store.list('').records.map(({ key }) => key)).toEqual(['pods/a/1', 'pods/a/3'])
    expect(() => store.watch('', 5, () => {})).toThrow(CompactedError)
    expect(() => store.list('', { revision: 5 })).toThrow(CompactedError)
    const seen: number[] = []
    store.watch('', 6, (events) => seen.push(...events.map(({ record }) => record.revision)))
    await store.put('pods/a/1', 4, draft('1'))
    expect(seen).toEqual([7])
  })

  it('finds more again than goes to the database in one go', async () => {
    const names = Array.from({ length: 9000 }, (_, at) => String(at).padStart(4, '0'))
    await Promise.all(names.map((name) => store.put(`pods/${name}`, 0, draft(name))))
    await reopen()
    expect(store.list('').records.map(({ text }) => JSON.parse(text).name)).toEqual(names)
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

  it('orders keys by UTF-16 code units after a reopening too', async () => {
    const keys = ['a/\uffee', 'a/😀', 'a/z', 'a/\u20ac', 'a']
    for (const key of keys) await store.put(key, 0, draft('k'))
    await reopen()
    expect(store.list('').records.map(({ key }) => key)).toEqual([...keys].sort())
    for (const key of keys) expect(store.get(key)?.key).toBe(key)
  })

  it('refuses a directory that is open already, by its name, however it is spelled', async () => {
    const message = `is in use by process ${process.pid}`
    await expect(openLmdbStore({ path })).rejects.toThrow(`Cannot open the store: directory "${path}" ${message}`)
    await expect(openLmdbStore({ path: `${root}/./${path.slice(root.length + 1)}/` })).rejects.toThrow(message)
    expect((await store.put('k', 0, draft('k'))).revision).toBe(2)
    await reopen()
  })

  it.each([
    ['of something else', 'no database at all, but long enough'],
    ['of zeros', '\0'.repeat(10_000)],
    ['that is cut off', 'short'],
  ])('refuses a file %s', async (_what, content) => {
    const damaged = newDirectory()
    await mkdir(damaged)
    await writeFile(join(damaged, 'data.mdb'), content)
    const message = `Cannot open the store: file "${join(damaged, 'data.mdb')}" is no database, or damaged`
    // Twice: the first refusal lets the directory go.
    for (let tries = 0; tries < 2; tries++) await expect(openLmdbStore({ path: damaged })).rejects.toThrow(message)
  })

  it.each(['data.mdb', 'lock.mdb', 'users.mdb', 'users.mdb-lock', 'journal-0', 'journal-1'])(
    'refuses a directory called %s',
    async (name) => {
      const damaged = newDirectory()
      await mkdir(join(damaged, name), { recursive: true })
      const message = `Cannot open the store: "${join(damaged, name)}" is no file`
      for (let tries = 0; tries < 2; tries++) await expect(openLmdbStore({ path: damaged })).rejects.toThrow(message)
    },
  )

  it('refuses a format that it does not know, and leaves the directory as it was', async () => {
    await store.put('k', 0, draft('k'))
    await store.close()
    const database = open({ path, noSubdir: false, keyEncoding: 'binary', encoding: 'binary', cache: false })
    await database.put(Buffer.from('meta'), Buffer.concat([Buffer.alloc(16), Buffer.from('{"format":3}')]))
    await database.close()
    for (let i = 0; i < 2; i++) {
      await expect(openLmdbStore({ path })).rejects.toThrow(`directory "${path}" has format 3, this version reads 1 and 2`)
    }
  })
})

afterAll(() => rm(root, { recursive: true }))
