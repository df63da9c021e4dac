// The finalizers that make the garbage collector orphan or delete the dependents.
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.deletionFinalizersForGarbageCollection, shouldOrphanDependents
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.shouldDeleteDependentsInForeground
import type { Kind } from '../../api/machinery/kind.ts'
import type { DeleteQuery } from './rest.ts'

const orphan = 'orphan'
const foreground = 'foregroundDeletion'

type Propagation = 'orphan' | 'foreground' | 'background'

/** The finalizers of an object after a delete request. */
export function planFinalizers(kind: Kind, finalizers: readonly string[], query: DeleteQuery): readonly string[] {
  // Logs have no dependents, and the garbage collector does not watch them.
  if (kind.isLog) return finalizers
  const wish = propagationOf(kind, finalizers, query)
  const others = finalizers.filter((one) => one !== orphan && one !== foreground)
  if (wish === 'orphan') return [...others, orphan]
  return wish === 'foreground' ? [...others, foreground] : others
}

function propagationOf(
  { strategy }: Kind,
  finalizers: readonly string[],
  { orphanDependents, propagationPolicy }: DeleteQuery,
): Propagation {
  if (orphanDependents !== undefined) return orphanDependents ? 'orphan' : 'background'
  if (propagationPolicy === 'Orphan') return 'orphan'
  if (propagationPolicy === 'Foreground') return 'foreground'
  if (propagationPolicy === 'Background') return 'background'
  const earlier = finalizers.find((one) => one === orphan || one === foreground)
  if (earlier !== undefined) return earlier === orphan ? 'orphan' : 'foreground'
  return strategy.defaultPropagation === 'Orphan' ? 'orphan' : 'background'
}
