import { PackableRecord } from './packable-record.ts'
import type { StoredRecord, ValueSource } from './store.ts'

/** A record whose value is serialized on the first read, by its memo, which stays as long as the record. */
export class LazyRecord implements StoredRecord {
  readonly key: string
  readonly revision: number
  readonly createRevision: number
  readonly memo: ValueSource

  constructor(key: string, revision: number, createRevision: number, source: ValueSource) {
    this.key = key
    this.revision = revision
    this.createRevision = createRevision
    this.memo = source
  }

  get value(): string {
    return this.memo.value
  }
}

/** The size of a record in a history, in characters. `next` is the version that replaced it. */
export function weightOf(record: StoredRecord, next?: StoredRecord): number {
  if (record instanceof PackableRecord) return record.heldCharacters
  if (!(record instanceof LazyRecord)) return record.value.length
  return lazyWeight + Math.max(0, (record.memo.charactersBeside?.(next?.memo) ?? 0) - sharedCharacters)
}

/**
 * Versions that were never serialized share most of their parts with the next one, so each counts as a fraction of a typical value, and for
 * what it holds beyond the parts that change in most objects.
 */
export const lazyWeight = 1500
const sharedCharacters = 8192
