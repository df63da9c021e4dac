import { emptyContent, type Journal, RevisionStore, type StoreOptions } from './revision-store.ts'
import type { Store } from './store.ts'

// The engine that forgets. The same calls give the same events in the same order and the same groups: it waits for
// nothing but the end of the current turn.

const noJournal: Journal = {
  readsTexts: false,
  commit: () => undefined,
  close: async () => {},
}

export function openMemoryStore(options?: StoreOptions): Store {
  return new RevisionStore(noJournal, emptyContent, options)
}
