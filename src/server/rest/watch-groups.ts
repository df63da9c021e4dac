// watch. Watchers of the same target form a group: events are computed once for the group, and all members receive the same
// array.
// Kubernetes: k8s.io/apiserver/pkg/storage/cacher.Cacher.Watch, cacheWatcher.convertToWatchEvent, cacheWatcher.processInterval

import { fieldErrorMessage } from '../../api/machinery/field-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { expiredError, failure, internalError, isStatusError } from '../../api/machinery/status-error.ts'
import { messageOf } from '../../base/error-message.ts'
import { getOrAdd } from '../../base/maps.ts'
import { CompactedError, FutureRevisionError, type StoreEvent } from '../../store/store.ts'
import { convertRecords, requireConverted } from './conversion.ts'
import { Entry } from './entry.ts'
import { validateWatchQuery } from './query-validation.ts'
import { resourceVersionError, tooLargeVersionError } from './resource-version.ts'
import type { WatchEvent, WatchListener, WatchQuery } from './rest.ts'
import { entryOf, keyOf, prefixOf, type ReadScope } from './scope.ts'
import { matches, parseSelection, type Selection } from './selectors.ts'

/** A kind, a range of keys and a selection. */
interface WatchTarget {
  readonly kind: Kind
  /** A prefix of keys, or one whole key. */
  readonly range: string
  readonly selection: Selection
}

interface Member {
  readonly listener: WatchListener
  /** All changes up to this revision have been delivered. */
  seenRevision: number
}

interface Group {
  readonly kind: Kind
  readonly members: Set<Member>
  /** Whether changes in the store are not delivered yet, because a webhook converts them. */
  isBehind(): boolean
  close(): void
}

const bookmarkEveryMs = 60_000
// As in Kubernetes, the last bookmark is sent this long before the timeout of a watch.
const bookmarkBeforeEndMs = 2_000

export class WatchGroups {
  readonly #scope: ReadScope
  readonly #oldestRevision: () => number
  readonly #groups = new Map<string, Group>()

  constructor(scope: ReadScope, oldestRevision = () => 0) {
    this.#scope = scope
    this.#oldestRevision = oldestRevision
  }

  /** Ends the watches of kinds that are no longer served. */
  endAll(kinds: readonly Kind[]): void {
    if (kinds.length === 0) return
    for (const [identity, { kind, members, close }] of this.#groups) {
      if (!kinds.includes(kind)) continue
      this.#groups.delete(identity)
      close()
      for (const { listener } of [...members]) listener.onEnd?.()
    }
  }

  watch(kind: Kind, namespace: string, query: WatchQuery, listener: WatchListener): () => void {
    const selection = parseSelection(kind, query, validateWatchQuery)
    const { resourceVersion = '', allowWatchBookmarks = false } = query
    const versionError = resourceVersionError(resourceVersion)
    // Kubernetes reports it as an internal error without a reason.
    if (versionError !== undefined) throw failure(500, '', fieldErrorMessage(versionError))
    const question: WatchTarget = { kind, selection, range: this.#rangeOf(kind, namespace, selection) }
    const from = Number(resourceVersion)
    const sendsInitial = query.sendInitialEvents ?? from === 0

    const member: Member = { listener, seenRevision: this.#scope.store.revision }
    if (sendsInitial) {
      if (from > member.seenRevision) throw tooLargeVersionError(resourceVersion, member.seenRevision, 1)
      this.#sendInitial(question, member, allowWatchBookmarks)
    } else if (from > 0) {
      const backlog = this.#readBacklog(question, from)
      if (backlog === undefined) {
        const oldest = Math.max(this.#scope.store.compactRevision, this.#oldestRevision())
        listener.onEvents([{ type: 'ERROR', object: expiredError(`too old resource version: ${from} (${oldest})`).status }])
        return () => {}
      }
      if (from > member.seenRevision) member.seenRevision = from
      if (backlog.length > 0) listener.onEvents(backlog)
    }
    const { leave, isBehind } = this.#join(question, namespace, query, member)
    const stopBookmarks = allowWatchBookmarks ? this.#sendBookmarks(kind, member, isBehind, query.timeoutSeconds) : () => {}
    return () => {
      stopBookmarks()
      leave()
    }
  }

  #rangeOf(kind: Kind, namespace: string, selection: Selection): string {
    const range = namespace === '' && kind.namespaced ? (selection.namespace ?? '') : namespace
    if (selection.name !== undefined && (range !== '' || !kind.namespaced)) return keyOf(kind, range, selection.name)
    return prefixOf(kind, range)
  }

  /** Sends the current state as ADDED events. */
  #sendInitial({ kind, range, selection }: WatchTarget, member: Member, allowBookmarks: boolean): void {
    const { store } = this.#scope
    const events: WatchEvent[] = []
    const isOneKey = !range.endsWith('/')
    const one = isOneKey ? store.get(range) : undefined
    const records = isOneKey ? (one === undefined ? [] : [one]) : store.list(range).records
    requireConverted(this.#scope, kind, records)
    for (const record of records) {
      const entry = entryOf(this.#scope, kind, record)
      if (matches(selection, entry)) events.push({ type: 'ADDED', object: entry })
    }
    if (allowBookmarks) events.push(this.#bookmark(kind, member.seenRevision, true))
    if (events.length > 0) member.listener.onEvents(events)
  }

  /** The changes since that revision; undefined when they are compacted, or from before watches could start. */
  #readBacklog(question: WatchTarget, revision: number): readonly WatchEvent[] | undefined {
    if (revision < this.#oldestRevision()) return undefined
    const found: (readonly StoreEvent[])[] = []
    try {
      this.#scope.store.watch(question.range, revision, (events) => found.push(events))()
    } catch (error) {
      if (error instanceof CompactedError) return undefined
      // A future version: the watch starts there.
      if (error instanceof FutureRevisionError) return []
      throw error
    }
    const events = found.flat()
    requireConverted(this.#scope, question.kind, recordsOf(events))
    return this.#select(question, events)
  }

  #join(question: WatchTarget, namespace: string, query: WatchQuery, member: Member): { leave(): void; isBehind(): boolean } {
    const { kind } = question
    const { labelSelector = '', fieldSelector = '' } = query
    const identity = JSON.stringify([kind.group, kind.version, kind.plural, namespace, labelSelector, fieldSelector])
    const { members, isBehind, close } = getOrAdd(this.#groups, identity, () => this.#open(question))
    members.add(member)
    const leave = () => {
      if (!members.delete(member) || members.size > 0) return
      close()
      if (this.#groups.get(identity)?.members === members) this.#groups.delete(identity)
    }
    return { leave, isBehind }
  }

  #open(question: WatchTarget): Group {
    const { store } = this.#scope
    const members = new Set<Member>()
    const deliver = (storeEvents: readonly StoreEvent[]) => {
      const events = this.#select(question, storeEvents)
      const first = storeEvents[0]?.record.revision ?? 0
      const last = storeEvents.at(-1)?.record.revision ?? 0
      const failures: unknown[] = []
      for (const member of members) {
        if (member.seenRevision >= last) continue
        // A member that joined between two changes of one group has received the first ones already.
        const news =
          member.seenRevision < first
            ? events
            : this.#select(
                question,
                storeEvents.filter(({ record }) => record.revision > member.seenRevision),
              )
        member.seenRevision = last
        try {
          if (news.length > 0) member.listener.onEvents(news)
        } catch (error) {
          // The other members must receive the events nevertheless.
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'several watchers failed')
    }
    const { kind } = question
    const { receive, isBehind } =
      kind.conversion === undefined ? { receive: deliver, isBehind: () => false } : this.#convertFirst(kind, members, deliver)
    return { kind, members, isBehind, close: store.watch(question.range, store.revision, receive) }
  }

  /** Delivers changes in order when a webhook has converted them. Watches end with an error where it fails. */
  #convertFirst(kind: Kind, members: ReadonlySet<Member>, deliver: (events: readonly StoreEvent[]) => void) {
    let last = Promise.resolve()
    let waiting = 0
    const convertAndDeliver = async (events: readonly StoreEvent[]) => {
      const failed = await convertRecords(this.#scope, kind, recordsOf(events)).catch((error: unknown) =>
        isStatusError(error) ? error : internalError(messageOf(error)),
      )
      waiting--
      if (failed === undefined) return deliver(events)
      for (const { listener } of [...members]) listener.onEvents([{ type: 'ERROR', object: failed.status }])
    }
    return {
      receive(events: readonly StoreEvent[]) {
        waiting++
        // As in the store, the watches continue after a listener has thrown.
        last = last.then(() => convertAndDeliver(events)).catch((error: unknown) => process.emitWarning(messageOf(error)))
      },
      isBehind: () => waiting > 0,
    }
  }

  #select({ kind, selection }: WatchTarget, storeEvents: readonly StoreEvent[]): readonly WatchEvent[] {
    const events: WatchEvent[] = []
    for (const event of storeEvents) {
      const shown = this.#toWatchEvent(kind, selection, event)
      if (shown !== undefined) events.push(shown)
    }
    return events
  }

  /** An object that starts to match the selection is ADDED, and one that stops matching is DELETED, for any kind of change. */
  #toWatchEvent(kind: Kind, selection: Selection, { type, record, previous }: StoreEvent): WatchEvent | undefined {
    const entry = entryOf(this.#scope, kind, record)
    if (type === 'delete') {
      const last = previous === undefined ? entry : entryOf(this.#scope, kind, previous)
      return matches(selection, last) ? { type: 'DELETED', object: entry } : undefined
    }
    const before = previous && entryOf(this.#scope, kind, previous)
    const didMatch = before !== undefined && matches(selection, before)
    if (matches(selection, entry)) return { type: didMatch ? 'MODIFIED' : 'ADDED', object: entry }
    return didMatch ? { type: 'DELETED', object: before.withRevision(record.revision) } : undefined
  }

  /** A bookmark says that all changes up to its revision were delivered. */
  #sendBookmarks(kind: Kind, member: Member, isBehind: () => boolean, timeoutSeconds: number | undefined): () => void {
    const { wallClock: clock, store } = this.#scope
    const endMs = timeoutSeconds === undefined ? Number.POSITIVE_INFINITY : clock.now() + timeoutSeconds * 1000 - bookmarkBeforeEndMs
    const plan = (): (() => void) => {
      const untilEndMs = endMs - clock.now()
      if (untilEndMs <= 0) return () => {}
      return clock.after(Math.min(bookmarkEveryMs, untilEndMs), () => {
        const revision = isBehind() ? member.seenRevision : Math.max(store.revision, member.seenRevision)
        member.listener.onEvents([this.#bookmark(kind, revision, false)])
        cancel = plan()
      })
    }
    let cancel = plan()
    return () => cancel()
  }

  #bookmark(kind: Kind, revision: number, endsInitial: boolean): WatchEvent {
    const metadata = { resourceVersion: String(revision), ...(endsInitial && { annotations: { 'k8s.io/initial-events-end': 'true' } }) }
    const object = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata }
    return { type: 'BOOKMARK', object: new Entry(kind, this.#scope.parsed, JSON.stringify({ metadata }), object) }
  }
}

const recordsOf = (events: readonly StoreEvent[]) =>
  events.flatMap(({ record, previous }) => (previous === undefined ? [record] : [previous, record]))
