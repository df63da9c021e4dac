// A document that never changes while the server runs: made and serialised at first use.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

export interface CachedDocument {
  readonly body: string | Buffer
  /** Of the body, in hexadecimal. An ETag is this in double quotes. */
  readonly hash: string
  /** The body, compressed at first use. */
  gzip(): Buffer
}

export interface CachedJson extends CachedDocument {
  readonly text: string
}

export function cacheJson(make: () => unknown): () => CachedJson {
  return once(() => {
    const text = JSON.stringify(make())
    return { text, ...documentOf(text) }
  })
}

export function cacheBytes(make: () => Buffer): () => CachedDocument {
  return once(() => documentOf(make()))
}

function documentOf(body: string | Buffer): CachedDocument {
  const hash = createHash('sha256').update(body).digest('hex').toUpperCase()
  return { body, hash, gzip: once(() => gzipSync(body)) }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
