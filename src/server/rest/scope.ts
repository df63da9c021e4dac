// The context of every verb: the store, feature gates, clocks, caches, and the mapping of objects to keys.
// Ours: what every verb needs, as one object.

import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { notFoundError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Store, StoredRecord } from '../../store/store.ts'
import type { DynamicAdmission } from '../admission/dynamic/dynamic-admission.ts'
import type { AdmissionCluster } from '../admission/plugin.ts'
import type { Quotas } from '../admission/quota.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { FindPodServer } from '../webhooks/webhook-address.ts'
import type { Admission } from './admission.ts'
import type { AdmissionObjects } from './admission-objects.ts'
import { convertedEntry } from './conversion.ts'
import { Entry } from './entry.ts'
import type { ListHorizon } from './list-horizon.ts'
import type { ParsedObjects } from './parsed-objects.ts'
import { orderMetadata, serializeUnstored } from './serialization.ts'
import type { ServiceAddresses } from './service-addresses.ts'
import type { SharedParts } from './shared-parts.ts'
import type { WriteOrder } from './write-order.ts'

export interface Scope {
  readonly store: Store
  readonly gates: FeatureGates
  readonly clock: Clock
  /** For timeouts and bookmarks of watches. */
  readonly wallClock: Clock
  readonly random: Random
  readonly parsed: ParsedObjects
  readonly specs: SharedParts
  /** Labels and owners. */
  readonly metadataParts: SharedParts
  readonly admissionObjects: AdmissionObjects
  readonly writes: WriteOrder
  readonly listHorizon: ListHorizon
  readonly serviceAddresses: ServiceAddresses
  readonly quotas: Quotas
  readonly admission: AdmissionCluster
  readonly plugins: Admission
  readonly authorizer: Authorizer
  readonly dynamicAdmission: DynamicAdmission
  readonly findPodServer: FindPodServer
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
export function entryOf(scope: Scope, kind: Kind, record: StoredRecord): Entry {
  if (kind.conversion !== undefined) return convertedEntry(scope, kind, kind.conversion, record)
  const stored = storedEntry(scope, kind, record)
  return kind.storedForm === undefined ? stored : stored.viewAs(kind, kind.storedForm)
}

/** The entry in its stored form: kinds that share their storage have one kind that is stored. */
export function storedEntry(scope: Scope, kind: Kind, record: StoredRecord): Entry {
  const stored = kind.storedForm?.kind ?? kind
  const known = record.memo as Entry | undefined
  // A definition that has changed makes another kind of the same objects.
  if (known !== undefined && known.kind === stored) return known
  const completed = stored.completeStored?.(JSON.parse(known?.json ?? record.value) as KubernetesObject)
  const json = completed === undefined ? known?.json : serializeCompleted(completed)
  const entry = new Entry(stored, scope.parsed, json ?? record)
  record.memo = entry
  return entry
}

function serializeCompleted(object: KubernetesObject): string {
  const { metadata = {} } = object
  return serializeUnstored({ ...object, metadata: orderMetadata(metadata) }, metadata.resourceVersion)
}

export function readEntry(scope: Scope, kind: Kind, namespace: string, name: string): Entry {
  const record = scope.store.get(keyOf(kind, namespace, name))
  if (record === undefined) throw notFoundError(kind, name)
  return entryOf(scope, kind, record)
}
