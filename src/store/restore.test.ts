import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDurableStore } from './durable-store.ts'
import { createJournal } from './journal-file.ts'
import { makeDirectory } from './make-directory.ts'
import { verifyStore } from './repair.ts'
import { restoreStore } from './restore.ts'
import { filesOf } from './store-files.ts'
import { draft } from './testing/draft.ts'

const root = await mkdtemp(join(tmpdir(), 'rollcall-restore-'))
afterAll(() => rm(root, { recursive: true }))

const content = {
  revision: 40,
  records: [
    { key: 'pods/a', revision: 7, createRevision: 3, value: 'one', memo: undefined },
    { key: 'pods/b', revision: 40, createRevision: 40, value: 'two', memo: undefined },
  ],
}

describe('restoreStore()', () => {
  it('fills a new store, which continues after the last revision', async () => {
    const path = join(root, 'new')
    await restoreStore(path, content)
    expect((await verifyStore(path)).damages).toEqual([])
    const store = await openDurableStore({ path })
    expect(store.list('').records.map(({ key, revision, createRevision, value }) => [key, revision, createRevision, value])).toEqual([
      ['pods/a', 7, 3, 'one'],
      ['pods/b', 40, 40, 'two'],
    ])
    expect([store.revision, (await store.put('pods/c', 0, draft('three'))).revision]).toEqual([40, 41])
    expect(() => store.watch('pods/', 39, () => {})).toThrow('states before 40 are compacted')
    await store.close()
  })

  it('refuses a store that was written to', async () => {
    const path = join(root, 'used')
    const store = await openDurableStore({ path })
    await store.put('pods/a', 0, draft('mine'))
    await store.close()
    await expect(restoreStore(path, content)).rejects.toThrow(`Cannot restore: the store in "${path}" is not empty`)
  })

  it('can be repeated after it was interrupted', async () => {
    const path = join(root, 'interrupted')
    makeDirectory(path)
    await createJournal(filesOf(path), 1)
    await restoreStore(path, content)
    const store = await openDurableStore({ path })
    expect([store.revision, store.count('')]).toEqual([40, 2])
    await store.close()
  })
})
