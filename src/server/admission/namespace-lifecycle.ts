// Nothing is created in a namespace that does not exist or is terminating, and some namespaces are never deleted.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle.Lifecycle.Admit

import { namespaces } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { failure, forbiddenError, notFoundError } from '../../api/machinery/status-error.ts'
import type { Namespace } from '../../api/types.ts'
import { type AdmissionPlugin, admittedName, among } from './plugin.ts'

export const namespaceLifecycle: AdmissionPlugin = {
  concerns: ({ namespaced }) => namespaced,
  admit({ kind, current, next, namespace, cluster }) {
    if (current === undefined) admitIntoNamespace(kind, admittedName(next), namespace, cluster.namespace(namespace))
  },
}

export const namespaceDeletion: AdmissionPlugin = {
  concerns: among(namespaces),
  admitDelete: (name) => (undeletable.has(name) ? 'this namespace may not be deleted' : undefined),
}

const undeletable = new Set(['default', 'kube-system', 'kube-public'])

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
