// Kubernetes: pkg/registry/core/namespace.namespaceStrategy.*, namespaceStatusStrategy.*, namespaceFinalizeStrategy.*
// Kubernetes: pkg/apis/core/v1.SetDefaults_Namespace
import { fill, fillMap, replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { Namespace, Writable } from '../../../types.ts'
import { validateNamespace, validateNamespaceStatusUpdate } from './validation.ts'

const nameLabel = 'kubernetes.io/metadata.name'

const namespaceFinalizer = 'kubernetes'

export const namespaceStrategy: Strategy<Namespace> = {
  names: 'dns-label',
  default: defaultNamespace,
  prepareForCreate(namespace) {
    // When the defaults were set, a generated name did not exist yet.
    defaultNamespace(namespace)
    namespace.status = { phase: 'Active' }
    const finalizers = namespace.spec?.finalizers ?? []
    if (!finalizers.includes(namespaceFinalizer)) namespace.spec = { ...namespace.spec, finalizers: [...finalizers, namespaceFinalizer] }
  },
  // The finalizers of the spec have an endpoint of their own.
  prepareForUpdate(next, current) {
    keepStatus(next, current)
    keepSpec(next, current)
  },
  prepareForStatusUpdate: keepSpec,
  validate: validateNamespace,
  metadata: { onUpdate: ['changes', 'as new'] },
  validateUpdate: validateNamespace,
  validateStatusUpdate: validateNamespaceStatusUpdate,
}

/** Every namespace has its name as a label. With generateName, the label is set once the name is generated. */
function defaultNamespace(namespace: Writable<Namespace>): void {
  const name = namespace.metadata?.name
  const labels = namespace.metadata?.labels
  if (name && labels?.[nameLabel] !== name)
    namespace.metadata = replaceFields('meta.ObjectMeta', namespace.metadata, { labels: fillMap({ [nameLabel]: name }, labels ?? {}) })
  if (!namespace.spec) namespace.spec = {}
  namespace.status = fill('core.NamespaceStatus', namespace.status, { phase: 'Active' })
}
