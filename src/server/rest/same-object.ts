// Is there anything to write? A field that is undefined is a field that is not there.

type Json = Readonly<Record<string, unknown>>

export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let at = 0; at < a.length; at++) if (!isSameJson(a[at], b[at])) return false
    return true
  }
  if (Array.isArray(b)) return false
  return isSameFields(a as Json, b as Json, isSameJson)
}

function isSameFields(a: Json, b: Json, isSame: (a: unknown, b: unknown, field: string) => boolean): boolean {
  let defined = 0
  for (const field in a) {
    const value = a[field]
    if (value === undefined) continue
    defined++
    if (!Object.hasOwn(b, field) || !isSame(value, b[field], field)) return false
  }
  for (const field in b) if (b[field] !== undefined) defined--
  return defined === 0
}

/** Whether a write would change nothing but its resourceVersion and the times in managedFields. */
export function isUnchanged(next: object, current: object): boolean {
  return isSameFields(next as Json, current as Json, (a, b, field) =>
    field === 'metadata' ? isSameFields(a as Json, b as Json, isSameMetadata) : isSameJson(a, b),
  )
}

function isSameMetadata(a: unknown, b: unknown, field: string): boolean {
  if (field === 'resourceVersion') return true
  if (field !== 'managedFields' || !Array.isArray(a) || !Array.isArray(b)) return isSameJson(a, b)
  return a.length === b.length && a.every((entry, at) => isSameJson({ ...(entry as Json), time: '' }, { ...(b[at] as Json), time: '' }))
}

/** Whether anything but metadata and status differs: what a generation counts. */
export function isContentChanged(next: object, current: object): boolean {
  return !isSameFields(next as Json, current as Json, (a, b, field) => field === 'metadata' || field === 'status' || isSameJson(a, b))
}
