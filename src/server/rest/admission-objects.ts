// A cache of the objects that admission plugins read for every pod: LimitRanges, PriorityClasses, StorageClasses. They are few and
// rarely change; a change empties the cache of its kind. The store notifies watchers before the write resolves, so the cache is
// never older than the store.
// Ours: a cache of what admission plugins read for every pod.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Store, StoredRecord } from '../../store/store.ts'

interface AdmissionObjectsOptions {
  readonly store: Store
  prefixOf(kind: Kind, namespace: string): string
  read(kind: Kind, record: StoredRecord): KubernetesObject
}

const maxNamespaces = 1000

export class AdmissionObjects {
  readonly #options: AdmissionObjectsOptions
  /** For each kind that was read, the objects by namespace. */
  readonly #known = new Map<Kind, Map<string, readonly KubernetesObject[]>>()

  constructor(options: AdmissionObjectsOptions) {
    this.#options = options
  }

  list<T extends KubernetesObject>(kind: Kind, namespace: string): readonly T[] {
    const byNamespace = this.#known.get(kind) ?? this.#watch(kind)
    let objects = byNamespace.get(namespace)
    if (objects === undefined) {
      const { store, prefixOf, read } = this.#options
      objects = store.list(prefixOf(kind, namespace)).records.map((record) => read(kind, record))
      // Deleted namespaces are never removed one by one.
      if (byNamespace.size >= maxNamespaces) byNamespace.clear()
      byNamespace.set(namespace, objects)
    }
    return objects as readonly T[]
  }

  #watch(kind: Kind): Map<string, readonly KubernetesObject[]> {
    const { store, prefixOf } = this.#options
    const byNamespace = new Map<string, readonly KubernetesObject[]>()
    store.watch(prefixOf(kind, ''), store.revision, () => byNamespace.clear())
    this.#known.set(kind, byNamespace)
    return byNamespace
  }
}
