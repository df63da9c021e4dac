import type { StoreEvent } from './store.ts'

// Who listens to what. Watchers are found by their prefix: a change of "pods/web/a" looks up "", "pods/", "pods/web/" and
// "pods/web/a", whatever the number of watchers of other ranges.

export type Listen = (events: readonly StoreEvent[]) => void

interface Watcher {
  readonly listen: Listen
  /** It knows all changes up to this one. */
  seen: number
}

export class Watchers {
  readonly #byPrefix = new Map<string, Set<Watcher>>()
  readonly #onListenerError: (error: unknown) => void

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError
  }

  /** Hands over the backlog, if there is any, and then every group after `revision`. */
  add(prefix: string, revision: number, backlog: readonly StoreEvent[], listen: Listen): () => void {
    const watcher: Watcher = { listen, seen: revision }
    let watchers = this.#byPrefix.get(prefix)
    if (watchers === undefined) {
      watchers = new Set()
      this.#byPrefix.set(prefix, watchers)
    }
    watchers.add(watcher)
    if (backlog.length > 0) this.#tell(watcher, backlog)
    return () => {
      watchers.delete(watcher)
      if (watchers.size === 0 && this.#byPrefix.get(prefix) === watchers) this.#byPrefix.delete(prefix)
    }
  }

  /** `events` are one group, in order. */
  dispatch(events: readonly StoreEvent[]): void {
    if (this.#byPrefix.size === 0) return
    const groups = new Map<Set<Watcher>, StoreEvent[]>()
    for (const event of events) {
      for (const prefix of prefixesOf(event.record.key)) {
        const watchers = this.#byPrefix.get(prefix)
        if (watchers === undefined) continue
        const group = groups.get(watchers)
        if (group === undefined) groups.set(watchers, [event])
        else group.push(event)
      }
    }
    const newest = events.at(-1)?.record.revision ?? 0
    for (const [watchers, group] of groups) {
      // A listener may end watches, which are then skipped, and begin some, which know this group already.
      for (const watcher of watchers) {
        if (watcher.seen >= newest) continue
        watcher.seen = newest
        this.#tell(watcher, group)
      }
    }
  }

  close(): void {
    for (const watchers of this.#byPrefix.values()) watchers.clear()
    this.#byPrefix.clear()
  }

  #tell(watcher: Watcher, events: readonly StoreEvent[]): void {
    try {
      watcher.listen(events)
    } catch (error) {
      this.#onListenerError(error)
    }
  }
}

/** Every prefix by which a change of this key can be watched. */
function prefixesOf(key: string): string[] {
  const prefixes = ['']
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) prefixes.push(key.slice(0, slash + 1))
  if (prefixes.at(-1) !== key) prefixes.push(key)
  return prefixes
}

/** Whether a change of that key belongs to a watch of that prefix. */
export function isWatched(prefix: string, key: string): boolean {
  return prefix === '' || prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix
}
