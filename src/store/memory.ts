import { emptyContent, type Journal, RevisionStore, type StoreContent, type StoreOptions } from './revision-store.ts'
import type { Store } from './store.ts'

// The engine that forgets. The same calls give the same events in the same order and the same groups: it waits for
// nothing but the end of the current turn.

const noJournal: Journal = {
  readsTexts: false,
  commit: () => undefined,
  close: async () => {},
}

/** `content` is what another one held: its records are shared, as they never change. */
export function openMemoryStore(options?: StoreOptions, content: StoreContent = emptyContent): Store {
  return new RevisionStore(noJournal, content, options)
}
