// Watches several resources of a cluster together, for readers that change nothing.
import type { Resource } from '../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import { Informer } from '../runtime/informer.ts'

interface WatchedObjectsOptions {
  readonly client: Client
  readonly clock: Clock
  readonly resources: readonly Resource[]
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  /** What is held of an object. Default: the object itself. */
  transform?(resource: Resource, object: Stored<KubernetesObject>): Stored<KubernetesObject>
  /** `current` is undefined for a deleted object, `previous` for a new one. After a gap, only differences are reported. */
  onChange(resource: Resource, current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): void
  /** A list or a watch failed. It is retried. */
  onFailure?(resource: Resource, error: unknown): void
}

export interface WatchedObjects {
  /** Resolves when all existing objects have been reported. */
  readonly synced: Promise<void>
  stop(): void
}

export function watchObjects({
  client,
  clock,
  resources,
  namespace,
  transform,
  onChange,
  onFailure,
}: WatchedObjectsOptions): WatchedObjects {
  const informers = resources.map((resource) => {
    const informer = new Informer({
      client,
      clock,
      resource,
      ...(namespace !== undefined && resource.namespaced && { namespace }),
      ...(transform && { transform: (object) => transform(resource, object) }),
      onFailure: (error) => onFailure?.(resource, error),
    })
    informer.onChange((current, previous) => onChange(resource, current, previous))
    informer.start()
    return informer
  })
  return {
    synced: Promise.all(informers.map(({ synced }) => synced)).then(() => {}),
    stop: () => {
      for (const informer of informers) informer.stop()
    },
  }
}
