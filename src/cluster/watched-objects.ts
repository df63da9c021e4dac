// Several resources of a cluster, watched together: for those who look at a cluster and change nothing.
import type { Resource } from '../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import { Informer } from '../runtime/informer.ts'

export interface WatchedObjectsOptions {
  readonly client: Client
  readonly clock: Clock
  readonly resources: readonly Resource[]
  /** Absent: all namespaces. */
  readonly namespace?: string
  /** `current` is absent when it is gone, `previous` when it is new. After a gap only what differs is told. */
  onChange(resource: Resource, current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): void
  /** A list or a watch failed, and is tried again. */
  onFailure?(resource: Resource, error: unknown): void
}

export interface WatchedObjects {
  /** Resolves when everything that was there has been told. */
  readonly synced: Promise<void>
  stop(): void
}

export function watchObjects({ client, clock, resources, namespace, onChange, onFailure }: WatchedObjectsOptions): WatchedObjects {
  const informers = resources.map((resource) => {
    const informer = new Informer({
      client,
      clock,
      resource,
      ...(namespace !== undefined && resource.namespaced && { namespace }),
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
