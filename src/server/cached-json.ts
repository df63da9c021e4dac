// A document that never changes while the server runs: made and serialised at first use.
import { createHash } from 'node:crypto'

export interface CachedJson {
  readonly text: string
  /** Of the text, in hexadecimal. An ETag is this in double quotes. */
  readonly hash: string
}

export function cacheJson(make: () => unknown): () => CachedJson {
  let made: CachedJson | undefined
  return () => {
    if (made === undefined) {
      const text = JSON.stringify(make())
      made = { text, hash: createHash('sha256').update(text).digest('hex').toUpperCase() }
    }
    return made
  }
}
