// Knows which writes of a store are under way, so that time can wait for the disk.
import type { Store } from '../../store/store.ts'

interface FollowedStore {
  readonly store: Store
  /** Resolves when the writes that are under way now have ended. Undefined: none is. */
  whenIdle(): Promise<unknown> | undefined
}

export function followWrites(inner: Store): FollowedStore {
  const pending = new Set<Promise<unknown>>()
  const follow = <T>(write: Promise<T>): Promise<T> => {
    const ended: Promise<boolean> = write.then(
      () => pending.delete(ended),
      () => pending.delete(ended),
    )
    pending.add(ended)
    return write
  }
  const store: Store = {
    get revision() {
      return inner.revision
    },
    get compactRevision() {
      return inner.compactRevision
    },
    get: (key) => inner.get(key),
    list: (prefix, options) => inner.list(prefix, options),
    count: (prefix) => inner.count(prefix),
    hold: (prefix, revision) => inner.hold(prefix, revision),
    put: (key, expected, draft) => follow(inner.put(key, expected, draft)),
    remove: (key, expected, last) => follow(inner.remove(key, expected, last)),
    watch: (prefix, revision, listen) => inner.watch(prefix, revision, listen),
    compact: (revision) => inner.compact(revision),
    health: () => inner.health(),
    close: () => inner.close(),
  }
  return { store, whenIdle: () => (pending.size === 0 ? undefined : Promise.all(pending)) }
}
