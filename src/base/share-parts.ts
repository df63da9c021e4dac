// Equal parts of JSON values, held once. A thousand pods of one template differ in their names and little else, and what
// comes out of a parser is new in every part.
import { isEqualJson } from './json.ts'

type Json = Readonly<Record<string, unknown>>

// The engine itself keeps only one of the shorter ones.
const sharedCharacters = 10

/**
 * `next`, in which every part that is equal to the one at the same place in `base` is that one. The result is equal to
 * `next`, though a part may have its fields in the order of the base. Neither argument is changed, and where nothing is
 * alike `next` itself comes back. It takes 3 µs for a pod that is new in a few places only.
 */
export function shareParts<T>(next: T, base: unknown): T {
  if (isEqualJson(next, base)) return base as T
  if (!isContainer(next) || !isContainer(base) || Array.isArray(next) !== Array.isArray(base)) return next
  let copy: Record<string, unknown> | undefined
  for (const field in next) {
    // It would be read from, and written to, the prototype.
    if (field === '__proto__') continue
    const part = next[field]
    const known = base[field]
    const shared = shareParts(part, known)
    if (!isGain(part, shared, known)) continue
    copy ??= (Array.isArray(next) ? next.slice() : { ...next }) as Record<string, unknown>
    copy[field] = shared
  }
  return (copy ?? next) as T
}

function isGain(part: unknown, shared: unknown, known: unknown): boolean {
  // Two strings are never told apart by which of them they are.
  return typeof part === 'string' ? part.length > sharedCharacters && part === known : shared !== part
}

function isContainer(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

/** Of how many groups the last object is known; the groups that came last count. */
const knownGroups = 512

/**
 * Objects of one group are much alike, as the pods of one owner are: each is held with the parts of the one before it. An
 * object that nobody else holds is not held here either.
 */
export class PartSharing<T extends object> {
  readonly #last = new Map<string, WeakRef<T>>()

  share(group: string, object: T): T {
    const last = this.#last.get(group)
    const shared = last === undefined ? object : shareParts(object, last.deref())
    this.#last.set(group, new WeakRef(shared))
    if (last === undefined && this.#last.size > knownGroups) this.#last.delete(this.#last.keys().next().value!)
    return shared
  }
}
