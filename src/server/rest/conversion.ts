// Custom resources whose versions a webhook converts. A converted object is kept as long as the stored version, so that it is converted once. Reads are
// synchronous, and fail with an UnconvertedError where a conversion is missing: `whenConverted` converts and reads again. Writes convert first.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion.crConverter.*

import { decode } from '../../api/machinery/decode/decode.ts'
import { apiVersionOf, type Conversion, type Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { Draft, StoredRecord } from '../../store/store.ts'
import { Entry } from './entry.ts'
import type { Storage } from './scope.ts'
import { orderMetadata } from './serialization.ts'
import { checkStoredSize } from './stored-size.ts'
import type { NewObject } from './write-steps.ts'

/** Objects for one call of a webhook. */
const maxObjects = 500

export class UnconvertedError extends Error {
  readonly convert: () => Promise<void>

  constructor(convert: () => Promise<void>) {
    super('the object has to be converted first')
    this.convert = convert
  }
}

/** The record in its own version, which is not always the current storage version. */
const storedEntry = (scope: Storage, conversion: Conversion, record: StoredRecord): Entry => {
  const kind = conversion.kindAt(record.revision)
  const known = record.memo as Entry | undefined
  if (known !== undefined && known.kind === kind) return known
  const entry = new Entry(kind, scope.parsed, known?.json ?? record)
  record.memo = entry
  return entry
}

/**
 * By the kind, then by the record. Not beside the stored entry: requests that began before a definition changed have other kinds than those
 * that began after, and would replace each other's entries.
 */
const converted = new WeakMap<Kind, WeakMap<StoredRecord, Entry>>()

function setConverted(kind: Kind, record: StoredRecord, entry: Entry): void {
  getOrAdd(converted, kind, () => new WeakMap()).set(record, entry)
}

/** Throws an UnconvertedError, which converts all `others` too. */
export function convertedEntry(
  scope: Storage,
  kind: Kind,
  conversion: Conversion,
  record: StoredRecord,
  others: readonly StoredRecord[] = [record],
): Entry {
  const stored = storedEntry(scope, conversion, record)
  const shown = stored.kind === kind ? stored : converted.get(kind)?.get(record)
  if (shown === undefined) throw new UnconvertedError(() => convertRecords(scope, kind, others))
  return shown
}

/** Throws an UnconvertedError where one of the records has to be converted. */
export function requireConverted(scope: Storage, kind: Kind, records: readonly StoredRecord[]): void {
  const { conversion } = kind
  if (conversion !== undefined) for (const record of records) convertedEntry(scope, kind, conversion, record, records)
}

/** Converts what is not converted yet. Rejects with a StatusError where the webhook fails. */
export async function convertRecords(scope: Storage, kind: Kind, records: readonly StoredRecord[]): Promise<void> {
  const { conversion } = kind
  if (conversion === undefined) return
  const missing = records.filter(
    (record) => storedEntry(scope, conversion, record).kind !== kind && converted.get(kind)?.get(record) === undefined,
  )
  for (let start = 0; start < missing.length; start += maxObjects) {
    const batch = missing.slice(start, start + maxObjects)
    const objects = batch.map((record) => {
      const { object, kind: from } = storedEntry(scope, conversion, record)
      return { ...object, kind: from.kind, apiVersion: apiVersionOf(from) }
    })
    const made = await conversion.convert(objects, kind)
    for (const [index, record] of batch.entries()) setConverted(kind, record, entryFor(scope, kind, made[index]!))
  }
}

/** Without fields that the version does not have, and with its defaults. */
function entryFor(scope: Storage, kind: Kind, converted: KubernetesObject): Entry {
  const { object } = decode<NewObject>(kind.type, converted, { kind: kind.kind, apiVersion: apiVersionOf(kind) })
  const shown = kind.completeStored?.(object) ?? object
  const metadata = { ...orderMetadata(shown.metadata ?? {}), resourceVersion: converted.metadata?.resourceVersion ?? '' }
  return new Entry(kind, scope.parsed, undefined, { ...shown, metadata })
}

/** Reads, and converts first what the read needs. */
export function whenConverted<T>({ conversion }: Kind, read: () => T): T | Promise<T> {
  return conversion === undefined ? read() : readConverted(read)
}

async function readConverted<T>(read: () => T): Promise<T> {
  for (;;) {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof UnconvertedError)) throw error
      await error.convert()
    }
  }
}

/** The object in the storage version, for the store. */
export async function convertedDraft(scope: Storage, kind: Kind, conversion: Conversion, object: NewObject): Promise<Draft> {
  const stored = conversion.storageKind
  if (stored === kind) return { source: new Entry(kind, scope.parsed, undefined, { ...object, metadata: orderMetadata(object.metadata) }) }
  const [converted] = await conversion.convert([{ ...object, kind: kind.kind, apiVersion: apiVersionOf(kind) }], stored)
  checkStoredSize(stored, converted!)
  return { source: entryFor(scope, stored, converted!) }
}
