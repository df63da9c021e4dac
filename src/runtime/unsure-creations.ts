// A request whose answer was lost may have been carried out: one more try would make a second object.
import { pods as podKind } from '../api/kinds.ts'
import { isStatusError } from '../api/status-error.ts'
import type { Pod, Stored } from '../api/types.ts'
import type { Client } from '../client/client.ts'
import type { Expectations } from './expectations.ts'
import { type Informer, keyOf } from './informer.ts'
import { controllerUid } from './shared-informers.ts'

/** Whether the request may have been carried out although it failed. */
export const isUnsure = (error: unknown): boolean => !isStatusError(error) || (error.status.code ?? 500) >= 500

export interface UnsureCreations {
  readonly client: Client
  readonly expectations: Expectations
  readonly pods: Informer<Pod>
  /** Of the owner, in the queue. */
  readonly key: string
  readonly namespace: string
  readonly ownerUid: string
  /** One of those that were to be created. */
  readonly pod: Pod
}

/**
 * The server knows what there is: what the copy does not show of it is still to be seen, and nothing else is expected any
 * more. Where the server cannot be asked, all stay expected, until they are given up.
 */
export async function findUnsureCreations(creations: UnsureCreations): Promise<void> {
  const { client, expectations, pods, key, namespace, ownerUid, pod } = creations
  const labels = Object.entries(pod.metadata?.labels ?? {}).map(([name, value]) => `${name}=${value}`)
  // What goes while the server is asked was seen, and may be in its answer all the same.
  const gone = new Set<string>()
  const stopFollowing = pods.onChange((current, previous) => {
    if (current === undefined && previous !== undefined) gone.add(previous.metadata.uid)
  })
  let items: readonly Stored<Pod>[]
  try {
    items = (await client.list(podKind, { namespace, labelSelector: labels.join(',') })).items
  } catch {
    return
  } finally {
    stopFollowing()
  }
  const isUnseen = (one: Stored<Pod>) =>
    controllerUid(one) === ownerUid && !gone.has(one.metadata.uid) && pods.get(keyOf(one))?.metadata.uid !== one.metadata.uid
  const unseen = items.filter(isUnseen).length
  while (expectations.outstandingCreations(key) > unseen) expectations.creationObserved(key)
}
