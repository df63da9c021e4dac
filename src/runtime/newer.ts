// Which of two states of an object is the later one.
import type { KubernetesObject, Stored } from '../api/types.ts'

/**
 * A copy that is kept by a watch, and what its owner has written last: the newer of the two. Versions are numbers that
 * grow; where they are not, and where the object was replaced, the copy is believed.
 */
export function newerOf<T extends KubernetesObject>(cached: Stored<T>, written: Stored<T> | undefined): Stored<T> {
  if (written === undefined || written.metadata.uid !== cached.metadata.uid) return cached
  const left = written.metadata.resourceVersion
  const right = cached.metadata.resourceVersion
  if (!/^[0-9]+$/.test(left) || !/^[0-9]+$/.test(right)) return cached
  return left.length > right.length || (left.length === right.length && left > right) ? written : cached
}
