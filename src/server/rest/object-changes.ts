// Comparison of two versions of an object.
import { hasEqualFields, isEqualJson } from '../../base/json.ts'

type Json = Readonly<Record<string, unknown>>

/** Whether a write would change nothing but its resourceVersion and the times in managedFields. */
export function isUnchanged(next: object, current: object): boolean {
  return hasEqualFields(next as Json, current as Json, (a, b, field) =>
    field === 'metadata' ? hasEqualFields(a as Json, b as Json, isSameMetadata) : isEqualJson(a, b),
  )
}

function isSameMetadata(a: unknown, b: unknown, field: string): boolean {
  if (field === 'resourceVersion') return true
  if (field !== 'managedFields' || !Array.isArray(a) || !Array.isArray(b)) return isEqualJson(a, b)
  return a.length === b.length && a.every((entry, at) => isEqualJson({ ...(entry as Json), time: '' }, { ...(b[at] as Json), time: '' }))
}

/** Whether anything but metadata and status differs, which increments metadata.generation. */
export function isContentChanged(next: object, current: object): boolean {
  return !hasEqualFields(next as Json, current as Json, (a, b, field) => field === 'metadata' || field === 'status' || isEqualJson(a, b))
}
