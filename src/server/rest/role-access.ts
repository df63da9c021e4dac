// Roles in the store, as the authorizer reads them.
// Kubernetes: pkg/registry/rbac/validation.AuthorizationRuleResolver
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { ClusterRoleBinding, KubernetesObject, RoleBinding } from '../../api/types.ts'
import { type Authorizer, createAuthorizer } from '../auth/authorizer.ts'
import type { RoleReader } from '../auth/rule-resolver.ts'
import { readObject } from './admission.ts'
import type { AdmissionObjects } from './admission-objects.ts'
import { prefixOf, type Storage } from './scope.ts'

const kindsRead = [roles, clusterRoles, roleBindings, clusterRoleBindings]

export function createRoleReader(storage: Storage, objects: AdmissionObjects): RoleReader {
  const read = <T extends KubernetesObject>(kind: Kind<T>, namespace: string, name: string) =>
    readObject(storage, kind, namespace, name) as T | undefined
  return {
    clusterRoleBindings: () => objects.list<ClusterRoleBinding>(clusterRoleBindings, ''),
    roleBindings: (namespace) => objects.list<RoleBinding>(roleBindings, namespace),
    clusterRole: (name) => read(clusterRoles, '', name),
    role: (namespace, name) => read(roles, namespace, name),
  }
}

export const createStoredAuthorizer = ({ store }: Storage, reader: RoleReader): Authorizer =>
  createAuthorizer(reader, (changed) => {
    for (const kind of kindsRead) store.watch(prefixOf(kind, ''), store.revision, changed)
  })
