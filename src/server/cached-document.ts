// A document that does not change while the server runs: created and serialized on first use.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { once } from '../base/cached.ts'

export interface CachedDocument {
  readonly body: string | Buffer
  /** The hash of the body in hexadecimal, for the ETag. */
  readonly hash: string
  /** The compressed body, created on first use. */
  gzip(): Buffer
}

export interface CachedJson extends CachedDocument {
  readonly json: string
}

export function cacheJson(make: () => unknown): () => CachedJson {
  return once(() => {
    const json = JSON.stringify(make())
    return { json, ...documentOf(json) }
  })
}

export function cacheBytes(make: () => Buffer): () => CachedDocument {
  return once(() => documentOf(make()))
}

function documentOf(body: string | Buffer): CachedDocument {
  const hash = createHash('sha256').update(body).digest('hex').toUpperCase()
  return { body, hash, gzip: once(() => gzipSync(body)) }
}
