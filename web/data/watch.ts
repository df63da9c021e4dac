// Lists one kind in pages, then watches it from the version of the list. A broken watch is resumed; after 410 Gone the kind is listed
// again.
import { backoffMs } from '../../src/base/backoff.ts'

export interface Followed<T> {
  /** Keeps only the parts that the page reads: the pages of a long list are held in memory until the last one has arrived. */
  reduce(object: T): T
  /** The complete list, which replaces everything known before. */
  onList(items: readonly T[]): void
  onChange(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void
  /** Undefined: connected, or the server does not have the kind. */
  onState(problem: Problem | undefined): void
}

export interface Problem {
  /** `forbidden` is final: it is not tried again. */
  readonly type: 'unreachable' | 'unauthorized' | 'forbidden'
  readonly message: string
}

export interface Source {
  /** Resolves with any status. Rejects when the server cannot be reached. */
  fetch(path: string, signal: AbortSignal): Promise<Response>
  wait(ms: number, signal: AbortSignal): Promise<void>
  random(): number
}

const pageSize = 500
const firstDelayMs = 500
const maxDelayMs = 15_000
const watchSeconds = 300

interface ListPage<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly T[]
}

/** The server no longer has the version that was asked for. */
class GoneError extends Error {}

/** Runs until `signal` is aborted. A kind that the server does not have, or that the user may not read, is given up. */
export async function follow<T>(path: string, target: Followed<T>, source: Source, signal: AbortSignal): Promise<void> {
  let version: string | undefined
  let failures = 0
  while (!signal.aborted) {
    try {
      version ??= await list(path, target, source, signal)
      target.onState(undefined)
      version = await watch(path, version, target, source, signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      const problem = problemOf(error)
      // The rest of the page does not wait for this kind.
      if (error instanceof RefusedError && error.isFinal) {
        target.onList([])
        target.onState(error.code === 403 ? problem : undefined)
        return
      }
      if (error instanceof GoneError) {
        version = undefined
        continue
      }
      target.onState(problem)
      if (error instanceof WatchCutError) version = error.version
      const delay = backoffMs(++failures, { firstMs: firstDelayMs, maxMs: maxDelayMs })
      await source.wait(delay * (0.5 + source.random() / 2), signal)
    }
  }
}

class RefusedError extends Error {
  readonly code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }

  get isFinal(): boolean {
    return this.code === 404 || this.code === 403
  }
}

function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof RefusedError ? error.code : undefined
  return { type: code === 401 ? 'unauthorized' : code === 403 ? 'forbidden' : 'unreachable', message }
}

/** The connection broke; the watch continues from this version. */
class WatchCutError extends Error {
  readonly version: string
  constructor(message: string, version: string) {
    super(message)
    this.version = version
  }
}

async function check(response: Response): Promise<void> {
  if (response.status === 410) throw new GoneError('the version is too old')
  if (response.ok) return
  const text = await response.text()
  let message = `HTTP ${response.status}`
  try {
    message = (JSON.parse(text) as { readonly message?: string }).message ?? message
  } catch {}
  throw new RefusedError(message, response.status)
}

/**
 * Resolves to the version of the list. The items are local to this function: those of a function that goes on to wait for the watch
 * would stay in memory as long as it waits.
 */
async function list<T>(path: string, target: Followed<T>, source: Source, signal: AbortSignal): Promise<string> {
  const items: T[] = []
  let token: string | undefined
  for (;;) {
    const query = `limit=${pageSize}${token === undefined ? '' : `&continue=${encodeURIComponent(token)}`}`
    const response = await source.fetch(`${path}?${query}`, signal)
    await check(response)
    const page = (await response.json()) as ListPage<T>
    for (const item of page.items ?? []) items.push(target.reduce(item))
    token = page.metadata?.continue || undefined
    if (token !== undefined) continue
    target.onList(items)
    return page.metadata?.resourceVersion ?? '0'
  }
}

interface WatchLine<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: T & { readonly metadata?: { readonly resourceVersion?: string }; readonly code?: number; readonly message?: string }
}

/** Resolves to the version to continue from when the server ends the watch. */
async function watch<T>(path: string, from: string, target: Followed<T>, source: Source, signal: AbortSignal): Promise<string> {
  let version = from
  const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}&resourceVersion=${encodeURIComponent(from)}`
  const response = await source.fetch(`${path}?${query}`, signal)
  await check(response)
  if (response.body === null) throw new WatchCutError('the server sent no body', version)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return version
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      free(value)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') continue
        const { type, object } = JSON.parse(line) as WatchLine<T>
        if (type === 'ERROR') {
          if (object.code === 410) throw new GoneError('the version is too old')
          throw new WatchCutError(object.message ?? 'the server ended the watch', version)
        }
        version = object.metadata?.resourceVersion ?? version
        if (type !== 'BOOKMARK') target.onChange(type, object)
      }
    }
  } catch (error) {
    if (error instanceof GoneError || error instanceof WatchCutError) throw error
    throw new WatchCutError(error instanceof Error ? error.message : String(error), version)
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/**
 * Gives the memory of a chunk back at once. Browsers allocate it outside the heap and hold it until the next full garbage collection,
 * which may be a minute away: at 500 changes a second that is up to 75 MB. Browsers without `transfer` wait for the collection.
 */
function free({ buffer }: Uint8Array): void {
  ;(buffer as ArrayBuffer & { transfer?(length: number): ArrayBuffer }).transfer?.(0)
}
