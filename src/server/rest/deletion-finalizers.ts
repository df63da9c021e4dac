// What becomes of the dependents: the finalizers that the garbage collector works on.
import type { Kind } from '../../api/machinery/kind.ts'
import type { DeleteQuery } from './rest.ts'

const orphan = 'orphan'
const foreground = 'foregroundDeletion'

type Propagation = 'orphan' | 'foreground' | 'background'

/** The finalizers of an object once its deletion is asked for. */
export function planFinalizers(kind: Kind, finalizers: readonly string[], query: DeleteQuery): readonly string[] {
  // Nothing depends on a log, and the garbage collector does not know it.
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
