// Namespaces.
// Kubernetes: pkg/apis/core/validation.ValidateNamespace, ValidateNamespaceUpdate, ValidateNamespaceStatusUpdate
// Kubernetes: pkg/apis/core/validation.ValidateNamespaceFinalizeUpdate
import { type FieldError, invalid, typed } from '../../../machinery/field-error.ts'
import { finalizerFormMessages } from '../../../machinery/validation/metadata.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import type { Namespace } from '../../../types.ts'

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
