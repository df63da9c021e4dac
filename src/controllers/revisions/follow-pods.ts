// Brings the changes of pods to the sets that they belong to, or could belong to.

import type { KubernetesObject, OwnerReference, Pod, Stored } from '../../api/types.ts'
import { hasSameLabels } from '../../base/label-selector.ts'
import { isCountedOtherwise } from '../../planners/replica-set/pod-change.ts'
import type { Expectations } from '../../runtime/expectations.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'

export interface PodFollower<T extends KubernetesObject> {
  readonly kind: string
  readonly sets: Informer<T>
  readonly expectations: Expectations
  /** Whether the set would take the pod over. */
  selects(set: Stored<T>, pod: Stored<Pod>): boolean
  /** Whether a change of a pod makes a difference to its set. Default: it is counted otherwise, or is in another place. */
  matters?(current: Stored<Pod>, previous: Stored<Pod>): boolean
  /** Look at the set now. */
  add(key: string): void
  /** Look at the set when some more changes have gathered. */
  addSoon(key: string): void
}

export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  for (const reference of metadata?.ownerReferences ?? []) if (reference.controller === true) return reference
  return undefined
}

/** What it calls when a pod has come, changed (`previous` is what it was) or gone (`current` is undefined). */
export function followPods<T extends KubernetesObject>(follower: PodFollower<T>) {
  const { kind, sets, expectations, selects, matters = isMovedOrCountedOtherwise, add, addSoon } = follower

  /** The key of the set that a reference means, or undefined: other kinds, and sets that are gone or were replaced. */
  const readOwnerKey = (reference: OwnerReference | undefined, namespace = ''): string | undefined => {
    if (reference?.kind !== kind) return undefined
    const key = `${namespace}/${reference.name}`
    return sets.get(key)?.metadata.uid === reference.uid ? key : undefined
  }

  return (current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined): void => {
    const pod = current ?? previous!
    const reference = controllerOf(pod)
    const formerReference = previous === undefined ? reference : controllerOf(previous)
    const isOwnerChanged = formerReference?.uid !== reference?.uid
    if (isOwnerChanged) {
      const former = readOwnerKey(formerReference, pod.metadata.namespace)
      if (former !== undefined) add(former)
    }
    const isGoing = current === undefined || pod.metadata.deletionTimestamp !== undefined
    if (reference === undefined) {
      if (isGoing || !(previous === undefined || isOwnerChanged || !hasSameLabels(pod.metadata.labels, previous.metadata.labels))) return
      for (const set of sets.byIndex('namespace', pod.metadata.namespace ?? '')) if (selects(set, pod)) add(keyOf(set))
      return
    }
    const key = readOwnerKey(reference, pod.metadata.namespace)
    if (key === undefined) return
    const wasWaiting = !expectations.isSatisfied(key)
    if (isGoing) expectations.deletionObserved(key, pod.metadata.uid)
    else if (previous === undefined) expectations.creationObserved(key)
    if (wasWaiting && expectations.isSatisfied(key)) add(key)
    else if (current === undefined || previous === undefined || isOwnerChanged || matters(current, previous)) addSoon(key)
  }
}

/** Whether a set would count the pod otherwise, or find it in another place. */
export function isMovedOrCountedOtherwise(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  return (
    isCountedOtherwise(current, previous) ||
    current.status?.phase !== previous.status?.phase ||
    current.spec?.nodeName !== previous.spec?.nodeName ||
    waitingReason(current) !== waitingReason(previous)
  )
}

const waitingReason = ({ status }: Pod) =>
  status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting?.reason

/** How long changes gather before the set looks at them: a look takes time in proportion to its pods. */
export function gatherMs(podCount: number): number {
  return podCount < 200 ? 0 : Math.min(podCount / 100, 50)
}
