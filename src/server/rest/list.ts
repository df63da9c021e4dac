// list: the objects of a range at one revision, optionally in pages.
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.ListPredicate
// Kubernetes: k8s.io/apiserver/pkg/storage/etcd3.store.GetList
import type { Kind } from '../../api/machinery/kind.ts'
import { badRequestError, expiredError, StatusError } from '../../api/machinery/status-error.ts'
import { CompactedError, FutureRevisionError, type ListOptions, type ListResult } from '../../store/store.ts'
import { requireConverted } from './conversion.ts'
import type { Entry } from './entry.ts'
import { validateListQuery } from './query-validation.ts'
import { parseResourceVersion, tooLargeVersionError } from './resource-version.ts'
import type { ListQuery, ListResponse } from './rest.ts'
import { entryOf, keyOf, prefixOf, type ReadScope } from './scope.ts'
import { cannotMatch, matches, parseSelection, type Selection } from './selectors.ts'

export interface EntryList extends ListResponse {
  readonly items: readonly Entry[]
}

export function list(scope: ReadScope, kind: Kind, namespace: string, query: ListQuery): EntryList {
  const selection = parseSelection(kind, query, validateListQuery)
  const range = namespace === '' && kind.namespaced ? (selection.namespace ?? '') : namespace
  if (selection.name !== undefined && (range !== '' || !kind.namespaced))
    return listOne(scope, kind, range, selection.name, selection, query)
  return listRange(scope, kind, prefixOf(kind, range), selection, query)
}

function listRange(scope: ReadScope, kind: Kind, prefix: string, selection: Selection, query: ListQuery): EntryList {
  const limit = query.limit !== undefined && query.limit > 0 ? query.limit : 0
  const from = startOf(scope, prefix, limit, query)
  const items: Entry[] = []
  // As in Kubernetes, `limit` is ignored with resourceVersion "0", except for events, which have no cache there.
  const page = query.resourceVersion === '0' && !query.continue && !kind.isLog ? 0 : limit
  let { revision, after } = from
  let lastKey: string | undefined
  let remaining = 0
  do {
    // With a selector most records may not match, so at least 500 are read at a time.
    const step = page === 0 ? undefined : selection.isEverything ? page : Math.max(page - items.length, 500)
    const result = readRange(scope, prefix, from, {
      ...(after !== undefined && { after }),
      ...(step !== undefined && { limit: step }),
      ...(revision !== undefined && { revision }),
    })
    revision = result.revision
    remaining = result.remaining
    requireConverted(scope, kind, result.records)
    for (const [index, record] of result.records.entries()) {
      if (page > 0 && items.length >= page) {
        remaining += result.records.length - index
        break
      }
      lastKey = record.key
      if (cannotMatch(selection, kind, record)) continue
      const entry = entryOf(scope, kind, record)
      if (matches(selection, entry)) items.push(entry)
    }
    after = lastKey
  } while (page > 0 && remaining > 0 && items.length < page)
  const isCut = page > 0 && remaining > 0 && lastKey !== undefined
  if (isCut) scope.store.hold(prefix, revision)
  return {
    kind,
    items,
    resourceVersion: String(revision),
    ...(isCut && { continue: encodeContinue(`${lastKey}\0`, prefix, revision) }),
    ...(isCut && selection.isEverything && { remainingItemCount: remaining }),
  }
}

interface Start {
  readonly revision?: number
  readonly after?: string
  readonly startKey?: string
}

function startOf(scope: ReadScope, prefix: string, limit: number, query: ListQuery): Start {
  if (query.continue) {
    const { revision, startKey } = decodeContinue(query.continue, prefix)
    if (query.resourceVersion && query.resourceVersion !== '0')
      throw badRequestError('specifying resource version is not allowed when using continue')
    return { after: keyBefore(startKey), startKey, ...(revision > 0 && { revision }) }
  }
  const asked = parseResourceVersion(query.resourceVersion)
  const isExact = query.resourceVersionMatch === 'Exact' || (!query.resourceVersionMatch && limit > 0 && asked > 0)
  if (isExact) return { revision: asked }
  if (asked > scope.store.revision) throw tooLargeVersionError(query.resourceVersion ?? '', scope.store.revision, 1)
  return {}
}

/** Our own tokens start directly after a key. Other tokens may name the key itself, which must then be included. */
function keyBefore(startKey: string): string {
  if (startKey.endsWith('\0')) return startKey.slice(0, -1)
  const last = startKey.charCodeAt(startKey.length - 1)
  return last === 0 ? startKey : `${startKey.slice(0, -1)}${String.fromCharCode(last - 1)}\uffff`
}

const listTooOld = 'The resourceVersion for the provided list is too old.'
const continueTooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

function readRange(scope: ReadScope, prefix: string, { startKey }: Start, options: ListOptions): ListResult {
  const { store, listHorizon, wallClock } = scope
  try {
    if (listHorizon.isExpired(options.revision, store.revision, wallClock.now()))
      throw new CompactedError(options.revision!, store.compactRevision)
    return store.list(prefix, options)
  } catch (error) {
    if (error instanceof FutureRevisionError) throw tooLargeVersionError(String(options.revision), store.revision, 0)
    if (!(error instanceof CompactedError)) throw error
    if (startKey === undefined) throw expiredError(listTooOld)
    const { status } = expiredError(continueTooOld)
    throw new StatusError({ ...status, metadata: { continue: encodeContinue(startKey, prefix, -1) } })
  }
}

/** A list by metadata.name is a single lookup. */
function listOne(scope: ReadScope, kind: Kind, namespace: string, name: string, selection: Selection, query: ListQuery): EntryList {
  const { store } = scope
  const key = keyOf(kind, namespace, name)
  const asked = query.continue ? 0 : parseResourceVersion(query.resourceVersion)
  if (query.resourceVersionMatch === 'Exact') {
    const { records, revision } = readRange(scope, key, {}, { revision: asked })
    const items = records.filter((record) => record.key === key).map((record) => entryOf(scope, kind, record))
    return { kind, items: items.filter((entry) => matches(selection, entry)), resourceVersion: String(revision) }
  }
  if (asked > store.revision) throw tooLargeVersionError(query.resourceVersion ?? '', store.revision, 1)
  const record = store.get(key)
  const entry = record && entryOf(scope, kind, record)
  return { kind, items: entry !== undefined && matches(selection, entry) ? [entry] : [], resourceVersion: String(store.revision) }
}

// Continue tokens of paged lists: the revision and the first key of the next page, in the format of Kubernetes.
// Kubernetes: k8s.io/apiserver/pkg/storage.EncodeContinue, DecodeContinue, PrepareContinueToken
interface ContinuePoint {
  /** -1 means the newest state. */
  readonly revision: number
  /** The first possible key of the page. */
  readonly startKey: string
}

const version = 'meta.k8s.io/v1'

export function encodeContinue(startKey: string, prefix: string, revision: number): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision, start: startKey.slice(prefix.length) })).toString('base64url')
}

const refuse = (why: string) => badRequestError(`invalid continue token: ${why}`)
const invalid = 'continue key is not valid'

/** Throws a StatusError (400) for an invalid token. */
export function decodeContinue(token: string, prefix: string): ContinuePoint {
  const bad = token.search(/[^A-Za-z0-9_-]/)
  if (bad >= 0) throw refuse(`${invalid}: illegal base64 data at input byte ${bad}`)
  if (token.length % 4 === 1) throw refuse(`${invalid}: illegal base64 data at input byte ${token.length - 1}`)
  let content: { v?: unknown; rv?: unknown; start?: unknown }
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new SyntaxError('no object')
    content = parsed
  } catch {
    throw refuse(`${invalid}: invalid character in the decoded token`)
  }
  const { v = '', rv = 0, start = '' } = content
  if (v !== version) throw refuse(`${invalid}: server does not recognize this encoded version ${v}`)
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || typeof start !== 'string') throw refuse(invalid)
  if (rv === 0) throw refuse(`${invalid}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`)
  if (start === '') throw refuse(`${invalid}: encoded start key empty (version meta.k8s.io/v1)`)
  if (isTraversal(start)) throw refuse(`${invalid}: ${start}`)
  return { revision: rv, startKey: prefix + (start.startsWith('/') ? start.slice(1) : start) }
}

/** A path that is not normalized could lead out of the prefix. */
function isTraversal(start: string): boolean {
  const key = start.startsWith('/') ? start.slice(1) : start
  return key.split('/').some((part, index, parts) => part === '.' || part === '..' || (part === '' && (parts.length > 1 || index > 0)))
}
