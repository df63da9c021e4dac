import { describe, expect, it } from 'vitest'
import { emptyContent, RevisionStore } from './revision-store.ts'
import { CommitError, type StoreEvent } from './store.ts'
import { draft } from './testing/draft.ts'

/** A journal whose commits the test completes. */
function manualJournal() {
  const commits: { revisions: number[]; succeed: () => void; fail: (error: Error) => void }[] = []
  return {
    commits,
    commit: (changes: readonly StoreEvent[]) =>
      new Promise<void>((succeed, fail) => {
        commits.push({ revisions: changes.map(({ record }) => record.revision), succeed, fail })
      }),
    close: async () => {},
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('RevisionStore', () => {
  it('gathers the next group while one is being committed', async () => {
    const journal = manualJournal()
    const store = new RevisionStore(journal, emptyContent)
    void store.put('a', 0, draft('a'))
    void store.put('b', 0, draft('b'))
    await turn()
    void store.put('c', 0, draft('c'))
    void store.put('d', 0, draft('d'))
    await turn()
    expect(journal.commits.map(({ revisions }) => revisions)).toEqual([[2, 3]])
    journal.commits[0]!.succeed()
    await turn()
    expect(journal.commits.map(({ revisions }) => revisions)).toEqual([
      [2, 3],
      [4, 5],
    ])
    expect(store.list('').records.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('commits a group when the journal has finished gathering', async () => {
    const journal = manualJournal()
    let gathered = () => {}
    const gather = () =>
      new Promise<void>((resolve) => {
        gathered = resolve
      })
    const store = new RevisionStore({ ...journal, gather }, emptyContent)
    void store.put('a', 0, draft('a'))
    await turn()
    void store.put('b', 0, draft('b'))
    await turn()
    expect(journal.commits).toEqual([])
    gathered()
    await turn()
    expect(journal.commits.map(({ revisions }) => revisions)).toEqual([[2, 3]])
  })

  it('refuses a write when the write that it conflicts with is visible', async () => {
    const journal = manualJournal()
    const store = new RevisionStore(journal, emptyContent)
    void store.put('a', 0, draft('winner'))
    await turn()
    const outcome: string[] = []
    store.put('a', 0, draft('loser')).catch(() => outcome.push(`refused, ${store.get('a')?.value}`))
    await turn()
    expect(outcome).toEqual([])
    journal.commits[0]!.succeed()
    await turn()
    expect(outcome).toEqual(['refused, {"name":"winner","revision":"2"}'])
  })

  it('fails a group and the groups behind it, and continues from the visible state', async () => {
    const journal = manualJournal()
    const store = new RevisionStore(journal, emptyContent)
    const seen: number[] = []
    store.watch('', 1, (events) => seen.push(...events.map(({ record }) => record.revision)))
    const kept = store.put('kept', 0, draft('kept'))
    await turn()
    journal.commits[0]!.succeed()
    await kept

    const failing = [store.put('a', 0, draft('a')), store.remove('kept', 2, draft('kept'))]
    await turn()
    failing.push(store.put('a', 3, draft('built on a')), store.put('b', 0, draft('b')), store.put('a', 0, draft('lost against a')))
    const outcomes = Promise.allSettled(failing)
    journal.commits[1]!.fail(new Error('disk full'))
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(CommitError) })
      expect((outcome as PromiseRejectedResult).reason.message).toMatch(/^Cannot write "\w+": the store could not commit: disk full$/)
    }
    expect([store.revision, store.get('a'), store.get('b'), store.get('kept')?.revision]).toEqual([2, undefined, undefined, 2])
    await expect(store.put('a', 3, draft('a'))).rejects.toThrow('expected revision 3, found nothing')

    const after = store.put('a', 0, draft('a'))
    await turn()
    expect(journal.commits.map(({ revisions }) => revisions)).toEqual([[2], [3, 4], [3]])
    journal.commits[2]!.succeed()
    expect((await after).revision).toBe(3)
    expect(seen).toEqual([2, 3])
  })

  it('fails the writes when the journal throws synchronously', async () => {
    const store = new RevisionStore(
      {
        commit: () => {
          throw new Error('no disk')
        },
        close: async () => {},
      },
      emptyContent,
    )
    await expect(store.put('a', 0, draft('a'))).rejects.toThrow(CommitError)
    await expect(store.put('a', 0, draft('a'))).rejects.toThrow('no disk')
    await store.close()
  })

  it('closes after the last group, and the journal after that', async () => {
    const journal = manualJournal()
    const order: string[] = []
    const store = new RevisionStore({ ...journal, close: async () => void order.push('journal closed') }, emptyContent)
    void store.put('a', 0, draft('a')).then(() => order.push('a'))
    await turn()
    void store.put('b', 0, draft('b')).then(() => order.push('b'))
    const closed = store.close()
    await turn()
    journal.commits[0]!.succeed()
    await turn()
    expect(order).toEqual(['a'])
    journal.commits[1]!.succeed()
    await closed
    expect(order).toEqual(['a', 'b', 'journal closed'])
  })
})
