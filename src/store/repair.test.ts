import { mkdir, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openDurableStore } from './durable-store.ts'
import { framesStart } from './frames.ts'
import { repairStore, verifyStore } from './repair.ts'
import { draft } from './testing/draft.ts'

const root = await mkdtemp(join(tmpdir(), 'rollcall-repair-'))
let directories = 0
afterAll(() => rm(root, { recursive: true }))

const journal = 'journal-00000001'

async function flip(file: string, position: number): Promise<void> {
  const handle = await open(file, 'r+')
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, position)
  byte[0]! ^= 4
  await handle.write(byte, 0, 1, position)
  await handle.close()
}

describe('a damaged store', () => {
  let path: string
  beforeEach(async () => {
    path = join(root, String(++directories))
    const store = await openDurableStore({ path })
    for (let at = 0; at < 10; at++) await store.put(`pods/${at}`, 0, draft('x'.repeat(300)))
    await store.close()
  })
  /** The position of the group with that index. */
  const groupOf = async (write: number) => {
    const bytes = await readFile(join(path, journal))
    let position = framesStart
    for (; write > 0; write--) position += 28 + bytes.readUInt32LE(position + 8)
    return position
  }

  it('has no damage when its files are intact', async () => {
    const found = await verifyStore(path)
    expect([found.damages, found.records.size, found.revision]).toEqual([[], 10, 11])
    expect((await repairStore(path)).backup).toBeUndefined()
  })

  it('is repaired to the state before the damage, uses no revision twice, and keeps a backup of the files', async () => {
    const position = await groupOf(6)
    await flip(join(path, journal), position + 100)
    await expect(openDurableStore({ path })).rejects.toThrow(
      `Cannot open the store: file "${join(path, journal)}" is damaged at byte ${position}; "rollcall store verify ${path}" reports what is affected`,
    )
    const before = await readFile(join(path, journal))
    const { found, backup } = await repairStore(path)
    expect(found.damages).toEqual([{ file: journal, position, what: 'is damaged', lost: 'all writes after revision 7' }])
    expect((await readFile(join(backup!, journal))).equals(before)).toBe(true)
    expect((await verifyStore(path)).damages).toEqual([])
    const store = await openDurableStore({ path })
    expect(store.list('').records.map(({ key }) => key)).toEqual(['pods/0', 'pods/1', 'pods/2', 'pods/3', 'pods/4', 'pods/5'])
    expect([store.revision, (await store.put('next', 0, draft('next'))).revision]).toEqual([11, 12])
    await store.close()
    expect((await readdir(path)).sort()).toEqual([
      'damaged-1',
      'head',
      'journal-00000002',
      expect.stringMatching('lock'),
      'snapshot-00000002',
    ])
  })

  it('loses only the damaged objects of a snapshot', async () => {
    await flip(join(path, journal), (await groupOf(9)) + 50)
    await repairStore(path)
    const store = await openDurableStore({ path })
    await store.put('pods/new', 0, draft('new'))
    await store.close()
    const snapshot = 'snapshot-00000002'
    await flip(join(path, snapshot), framesStart + 200)
    const { found, backup } = await repairStore(path)
    expect(found.damages).toEqual([
      { file: snapshot, position: framesStart, what: 'is damaged', lost: '9 objects, from the start to the end' },
    ])
    expect(backup).toBe(join(path, 'damaged-2'))
    const again = await openDurableStore({ path })
    expect(again.list('').records.map(({ key }) => key)).toEqual(['pods/new'])
    await again.close()
  })

  it.each([
    ['cut in half', (file: string) => truncate(file, 6000), 'is cut off'],
    ['empty', (file: string) => truncate(file, 0), 'is damaged'],
    ['of something else', (file: string) => writeFile(file, 'no journal'), 'is damaged'],
    ['missing', (file: string) => rm(file), 'is missing'],
  ])('is refused and repaired when its journal is %s', async (_, damage, what) => {
    await damage(join(path, journal))
    await expect(openDurableStore({ path })).rejects.toThrow(`file "${join(path, journal)}" ${what}`)
    await repairStore(path)
    const store = await openDurableStore({ path })
    expect(store.revision).toBe(11)
    await store.close()
  })

  it('is refused and repaired when its head is damaged', async () => {
    await writeFile(join(path, 'head'), 'no head')
    await expect(openDurableStore({ path })).rejects.toThrow(`file "${join(path, 'head')}" is damaged`)
    await repairStore(path)
    const store = await openDurableStore({ path })
    expect([store.revision, store.count('')]).toEqual([11, 10])
    await store.close()
  })

  it('is not verified while it is in use, nor when it does not exist', async () => {
    const store = await openDurableStore({ path })
    await expect(verifyStore(path)).rejects.toThrow(`is in use by process ${process.pid}`)
    await store.close()
    await expect(verifyStore(join(path, 'none'))).rejects.toThrow(`Cannot read the store: there is no directory "${join(path, 'none')}"`)
    await mkdir(join(path, 'empty'))
    expect((await verifyStore(join(path, 'empty'))).damages).toEqual([])
  })
})
