// Roles in the store, as the authorizer reads them.
// Kubernetes: pkg/registry/rbac/validation.AuthorizationRuleResolver
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../api/types.ts'
import { type Authorizer, createAuthorizer } from '../auth/authorizer.ts'
import type { RoleReader } from '../auth/rule-resolver.ts'
import { entryOf, keyOf, prefixOf, type Scope } from './scope.ts'

const kindsRead = [roles, clusterRoles, roleBindings, clusterRoleBindings]

export function createRoleReader(readScope: () => Scope): RoleReader {
  const read = <T>(kind: Kind, namespace: string, name: string): T | undefined => {
    const scope = readScope()
    const record = scope.store.get(keyOf(kind, namespace, name))
    return record && (entryOf(scope, kind, record).object as unknown as T)
  }
  return {
    clusterRoleBindings: () => readScope().admissionObjects.list<ClusterRoleBinding>(clusterRoleBindings, ''),
    roleBindings: (namespace) => readScope().admissionObjects.list<RoleBinding>(roleBindings, namespace),
    clusterRole: (name) => read<ClusterRole>(clusterRoles, '', name),
    role: (namespace, name) => read<Role>(roles, namespace, name),
  }
}

export function createStoredAuthorizer(readScope: () => Scope): Authorizer {
  return createAuthorizer(createRoleReader(readScope), (changed) => {
    const { store } = readScope()
    for (const kind of kindsRead) store.watch(prefixOf(kind, ''), store.revision, changed)
  })
}
