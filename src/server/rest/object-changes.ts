// Comparison of two versions of an object.
import type { KubernetesObject, ObjectMeta } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'

/** Whether a write would change nothing but its resourceVersion and the times in managedFields. */
export const isUnchanged = (next: KubernetesObject, current: KubernetesObject): boolean =>
  // Metadata last: most writes change another part.
  isEqualJson({ ...next, metadata: undefined }, { ...current, metadata: undefined }) &&
  isEqualJson(comparable(next.metadata), comparable(current.metadata))

const comparable = (metadata: ObjectMeta | undefined) => ({
  ...metadata,
  resourceVersion: '',
  managedFields: metadata?.managedFields?.map((entry) => ({ ...entry, time: '' })),
})

/** Whether anything but metadata and status differs, which increments metadata.generation. */
export const isContentChanged = (next: KubernetesObject, current: KubernetesObject): boolean =>
  !isEqualJson({ ...next, metadata: undefined, status: undefined }, { ...current, metadata: undefined, status: undefined })
