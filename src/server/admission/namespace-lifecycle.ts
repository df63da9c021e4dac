// Nothing comes into a namespace that does not exist or that is on its way out, and some namespaces never go.

import type { Kind } from '../../api/kind.ts'
import { namespaces } from '../../api/kinds.ts'
import { failure, forbiddenError, notFoundError } from '../../api/status-error.ts'
import type { Namespace } from '../../api/types.ts'

const immortal = new Set(['default', 'kube-system', 'kube-public'])

/** Throws a StatusError (404, 403). `namespace` is the object of that name, if there is one. */
export function admitIntoNamespace(kind: Kind, name: string, namespaceName: string, namespace: Namespace | undefined): void {
  if (namespace === undefined) throw notFoundError(namespaces, namespaceName)
  if (namespace.status?.phase !== 'Terminating') return
  const { status } = forbiddenError(kind, name, `unable to create new content in namespace ${namespaceName} because it is being terminated`)
  throw failure(403, 'Forbidden', status.message ?? '', {
    ...status.details,
    causes: [{ reason: 'NamespaceTerminating', message: `namespace ${namespaceName} is being terminated`, field: 'metadata.namespace' }],
  })
}

/** Throws a StatusError (403). */
export function admitNamespaceDeletion(name: string): void {
  if (immortal.has(name)) throw forbiddenError(namespaces, name, 'this namespace may not be deleted')
}
