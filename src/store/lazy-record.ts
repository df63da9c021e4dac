import type { StoredRecord, TextSource } from './store.ts'
import { TextRecord } from './text-record.ts'

/** A record of which the text is made when somebody reads it. Its memo is what makes it, and stays as long as the record. */
export class LazyRecord implements StoredRecord {
  readonly key: string
  readonly revision: number
  readonly createRevision: number
  readonly memo: TextSource

  constructor(key: string, revision: number, createRevision: number, source: TextSource) {
    this.key = key
    this.revision = revision
    this.createRevision = createRevision
    this.memo = source
  }

  get text(): string {
    return this.memo.text
  }
}

/**
 * What a record weighs in a history, in characters of text. Versions that were never written out share most of their
 * parts with the next one, so that a part of a usual text is what each of them adds.
 */
export function weightOf(record: StoredRecord): number {
  if (record instanceof TextRecord) return record.keptLength
  return record instanceof LazyRecord ? lazyWeight : record.text.length
}

const lazyWeight = 1500
