// The writes to a store as changes of objects, for what follows a cluster from outside: checks, traces and recordings.
// Ours: the writes to a store, for what follows a cluster from outside.
import { kinds } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { KubernetesObject, OwnerReference, Stored } from '../../api/types.ts'
import type { Store, StoreEvent } from '../../store/store.ts'
import { objectOf } from './entry.ts'
import { storageOf } from './scope.ts'

/** A committed write. */
export interface Change {
  readonly verb: 'create' | 'update' | 'delete'
  readonly kind: Kind
  /** `namespace/name`, or the name alone. */
  readonly key: string
  readonly revision: number
  /** For a delete: the last state of the object. */
  readonly object: Stored<KubernetesObject>
  /** The reference of the object to its controller. */
  readonly controller: OwnerReference | undefined
}

export type ListenToChanges = (change: Change) => void

/** Calls the listeners with every write from now on, in their order. Returns the function that ends it. */
export function followChanges(store: Store, listeners: readonly ListenToChanges[]): () => void {
  return store.watch('', store.revision, (events) => {
    if (listeners.length === 0) return
    for (const event of events) {
      const change = changeOf(event)
      if (change !== undefined) for (const listen of listeners) listen(change)
    }
  })
}

/** Every stored object, the oldest first, as if it had just been created. */
export function readAsCreated(store: Store): Change[] {
  return [...store.list('').records]
    .sort((a, b) => a.createRevision - b.createRevision)
    .flatMap((record) => changeOf({ type: 'put', record }) ?? [])
}

const kindByStorage = new Map(kinds.map((kind) => [storageOf(kind), kind] as const).reverse())

function changeOf({ type, record, previous }: StoreEvent): Change | undefined {
  const slash = record.key.indexOf('/')
  const kind = kindByStorage.get(record.key.slice(0, slash))
  if (kind === undefined) return undefined
  const object = objectOf(record) as Stored<KubernetesObject>
  return {
    verb: type === 'delete' ? 'delete' : previous === undefined ? 'create' : 'update',
    kind,
    key: record.key.slice(slash + 1),
    revision: record.revision,
    object,
    controller: object.metadata.ownerReferences && controllerOf(object),
  }
}
