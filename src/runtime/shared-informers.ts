// One informer of each kind for all controllers of a process.
// Kubernetes: k8s.io/client-go/informers.sharedInformerFactory.InformerFor
import type { Kind, Resource } from '../api/machinery/kind.ts'
import { controllerOf } from '../api/machinery/owners.ts'
import type { KubernetesObject, Pod, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { Informer } from './informer.ts'

interface SharedInformersOptions {
  readonly client: Client
  readonly clock: Clock
  /**
   * `server`: the objects belong to a server in this process, and the cache has them as they are. `informer`: they were received
   * over a connection for this cache alone, which holds equal parts of them once. Default: other readers in this process have
   * them too. Except with `server`, the cache has them without managedFields.
   */
  readonly ownerOfObjects?: 'server' | 'informer'
  /** Jitter for the retries of lists and watches. Default: none. */
  readonly random?: Random
  /** Called with every object as the server sent it, before the cache has it. */
  onReceived?(kind: Kind, object: Stored<KubernetesObject>): void
  /** Whether `onReceived` reads the managedFields of that kind. Default: of no kind. */
  readsManagedFields?(kind: Kind): boolean
  onFailure?(what: string, error: unknown): void
}

const none: readonly string[] = []

const nodeOf = (object: Stored<KubernetesObject>) => (object as Stored<Pod>).spec?.nodeName

/**
 * Every informer finds objects by `namespace`, by the `owner` that controls them, the `orphan`s of a namespace, by owner those
 * whose deletion was requested (`deleted`), and the pods that are assigned to a `node`.
 */
const indexes = {
  namespace: (object: Stored<KubernetesObject>) => [object.metadata.namespace ?? ''],
  owner: (object: Stored<KubernetesObject>) => {
    const uid = controllerOf(object)?.uid
    return uid === undefined ? none : [uid]
  },
  orphan: (object: Stored<KubernetesObject>) => (controllerOf(object) === undefined ? [object.metadata.namespace ?? ''] : none),
  deleted: (object: Stored<KubernetesObject>) => {
    const uid = object.metadata.deletionTimestamp === undefined ? undefined : controllerOf(object)?.uid
    return uid === undefined ? none : [uid]
  },
  node: (object: Stored<KubernetesObject>) => {
    const name = nodeOf(object)
    return name ? [name] : none
  },
}

/** The namespace of an object never changes. */
const hasSameIndexValues = (current: Stored<KubernetesObject>, previous: Stored<KubernetesObject>) =>
  current.metadata.ownerReferences === previous.metadata.ownerReferences &&
  current.metadata.deletionTimestamp === previous.metadata.deletionTimestamp &&
  nodeOf(current) === nodeOf(previous)

/** No controller reads managedFields, and they take much of the memory of a pod. */
function withoutManagedFields(object: Stored<KubernetesObject>): Stored<KubernetesObject> {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

const groupOf = (object: Stored<KubernetesObject>) => controllerOf(object)?.uid ?? object.metadata.namespace ?? ''

export class SharedInformers {
  readonly #options: SharedInformersOptions
  readonly #informers = new Map<string, Informer<KubernetesObject>>()
  #started = false

  constructor(options: SharedInformersOptions) {
    this.#options = options
  }

  /** The informer of that kind. It must be requested before `start`. */
  get<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const name = `${kind.plural}.${kind.group}`
    const known = this.#informers.get(name)
    if (known !== undefined) return known as unknown as Informer<T>
    if (this.#started) throw new Error(`Cannot watch "${name}": the informers have started; request it before start()`)
    const { client, clock, random, ownerOfObjects, onReceived, onFailure } = this.#options
    const informer = new Informer<KubernetesObject>({
      client,
      clock,
      resource: kind,
      indexes,
      hasSameIndexValues,
      omitsManagedFields: this.#options.readsManagedFields?.(kind) !== true,
      transform(object) {
        onReceived?.(kind, object)
        return ownerOfObjects === 'server' ? object : withoutManagedFields(object)
      },
      ...(random && { random }),
      ...(ownerOfObjects === 'informer' && !kind.hasFewEqualParts && { groupOf }),
      onFailure: (error) => onFailure?.(`watching ${name}`, error),
    })
    this.#informers.set(name, informer)
    return informer as unknown as Informer<T>
  }

  /** The informer of that kind, if one was asked for. */
  find<T extends KubernetesObject>({ plural, group }: Resource<T>): Informer<T> | undefined {
    return this.#informers.get(`${plural}.${group}`) as Informer<T> | undefined
  }

  start(): void {
    this.#started = true
    for (const informer of this.#informers.values()) informer.start()
  }

  /** Resolves when every informer has synced. */
  get synced(): Promise<void> {
    return Promise.all([...this.#informers.values()].map((informer) => informer.synced)).then(() => undefined)
  }

  get hasSynced(): boolean {
    for (const informer of this.#informers.values()) if (!informer.hasSynced) return false
    return true
  }

  stop(): void {
    for (const informer of this.#informers.values()) informer.stop()
  }
}
