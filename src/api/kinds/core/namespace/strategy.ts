import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { Namespace } from '../../../types.ts'
import { defaultNamespace } from './defaults.ts'
import { validateNamespace, validateNamespaceStatusUpdate } from './validation.ts'

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
  validateUpdate: andAsNew('cluster', 'dns-label', validateNamespace),
  validateStatusUpdate: validateNamespaceStatusUpdate,
}
