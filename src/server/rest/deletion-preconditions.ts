// The preconditions of a deletion that marks its object as terminating.
// Kubernetes: k8s.io/apiserver/pkg/storage.Preconditions.Check
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeDelete
import type { Kind } from '../../api/machinery/kind.ts'
import { conflictError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { DeleteQuery } from './rest.ts'

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
