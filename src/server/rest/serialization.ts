// The serialized form of stored objects: JSON without `kind` and `apiVersion`, metadata first, split where the store inserts the
// revision. A user's value cannot be mistaken for the split: only escaped JSON strings precede it.
// Ours: the form in which this store holds objects.
import type { KubernetesObject, ObjectMeta, Writable } from '../../api/types.ts'

interface SplitJson {
  readonly head: string
  readonly tail: string
}

const marker = '"resourceVersion":"'

const beforeRevision = ['name', 'generateName', 'namespace', 'selfLink', 'uid'] as const
const afterRevision = [
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const

/** Metadata in Kubernetes' field order, with an empty resourceVersion, without other empty fields. */
export function orderMetadata(metadata: ObjectMeta): Writable<ObjectMeta> {
  const ordered: Record<string, unknown> = {}
  const from = metadata as Record<string, unknown>
  for (const field of beforeRevision) {
    const value = from[field]
    if (value !== undefined && !isEmpty(value)) ordered[field] = value
  }
  ordered['resourceVersion'] = ''
  for (const field of afterRevision) {
    const value = from[field]
    if (value !== undefined && !isEmpty(value)) ordered[field] = value
  }
  return ordered
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

/** The metadata must come from orderMetadata(). */
export function serialize(object: KubernetesObject): SplitJson {
  const metadata = object.metadata as Record<string, unknown>
  const rest: Record<string, unknown> = {}
  for (const field of afterRevision) if (metadata[field] !== undefined) rest[field] = metadata[field]
  const restJson = JSON.stringify(rest)
  let tail = restJson === '{}' ? '"}' : `",${restJson.slice(1)}`
  for (const [field, value] of Object.entries(object)) {
    if (field === 'metadata' || field === 'kind' || field === 'apiVersion') continue
    const text = JSON.stringify(value)
    if (text !== undefined) tail += `,${JSON.stringify(field)}:${text}`
  }
  return { head: serializeHead(metadata), tail: `${tail}}` }
}

/** The JSON up to the revision. */
export function serializeHead(metadata: ObjectMeta): string {
  const from = metadata as Record<string, unknown>
  let head = '{"metadata":{'
  for (const field of beforeRevision) if (from[field] !== undefined) head += `"${field}":${JSON.stringify(from[field])},`
  return head + marker
}

/** The JSON of an object that is not stored, with or without a resourceVersion. */
export function serializeUnstored(object: KubernetesObject, resourceVersion: string | undefined): string {
  const { head, tail } = serialize(object)
  if (resourceVersion) return head + resourceVersion + tail
  // `…,"resourceVersion":"` and `","generation":…`, or `"}` where nothing follows.
  const start = head.slice(0, -marker.length)
  const end = tail.slice(1)
  return end.startsWith(',') ? start + end.slice(1) : (start.endsWith(',') ? start.slice(0, -1) : start) + end
}

/** Splits a serialized object at its revision. */
export function splitAtRevision(text: string): SplitJson {
  // Quotes inside the preceding JSON strings are escaped, so the first match is the field itself.
  const start = text.indexOf(marker) + marker.length
  return { head: text.slice(0, start), tail: text.slice(text.indexOf('"', start)) }
}

export function replaceRevision(text: string, revision: number): string {
  const { head, tail } = splitAtRevision(text)
  return head + revision + tail
}
