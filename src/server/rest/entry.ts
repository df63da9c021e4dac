// A version of a stored object. It is cached in the `memo` of its record, so that every reader of the version gets the same JSON,
// the same parsed object and the same selectable attributes.
// Ours: versions of objects are cached with their record.

import { apiVersionOf, type Kind, type StoredForm } from '../../api/machinery/kind.ts'
import type { KubernetesObject, ObjectMeta, Writable } from '../../api/types.ts'
import type { Labels } from '../../base/label-selector.ts'
import type { Draft, StoredRecord, ValueSource } from '../../store/store.ts'
import type { CachedEntry, ParsedObjects } from './parsed-objects.ts'
import type { ObjectResponse } from './rest.ts'
import { replaceRevision, serialize, serializeHead, splitAtRevision } from './serialization.ts'
import { charactersBeside } from './stored-size.ts'

/** Has the JSON, the parsed object, or both; the missing one is derived on demand. */
export class Entry implements ObjectResponse, ValueSource, CachedEntry {
  readonly kind: Kind
  readonly #parsed: ParsedObjects
  #json: string | undefined
  /** The record that holds the JSON. */
  #record: StoredRecord | undefined
  #object: KubernetesObject | undefined
  #labels: Labels | undefined
  #fields: Readonly<Record<string, string>> | undefined
  #view: Entry | undefined
  /** The JSON after the revision, if it is known before the revision is. */
  #tail: string | undefined
  /** Read since the last pass of the cache. */
  #wasRead = true
  /** Not the current version: its readers hold it, and it is not cached. */
  #isReplaced = false
  /** The position in the cache. */
  slot = -1

  /** `json` is the JSON, or a record that holds it. */
  constructor(kind: Kind, parsed: ParsedObjects, json: string | StoredRecord | undefined, object?: KubernetesObject, tail?: string) {
    this.kind = kind
    this.#parsed = parsed
    if (typeof json === 'object') this.#record = json
    else this.#json = json
    this.#object = object
    this.#tail = tail
    if (json !== undefined && object !== undefined) this.#cache()
  }

  /** As a ValueSource of the store. */
  get value(): string {
    return this.json
  }

  get json(): string {
    if (this.#json !== undefined) return this.#json
    if (this.#record !== undefined) return this.#record.value
    const object = this.#object!
    const { head, tail } = this.#tail === undefined ? serialize(object) : { head: serializeHead(object.metadata!), tail: this.#tail }
    this.#json = head + object.metadata!.resourceVersion + tail
    this.#tail = undefined
    this.#cache()
    return this.#json
  }

  get object(): KubernetesObject {
    this.#wasRead = true
    if (this.#object !== undefined) return this.#object
    const object = { kind: this.kind.kind, apiVersion: apiVersionOf(this.kind), ...(JSON.parse(this.json) as KubernetesObject) }
    this.#object = object
    this.#cache()
    return object
  }

  get labels(): Labels {
    if (this.#labels === undefined) this.#readAttributes()
    return this.#labels!
  }

  /** The selectable fields of the kind, and the name and namespace. */
  get fields(): Readonly<Record<string, string>> {
    if (this.#fields === undefined) this.#readAttributes()
    return this.#fields!
  }

  /** Reads labels and fields together: parsing again for the other is expensive. */
  #readAttributes(): void {
    const { object } = this
    const fields: Record<string, string> = {
      'metadata.name': object.metadata?.name ?? '',
      'metadata.namespace': object.metadata?.namespace ?? '',
    }
    const { selectableFields } = this.kind
    for (const field in selectableFields) fields[field] = selectableFields[field]!(object)
    this.#labels = object.metadata?.labels ?? noLabels
    this.#fields = fields
  }

  /** The store has assigned the revision; from now on the JSON can be read. */
  assignRevision(revision: number): void {
    ;(this.#object!.metadata as Writable<ObjectMeta>).resourceVersion = String(revision)
  }

  storedIn(record: StoredRecord): void {
    this.#record = record
    this.#json = undefined
  }

  /** As a ValueSource of the store. */
  charactersBeside(next: unknown): number {
    if (this.#object === undefined) return this.#json?.length ?? 0
    return charactersBeside(this.#object, next instanceof Entry ? next.#object : undefined)
  }

  /** The version is no longer current: it leaves the cache for good. */
  replaced(): void {
    this.#isReplaced = true
    this.#parsed.release(this)
  }

  #cache(): void {
    if (!this.#isReplaced) this.#parsed.add(this)
  }

  get #hasJson(): boolean {
    return this.#json !== undefined || this.#record !== undefined
  }

  /** The last state for watchers of a deletion: the same object with the revision of the deletion. */
  lastDraft(): Draft {
    return this.#hasJson ? splitAtRevision(this.json) : { source: this.#copy() }
  }

  /** A copy with that resourceVersion that is not serialized yet. */
  #copy(resourceVersion = ''): Entry {
    const { object } = this
    return new Entry(this.kind, this.#parsed, undefined, { ...object, metadata: { ...object.metadata, resourceVersion } })
  }

  /** The same object in the form of another kind that shares its storage. */
  viewAs(kind: Kind, form: StoredForm<KubernetesObject>): Entry {
    if (this.#view?.kind === kind) return this.#view
    this.#view = new Entry(kind, this.#parsed, undefined, form.fromStored(this.object))
    return this.#view
  }

  /** The same content with another resourceVersion, for the watch event of an object that no longer matches the selector. */
  withRevision(revision: number): Entry {
    const shown = this.#hasJson ? new Entry(this.kind, this.#parsed, replaceRevision(this.json, revision)) : this.#copy(String(revision))
    shown.replaced()
    return shown
  }

  /** Whether it was read since the last call. */
  testAndClearRead(): boolean {
    const wasHot = this.#wasRead
    this.#wasRead = false
    return wasHot
  }

  /**
   * Releases the parsed object. Labels and fields stay, so that selectors do not parse again; for logs, which are rarely read
   * again, only the JSON stays.
   */
  evict(): void {
    if (!this.#hasJson || this.#object === undefined) return
    if (this.#record !== undefined && this.kind.isLog) {
      if (this.#record.memo === this) this.#record.memo = undefined
      this.#object = undefined
      this.#view = undefined
      return
    }
    if (this.#fields === undefined) this.#readAttributes()
    this.#object = undefined
    this.#view = undefined
  }
}

const noLabels: Labels = Object.freeze({})

/** The object of a record, for any kind. It may lack kind and apiVersion. */
export function objectOf(record: StoredRecord): KubernetesObject {
  const { memo } = record
  return memo instanceof Entry ? memo.object : (JSON.parse(record.value) as KubernetesObject)
}
