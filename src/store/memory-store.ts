import { emptyContent, type Journal, RevisionStore, type StoreContent, type StoreOptions } from './revision-store.ts'
import type { Store } from './store.ts'

// The engine without durability. It is deterministic: the same calls give the same events in the same order and the same
// groups, as a commit waits only for the microtasks of the current turn.

const noJournal: Journal = {
  readsValues: false,
  commit: () => undefined,
  close: async () => {},
}

/** `content` may come from another store: records are immutable and can be shared. */
export function openMemoryStore(options?: StoreOptions, content: StoreContent = emptyContent): Store {
  return new RevisionStore(noJournal, content, options)
}
