// Which rules apply to a user: those of the roles that bindings grant to the user, its groups or its service account. Pure.
// Kubernetes: pkg/registry/rbac/validation.DefaultRuleResolver.*, appliesTo, appliesToUser
import type { ClusterRoleBinding, PolicyRule, RoleBinding, RoleSubject } from '../../api/types.ts'
import type { Caller } from '../rest/rest.ts'
import { serviceAccountUser } from './service-account-names.ts'

export interface RoleReader {
  clusterRoleBindings(): readonly ClusterRoleBinding[]
  roleBindings(namespace: string): readonly RoleBinding[]
  /** Undefined where there is no such role. */
  clusterRole(name: string): { readonly rules?: readonly PolicyRule[] } | undefined
  role(namespace: string, name: string): { readonly rules?: readonly PolicyRule[] } | undefined
}

interface GrantedRule {
  readonly rule: PolicyRule
  /** `ClusterRoleBinding "a" of ClusterRole "b" to User "c"`. */
  readonly grant: string
}

export interface GrantedRules {
  readonly rules: readonly GrantedRule[]
  /** Roles that bindings name and that do not exist. */
  readonly errors: readonly string[]
}

/** Namespace '' is the cluster scope, where only ClusterRoleBindings count. */
export function resolveRules(reader: RoleReader, user: Caller, namespace: string): GrantedRules {
  const rules: GrantedRule[] = []
  const errors: string[] = []
  const add = (bindings: readonly RoleBinding[], kind: string, bindingNamespace: string) => {
    for (const { metadata, subjects, roleRef } of bindings) {
      const subject = subjects?.find((one) => includesUser(one, user, bindingNamespace))
      if (subject === undefined) continue
      const isLocal = roleRef.kind === 'Role'
      const role = isLocal ? reader.role(bindingNamespace, roleRef.name) : reader.clusterRole(roleRef.name)
      if (role === undefined) {
        errors.push(`${isLocal ? 'role' : 'clusterrole'}.rbac.authorization.k8s.io ${JSON.stringify(roleRef.name)} not found`)
        continue
      }
      const name = bindingNamespace === '' ? metadata?.name : `${metadata?.name}/${bindingNamespace}`
      const grant = `${kind} ${JSON.stringify(name)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describe(subject, bindingNamespace)}`
      for (const rule of role.rules ?? []) rules.push({ rule, grant })
    }
  }
  add(reader.clusterRoleBindings(), 'ClusterRoleBinding', '')
  if (namespace !== '') add(reader.roleBindings(namespace), 'RoleBinding', namespace)
  return { rules, errors }
}

function includesUser({ kind, name, namespace }: RoleSubject, user: Caller, bindingNamespace: string): boolean {
  switch (kind) {
    case 'User':
      return user.name === name
    case 'Group':
      return user.groups.includes(name)
    case 'ServiceAccount': {
      // A subject without a namespace is in that of the binding.
      const own = namespace || bindingNamespace
      return own !== '' && user.name === serviceAccountUser(own, name)
    }
    default:
      return false
  }
}

const describe = ({ kind, name, namespace }: RoleSubject, bindingNamespace: string) =>
  `${kind} ${JSON.stringify(kind === 'ServiceAccount' ? `${name}/${namespace || bindingNamespace}` : name)}`
