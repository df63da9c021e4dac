// One suite for every engine of the store, by subject.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Store, StoreClosedError } from '../store.ts'
import { draft } from './draft.ts'
import { describeHistory } from './history-contract.ts'
import { describeLists } from './list-contract.ts'
import { runAgainstModel, storeActions } from './store-model.ts'
import type { TestedEngine } from './tested-engine.ts'
import { describeWatches } from './watch-contract.ts'
import { describeWrites } from './write-contract.ts'

/** The contract of every engine. An engine that waits for a disk takes fewer random runs. */
export function describeStore(engine: string, open: TestedEngine['openStore'], { randomRuns }: { randomRuns: number }): void {
  const opened: Store[] = []
  const openStore: TestedEngine['openStore'] = async (options) => {
    const store = await open(options)
    opened.push(store)
    return store
  }
  const fill = async (store: Store, ...keys: string[]) => {
    for (const key of keys) await store.put(key, 0, draft(key))
  }
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  const tested = { engine, openStore, fill }
  describeWrites(tested)
  describeLists(tested)
  describeWatches(tested)
  describeHistory(tested)

  describe(`${engine}: close()`, () => {
    it('waits for pending writes and refuses later ones', async () => {
      const store = await openStore()
      let stored: unknown
      void store.put('k', 0, draft('k')).then((record) => {
        stored = record
      })
      const closed = store.close()
      await expect(store.put('late', 0, draft('late'))).rejects.toThrow(StoreClosedError)
      await closed
      expect(stored).toMatchObject({ key: 'k', revision: 2 })
      await expect(store.remove('k', 2, draft('k'))).rejects.toThrow('Cannot write "k": the store is closed')
      await store.close()
    })
  })

  describe(`${engine}: health()`, () => {
    it('reports that the store can write', async () => {
      const store = await openStore()
      await fill(store, 'a')
      expect(store.health()).toEqual({ canWrite: true })
    })
  })

  describe(`${engine}: random runs`, () => {
    it('agree with the model', async () => {
      await fc.assert(
        fc.asyncProperty(storeActions, async (actions) => {
          const store = await openStore()
          try {
            await runAgainstModel(store, actions)
          } finally {
            await store.close()
          }
        }),
        { numRuns: randomRuns },
      )
    })
  })
}
