// Objects that the manifests contain more than once. Pure.
import { isDeepStrictEqual } from 'node:util'
import { formatPlace, InputError } from './input-error.ts'
import type { PlannedObject } from './plan.ts'
import { isWorkload } from './workload-kinds.ts'

/**
 * Leaves out repetitions of an equal object. Throws an InputError for two workloads of one name that differ: a step could mean
 * either. Other objects may differ: as with kubectl apply, the last one counts.
 */
export function withoutDuplicates(objects: readonly PlannedObject[]): readonly PlannedObject[] {
  const firsts = new Map<string, PlannedObject>()
  return objects.filter((one) => {
    const { apiVersion, kind, metadata } = one.object
    // The server chooses a name for each of these.
    if (metadata?.name === undefined) return true
    const key = JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name])
    const first = firsts.get(key)
    if (first !== undefined && isDeepStrictEqual(first.object, one.object)) return false
    if (first !== undefined && isWorkload(one))
      throw new InputError(
        `${kind} ${metadata.name} is in ${formatPlace(first.place)} too, and differs. Leave one out, or give the file with the new one to --to`,
        one.place,
      )
    // Of the versions 1, 2 and 1 the last one counts, although it repeats the first.
    firsts.set(key, one)
    return true
  })
}
