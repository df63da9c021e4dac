// Comparison of two versions of an object.
// Kubernetes: pkg/registry/core/pod.podStrategy.PrepareForUpdate
// Kubernetes: k8s.io/apimachinery/pkg/api/equality.Semantic
import type { KubernetesObject, ObjectMeta } from '../../api/types.ts'
import { hasEqualFields } from '../../base/json.ts'

/** Whether a write would change nothing but its resourceVersion and the times in managedFields. */
export const isUnchanged = (next: KubernetesObject, current: KubernetesObject): boolean =>
  // Metadata last: most writes change another part.
  hasEqualFields(next, current, metadataOnly) && isUnchangedMetadata(next.metadata ?? {}, current.metadata ?? {})

const metadataOnly: ReadonlySet<string> = new Set(['metadata'])
const metadataAndStatus: ReadonlySet<string> = new Set(['metadata', 'status'])

const versionAndOwners: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields'])
const timeOnly: ReadonlySet<string> = new Set(['time'])

function isUnchangedMetadata(next: ObjectMeta, current: ObjectMeta): boolean {
  if (!hasEqualFields(next, current, versionAndOwners)) return false
  const [owners, before] = [next.managedFields, current.managedFields]
  if (owners === before || owners === undefined || before === undefined) return owners === before
  return (
    owners.length === before.length && owners.every((owner, at) => owner === before[at] || hasEqualFields(owner, before[at]!, timeOnly))
  )
}

/** Whether anything but metadata and status differs, which increments metadata.generation. */
export const isContentChanged = (next: KubernetesObject, current: KubernetesObject): boolean =>
  !hasEqualFields(next, current, metadataAndStatus)
