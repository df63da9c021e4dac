// Comparison of two versions of an object.
import type { KubernetesObject, ObjectMeta } from '../../api/types.ts'
import { hasEqualFields, isEqualJson } from '../../base/json.ts'

/** Whether a write would change nothing but its resourceVersion and the times in managedFields. */
export const isUnchanged = (next: KubernetesObject, current: KubernetesObject): boolean =>
  // Metadata last: most writes change another part.
  hasEqualFields(next, current, metadataOnly) && isEqualJson(comparable(next.metadata), comparable(current.metadata))

const metadataOnly: ReadonlySet<string> = new Set(['metadata'])
const metadataAndStatus: ReadonlySet<string> = new Set(['metadata', 'status'])

const comparable = (metadata: ObjectMeta | undefined) => ({
  ...metadata,
  resourceVersion: '',
  managedFields: metadata?.managedFields?.map((entry) => ({ ...entry, time: '' })),
})

/** Whether anything but metadata and status differs, which increments metadata.generation. */
export const isContentChanged = (next: KubernetesObject, current: KubernetesObject): boolean =>
  !hasEqualFields(next, current, metadataAndStatus)
