import { fill, fillMap, replaceFields } from '../../../machinery/fields.ts'
import type { Namespace, Writable } from '../../../types.ts'

const nameLabel = 'kubernetes.io/metadata.name'

/** Every namespace carries its own name as a label. One that is still to be named gets it when it has its name. */
export function defaultNamespace(namespace: Writable<Namespace>): void {
  const name = namespace.metadata?.name
  const labels = namespace.metadata?.labels
  if (name && labels?.[nameLabel] !== name)
    namespace.metadata = replaceFields('meta.ObjectMeta', namespace.metadata, { labels: fillMap({ [nameLabel]: name }, labels ?? {}) })
  if (!namespace.spec) namespace.spec = {}
  namespace.status = fill('core.NamespaceStatus', namespace.status, { phase: 'Active' })
}
