import { expect, it, vi } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { openOnFiles } from './durable-store.ts'
import { reserveBytes } from './reserve.ts'
import type { Store } from './store.ts'
import { draft } from './testing/draft.ts'
import { SimulatedDisk } from './testing/simulated-disk.ts'

const mib = 2 ** 20
const turn = () => new Promise((resolve) => void setTimeout(resolve, 0))

/** A store whose timers a test runs by hand. */
async function open(disk: SimulatedDisk) {
  const timers = new Set<() => void>()
  const store = await openOnFiles(
    disk.files(),
    'dir',
    {
      journalBytes: 64 * mib,
      later: (_, run) => {
        timers.add(run)
        return () => timers.delete(run)
      },
    },
    () => {},
  )
  const pass = async () => {
    const due = [...timers]
    timers.clear()
    for (const run of due) run()
    for (let turns = 0; turns < 300; turns++) await turn()
  }
  return { store, pass }
}

const put = (store: Store, key: string, characters: number) => store.put(key, store.get(key)?.revision ?? 0, draft('x'.repeat(characters)))
const remove = (store: Store, key: string) => store.remove(key, store.get(key)!.revision, draft('gone'))

/** Fills the disk until the store refuses. Returns the keys. */
async function fill(store: Store, characters: number): Promise<string[]> {
  const keys: string[] = []
  for (;;) {
    const key = `big/${keys.length}-${characters}`
    const isWritten = await put(store, key, characters).then(
      () => true,
      () => false,
    )
    if (!isWritten) return keys
    keys.push(key)
  }
}

async function openFull() {
  const disk = new SimulatedDisk(seededRandom(1))
  disk.capacity = 12 * mib
  const opened = await open(disk)
  await opened.pass()
  expect(disk.read().get('reserve')?.length).toBe(reserveBytes)
  const keys = await fill(opened.store, 100_000)
  for (const characters of [10_000, 1000, 1]) await fill(opened.store, characters)
  return { disk, keys, ...opened }
}

it('takes deletions on a full disk, and refuses everything else with the reason', async () => {
  const { store, keys, pass } = await openFull()
  const reason = 'the disk is full, and only deletions are accepted until 4 MiB are free'
  await expect(put(store, 'more', 1)).rejects.toThrow(`Cannot write "more": the store could not commit: ${reason}`)
  expect(store.health()).toEqual({ canWrite: false, reason })
  for (const key of keys.slice(0, 3)) await remove(store, key)
  await pass()
  await expect(put(store, 'more', 1)).rejects.toThrow(reason)
  expect(store.get(keys[0]!)).toBeUndefined()
  await store.close()
})

it('can be opened on a full disk, and takes deletions', async () => {
  const { disk, store, keys } = await openFull()
  disk.kill()
  await store.close().catch(() => {})
  expect(disk.files().freeBytes()).toBe(0)
  const { store: next } = await open(disk)
  // The reserve made room for the small files of a start.
  expect(disk.files().freeBytes()).toBeGreaterThan(mib)
  await remove(next, keys[0]!)
  await expect(put(next, 'more', 1)).rejects.toThrow('the disk is full')
  await next.close()
  const { store: last } = await open(disk)
  expect(last.get(keys[0]!)).toBeUndefined()
  expect(last.get(keys[1]!)).toBeDefined()
  await last.close()
})

it('takes writes again when the disk has room', async () => {
  const { disk, store, pass } = await openFull()
  disk.capacity += 10 * mib
  await pass()
  expect(store.health()).toEqual({ canWrite: true })
  await put(store, 'more', 300_000)
  expect(disk.read().get('reserve')?.length).toBe(reserveBytes)
  await store.close()
})

it('replaces the journals when the rest fits, so that deletions make room', async () => {
  const { disk, store, keys, pass } = await openFull()
  for (const key of keys.slice(2)) await remove(store, key)
  for (let rounds = 0; rounds < 3; rounds++) await pass()
  expect(store.health()).toEqual({ canWrite: true })
  await put(store, 'more', 300_000)
  await store.close()
  expect([...disk.read().keys()].sort()).toEqual(['head', 'journal-00000002', 'reserve', 'snapshot-00000002'])
  const { store: next } = await open(disk)
  expect(next.get(keys[0]!)).toBeDefined()
  expect(next.get(keys[2]!)).toBeUndefined()
  expect(next.get('more')).toBeDefined()
  await next.close()
})

it('warns of a reserve that cannot be written for another reason', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const disk = new SimulatedDisk(seededRandom(1))
  const { store, pass } = await open(disk)
  disk.failure = { on: 'write', code: 'EIO', after: 0 }
  await pass()
  expect(warn.mock.calls[0]![0]).toMatch(/^Cannot keep room for deletions on a full disk: EIO/)
  await put(store, 'a', 1)
  await store.close()
  warn.mockRestore()
})
