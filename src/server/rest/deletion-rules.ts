// What a deletion may ask for: the rules for DeleteOptions, whether they come in a request, in an Eviction or from a caller in the process.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1/validation.ValidateDeleteOptions
import { type FieldError, invalid, notSupported } from '../../api/machinery/field-error.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { conflictError, invalidError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { DeleteQuery } from './rest.ts'

const policies = ['Foreground', 'Background', 'Orphan']

/** Throws a StatusError of reason Invalid. */
export function checkDeleteOptions(
  { propagationPolicy, orphanDependents }: Pick<DeleteQuery, 'propagationPolicy' | 'orphanDependents'>,
  dryRun: readonly string[] = [],
): void {
  const errors: FieldError[] = []
  if (orphanDependents !== undefined && propagationPolicy !== undefined)
    errors.push(invalid('propagationPolicy', propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'))
  if (propagationPolicy !== undefined && !policies.includes(propagationPolicy))
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil']))
  errors.push(...validateDryRun(dryRun))
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)
}

export function validateDryRun(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])]
}

// The preconditions of a deletion that marks its object as terminating.
// Kubernetes: k8s.io/apiserver/pkg/storage.Preconditions.Check
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeDelete
export function checkPreconditions(kind: Kind, name: string, { metadata }: KubernetesObject, { preconditions = {} }: DeleteQuery): void {
  for (const [field, label] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = preconditions[field]
    const found = metadata?.[field] ?? ''
    if (wanted !== undefined && wanted !== found)
      throw conflictError(kind, name, `Precondition failed: ${label} in precondition: ${wanted}, ${label} in object meta: ${found}`)
  }
}
