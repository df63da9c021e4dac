// Ours: one way to build a controller of workloads from caches.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Informer } from '../../runtime/informer.ts'

/** The controller of the object, if it is of that kind and in the cache. */
export function cachedController<T extends KubernetesObject>(
  cache: Informer<T>,
  kind: string,
  object: Stored<KubernetesObject>,
): Stored<T> | undefined {
  const owner = controllerOf(object)
  const found = owner?.kind === kind ? cache.get(`${object.metadata.namespace ?? ''}/${owner.name}`) : undefined
  return found?.metadata.uid === owner?.uid ? found : undefined
}
