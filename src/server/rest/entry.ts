// A stored object as the verbs hand it out. It lives in the `memo` of its store record, so that whoever reads the same
// version again gets the same text, the same parsed object and the same selection attributes.

import { apiVersionOf, type Kind, type StoredForm } from '../../api/machinery/kind.ts'
import type { KubernetesObject, ObjectMeta, Writable } from '../../api/types.ts'
import type { Labels } from '../../base/label-selector.ts'
import type { Draft, StoredRecord, ValueSource } from '../../store/store.ts'
import type { CachedEntry, ParsedObjects } from './parsed-objects.ts'
import type { ObjectResponse } from './rest.ts'
import { replaceRevision, serialize, serializeHead, splitAtRevision } from './serialization.ts'

/** It has a text, an object, or both: each is made of the other when somebody asks for it. */
export class Entry implements ObjectResponse, ValueSource, CachedEntry {
  readonly kind: Kind
  readonly #parsed: ParsedObjects
  #json: string | undefined
  /** The record that has the text. */
  #record: StoredRecord | undefined
  #object: KubernetesObject | undefined
  #labels: Labels | undefined
  #fields: Readonly<Record<string, string>> | undefined
  #view: Entry | undefined
  /** The text behind the revision, where it is known before the text is. */
  #tail: string | undefined
  /** Read since the cache looked last. */
  #wasRead = true
  /** It is no current version (any more): it is held by its readers, and takes no room in the cache. */
  #isReplaced = false
  /** Its place in the cache. */
  slot = -1

  /** `text` is a text, or a record that has it. */
  constructor(kind: Kind, parsed: ParsedObjects, text: string | StoredRecord | undefined, object?: KubernetesObject, tail?: string) {
    this.kind = kind
    this.#parsed = parsed
    if (typeof text === 'object') this.#record = text
    else this.#json = text
    this.#object = object
    this.#tail = tail
    if (text !== undefined && object !== undefined) this.#cache()
  }

  /** As the source of a store's record. */
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

  /** The selectable fields of its kind, and the name and the namespace. */
  get fields(): Readonly<Record<string, string>> {
    if (this.#fields === undefined) this.#readAttributes()
    return this.#fields!
  }

  /** All at once: whoever selects by labels now, may select by fields next, and parsing again is dear. */
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

  /** The store has taken it: from now on it has a resourceVersion, and its text can be asked for. */
  assignRevision(revision: number): void {
    ;(this.#object!.metadata as Writable<ObjectMeta>).resourceVersion = String(revision)
  }

  storedIn(record: StoredRecord): void {
    this.#record = record
    this.#json = undefined
  }

  /** Another version has its place, or the object is deleted. It makes room in the cache, and never takes some again. */
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

  /** What watchers are shown when it goes: the same under the revision of its deletion. */
  lastDraft(): Draft {
    return this.#hasJson ? splitAtRevision(this.json) : { source: this.#copy() }
  }

  /** Without a text of its own. */
  #copy(resourceVersion = ''): Entry {
    const { object } = this
    return new Entry(this.kind, this.#parsed, undefined, { ...object, metadata: { ...object.metadata, resourceVersion } })
  }

  /** The same object as the other kind of its storage shows it. */
  viewAs(kind: Kind, form: StoredForm<KubernetesObject>): Entry {
    if (this.#view?.kind === kind) return this.#view
    this.#view = new Entry(kind, this.#parsed, undefined, form.fromStored(this.object))
    return this.#view
  }

  /** The same content under another resourceVersion: what a watcher is shown that an object has left. */
  withRevision(revision: number): Entry {
    const shown = this.#hasJson ? new Entry(this.kind, this.#parsed, replaceRevision(this.json, revision)) : this.#copy(String(revision))
    shown.replaced()
    return shown
  }

  /** Says whether it was read since the last call. */
  testAndClearRead(): boolean {
    const wasHot = this.#wasRead
    this.#wasRead = false
    return wasHot
  }

  /**
   * Keeps the attributes, so that selections need no second parsing. Of a log, of which few are ever read again,
   * nothing is kept but the text.
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

/** The object of a record that the verbs have written, whatever its kind. It may lack its kind and apiVersion. */
export function objectOf(record: StoredRecord): KubernetesObject {
  const { memo } = record
  return memo instanceof Entry ? memo.object : (JSON.parse(record.value) as KubernetesObject)
}
