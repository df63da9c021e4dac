import { fill, fillMap, replaceFields } from '../../../machinery/fields.ts'
import type { Namespace, Writable } from '../../../types.ts'

const nameLabel = 'kubernetes.io/metadata.name'

/** Every namespace has its name as a label. With generateName, the label is set once the name is generated. */
export function defaultNamespace(namespace: Writable<Namespace>): void {
  const name = namespace.metadata?.name
  const labels = namespace.metadata?.labels
  if (name && labels?.[nameLabel] !== name)
    namespace.metadata = replaceFields('meta.ObjectMeta', namespace.metadata, { labels: fillMap({ [nameLabel]: name }, labels ?? {}) })
  if (!namespace.spec) namespace.spec = {}
  namespace.status = fill('core.NamespaceStatus', namespace.status, { phase: 'Active' })
}
