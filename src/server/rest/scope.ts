// What the verbs work with, from the least to the most: an object is read with `Storage`, lists and watches need a `ReadScope`, changes of a stored
// object a `ChangeScope`, and writes a `WriteScope`. create-rest.ts builds them, each from those before.
// Ours: what the verbs need, as objects.

import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { notFoundError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Store, StoredRecord } from '../../store/store.ts'
import type { Admission } from './admission.ts'
import { convertedEntry } from './conversion.ts'
import { Entry } from './entry.ts'
import type { KindPipelines } from './kind-pipeline.ts'
import type { ListHorizon } from './list-horizon.ts'
import type { ParsedObjects } from './parsed-objects.ts'
import { orderMetadata, serializeUnstored } from './serialization.ts'
import type { SharedParts } from './shared-parts.ts'
import type { WriteOrder } from './write-order.ts'

export interface Storage {
  readonly store: Store
  readonly parsed: ParsedObjects
}

export interface ReadScope extends Storage {
  readonly clock: Clock
  /** For timeouts and bookmarks of watches. */
  readonly wallClock: Clock
  readonly listHorizon: ListHorizon
}

export interface ChangeScope extends Storage {
  readonly writes: WriteOrder
}

export interface WriteScope extends ReadScope, ChangeScope {
  readonly gates: FeatureGates
  readonly random: Random
  readonly specs: SharedParts
  /** Labels and owners. */
  readonly metadataParts: SharedParts
  readonly admission: Admission
  readonly pipelines: KindPipelines
  /** Awaited between the mark of a deletion and the removal. */
  readonly betweenWrites: (() => Promise<void>) | undefined
}

export function storageOf(kind: Kind): string {
  return kind.storage ?? (kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`)
}

export function keyOf(kind: Kind, namespace: string, name: string): string {
  return kind.namespaced ? `${storageOf(kind)}/${namespace}/${name}` : `${storageOf(kind)}/${name}`
}

/** Namespace '' means all namespaces. */
export function prefixOf(kind: Kind, namespace: string): string {
  return kind.namespaced && namespace !== '' ? `${storageOf(kind)}/${namespace}/` : `${storageOf(kind)}/`
}

/** Throws an UnconvertedError for a version that a webhook has to convert first: see ./conversion.ts. */
export function entryOf(storage: Storage, kind: Kind, record: StoredRecord): Entry {
  if (kind.conversion !== undefined) return convertedEntry(storage, kind, kind.conversion, record)
  const stored = storedEntry(storage, kind, record)
  return kind.storedForm === undefined ? stored : stored.viewAs(kind, kind.storedForm)
}

/** The entry in its stored form: kinds that share their storage have one kind that is stored. */
export function storedEntry(storage: Storage, kind: Kind, record: StoredRecord): Entry {
  const stored = kind.storedForm?.kind ?? kind
  const known = record.memo as Entry | undefined
  // A definition that has changed makes another kind of the same objects.
  if (known !== undefined && known.kind === stored) return known
  const completed = stored.completeStored?.(JSON.parse(known?.json ?? record.value) as KubernetesObject)
  const json = completed === undefined ? known?.json : serializeCompleted(completed)
  const entry = new Entry(stored, storage.parsed, json ?? record)
  record.memo = entry
  return entry
}

function serializeCompleted(object: KubernetesObject): string {
  const { metadata = {} } = object
  return serializeUnstored({ ...object, metadata: orderMetadata(metadata) }, metadata.resourceVersion)
}

export function readEntry(storage: Storage, kind: Kind, namespace: string, name: string): Entry {
  const record = storage.store.get(keyOf(kind, namespace, name))
  if (record === undefined) throw notFoundError(kind, name)
  return entryOf(storage, kind, record)
}
