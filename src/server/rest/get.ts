// get: the current version of one object.
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.Get
import type { Kind } from '../../api/machinery/kind.ts'
import type { Entry } from './entry.ts'
import { parseResourceVersion, parseVersionOfGet, tooLargeVersionError } from './resource-version.ts'
import { readEntry, type Storage } from './scope.ts'

export function get(scope: Storage, kind: Kind, namespace: string, name: string, resourceVersion: string | undefined): Entry {
  // Kubernetes reads events without a cache, which has another message.
  const asked = kind.isLog ? parseResourceVersion(resourceVersion) : parseVersionOfGet(resourceVersion)
  if (asked > scope.store.revision) throw tooLargeVersionError(resourceVersion ?? '', scope.store.revision, 1)
  return readEntry(scope, kind, namespace, name)
}
