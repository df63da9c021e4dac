// Kubernetes: pkg/printers/internalversion.printNamespace
// Kubernetes: pkg/registry/core/namespace.NamespaceToSelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForNamespace
// Kubernetes: pkg/registry/core/namespace.namespaceStrategy.*, namespaceStatusStrategy.*, namespaceFinalizeStrategy.*
// Kubernetes: pkg/apis/core/v1.SetDefaults_Namespace
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid, typed } from '../../../machinery/field-error.ts'
import { fill, fillMap, replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { finalizerFormMessages } from '../../../machinery/validation/metadata.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import type { Namespace, Writable } from '../../../types.ts'

export const namespaces: Kind<Namespace> = {
  ...resource('core.Namespace'),
  strategy: {
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
  },
  selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
  columns: columnsOf([
    nameColumn,
    text('Status', 'The status of the namespace: Active or Terminating.', ({ status }) => status?.phase ?? ''),
    ageColumn,
  ]),
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}

const nameLabel = 'kubernetes.io/metadata.name'

const namespaceFinalizer = 'kubernetes'

/** Every namespace has its name as a label. With generateName, the label is set once the name is generated. */
function defaultNamespace(namespace: Writable<Namespace>): void {
  const name = namespace.metadata?.name
  const labels = namespace.metadata?.labels
  if (name && labels?.[nameLabel] !== name)
    namespace.metadata = replaceFields('meta.ObjectMeta', namespace.metadata, { labels: fillMap({ [nameLabel]: name }, labels ?? {}) })
  if (!namespace.spec) namespace.spec = {}
  namespace.status = fill('core.NamespaceStatus', namespace.status, { phase: 'Active' })
}

// Kubernetes: pkg/apis/core/validation.ValidateNamespace, ValidateNamespaceUpdate, ValidateNamespaceStatusUpdate
// Kubernetes: pkg/apis/core/validation.ValidateNamespaceFinalizeUpdate
function validateFinalizers({ spec }: Namespace, at: (index: number) => string): FieldError[] {
  return (spec?.finalizers ?? []).flatMap((finalizer, index) =>
    [...isQualifiedName(finalizer), ...finalizerFormMessages(finalizer)].map((message) => invalid(at(index), finalizer, message)),
  )
}

export function validateNamespace(namespace: Namespace): FieldError[] {
  return validateFinalizers(namespace, () => 'spec.finalizers')
}

/** A write to `finalize`. */
export function validateNamespaceFinalizeUpdate(next: Namespace): FieldError[] {
  return validateFinalizers(next, (index) => `spec.finalizers[${index}]`)
}

export function validateNamespaceStatusUpdate(next: Namespace): FieldError[] {
  const phase = next.status?.phase
  const [expected, when] = next.metadata?.deletionTimestamp ? ['Terminating', 'is not empty'] : ['Active', 'is empty']
  if (phase === expected) return []
  return [invalid('status.Phase', typed(phase), `may only be '${expected}' if \`deletionTimestamp\` ${when}`)]
}
