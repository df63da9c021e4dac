import type { StoreOptions } from '../revision-store.ts'
import type { Store } from '../store.ts'

type OpenStore = (options?: StoreOptions) => Promise<Store>

export interface TestedEngine {
  readonly engine: string
  /** Opens an empty store, which is closed after the test. */
  readonly openStore: OpenStore
  /** Writes each key once. */
  fill(store: Store, ...keys: string[]): Promise<void>
}
