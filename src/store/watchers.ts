import { getOrAdd } from '../base/maps.ts'
import type { StoreEvent } from './store.ts'

// The watchers of a store by prefix. A change of "pods/web/a" looks up "", "pods/", "pods/web/" and "pods/web/a"; the cost does
// not depend on the number of watchers of other ranges.

export type Listen = (events: readonly StoreEvent[]) => void

interface Watcher {
  readonly listen: Listen
  /** All changes up to this revision have been delivered. */
  seenRevision: number
}

export class Watchers {
  readonly #byPrefix = new Map<string, Set<Watcher>>()
  readonly #onListenerError: (error: unknown) => void

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError
  }

  /** Delivers the backlog, then every group after `revision`. Returns the function that ends the watch. */
  add(prefix: string, revision: number, backlog: readonly StoreEvent[], listen: Listen): () => void {
    const watcher: Watcher = { listen, seenRevision: revision }
    const watchers = getOrAdd(this.#byPrefix, prefix, () => new Set())
    watchers.add(watcher)
    if (backlog.length > 0) this.#notify(watcher, backlog)
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
      // A listener may end watches, which are then skipped, and start some, which start after this group.
      for (const watcher of watchers) {
        if (watcher.seenRevision >= newest) continue
        watcher.seenRevision = newest
        this.#notify(watcher, group)
      }
    }
  }

  close(): void {
    for (const watchers of this.#byPrefix.values()) watchers.clear()
    this.#byPrefix.clear()
  }

  #notify(watcher: Watcher, events: readonly StoreEvent[]): void {
    try {
      watcher.listen(events)
    } catch (error) {
      this.#onListenerError(error)
    }
  }
}

/** Every prefix whose watchers receive changes of this key. */
function prefixesOf(key: string): string[] {
  const prefixes = ['']
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) prefixes.push(key.slice(0, slash + 1))
  if (prefixes.at(-1) !== key) prefixes.push(key)
  return prefixes
}

/** Whether a watch of that prefix receives changes of that key. */
export function isWatched(prefix: string, key: string): boolean {
  return prefix === '' || prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix
}
