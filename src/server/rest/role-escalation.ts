// Users cannot grant more than they have: a writer of roles or bindings must hold the rules that the write grants, or be allowed
// to `escalate` the role, or to `bind` it.
// Kubernetes: pkg/registry/rbac/clusterrole/policybased.Storage.*
// Kubernetes: pkg/registry/rbac/rolebinding/policybased.Storage.*
// Kubernetes: pkg/registry/rbac/validation.ConfirmNoEscalation
// Kubernetes: pkg/registry/rbac.BindingAuthorized, EscalationAllowed, RoleEscalationAuthorized

import { clusterRoles, roles } from '../../api/kinds.ts'
import { joinErrors } from '../../api/machinery/go-text.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { forbiddenError, notFoundError } from '../../api/machinery/status-error.ts'
import type { ClusterRole, PolicyRule, RoleBinding } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { isMaster } from '../auth/authorizer.ts'
import { compactRules, findUncovered, formatRule } from '../auth/policy-rules.ts'
import { createRoleReader } from './role-access.ts'
import type { Write } from './write-steps.ts'

const rbacGroup = 'rbac.authorization.k8s.io'
const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** Throws a StatusError (403, or 404 for a binding of a role that does not exist). */
export function checkEscalation(write: Write): void {
  if (write.kind.group !== rbacGroup || isMaster(write.options.caller)) return
  if (write.kind.kind === 'Role' || write.kind.kind === 'ClusterRole') checkRole(write)
  else checkBinding(write)
}

function checkRole(write: Write): void {
  const next = write.next as ClusterRole
  const current = write.current as ClusterRole | undefined
  const isSame = isEqualJson(next.rules ?? [], current?.rules ?? []) && isEqualJson(next.aggregationRule, current?.aggregationRule)
  if (isSame && current !== undefined) return
  if (isAllowed(write, 'escalate', write.kind, next.metadata?.name ?? '')) return
  requireHeld(write, next.rules ?? [])
  if (next.aggregationRule !== undefined)
    requireHeld(write, everything, (why) => `must have cluster-admin privileges to use an aggregationRule: ${why}`)
}

function checkBinding(write: Write): void {
  const { roleRef, subjects } = write.next as unknown as RoleBinding
  const current = write.current as RoleBinding | undefined
  if (current !== undefined && isEqualJson(roleRef, current.roleRef) && isEqualJson(subjects, current.subjects)) return
  const isLocal = roleRef.kind === 'Role'
  const kind = isLocal ? roles : clusterRoles
  if (isAllowed(write, 'bind', kind, roleRef.name)) return
  const reader = createRoleReader(() => write.scope)
  const role = isLocal ? reader.role(write.namespace, roleRef.name) : reader.clusterRole(roleRef.name)
  if (role === undefined) throw notFoundError(write.kind, roleRef.name)
  requireHeld(write, role.rules ?? [])
}

function isAllowed({ scope, options, namespace }: Write, verb: string, { group, plural }: Kind, name: string): boolean {
  return scope.authorizer.authorize(options.caller, { verb, group, resource: plural, subresource: '', namespace, name }).allowed
}

function requireHeld(write: Write, wanted: readonly PolicyRule[], explain: (why: string) => string = (why) => why): void {
  const { scope, kind, next, namespace, options } = write
  const { name, groups } = options.caller
  const { rules, errors } = scope.authorizer.rulesOf(options.caller, namespace)
  const missing = findUncovered(rules, wanted)
  if (missing.length === 0) return
  const shown = compactRules(missing).map(formatRule).sort()
  const who = `user ${JSON.stringify(name)} (groups=[${groups.map((one) => JSON.stringify(one)).join(' ')}])`
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${shown.join('\n')}`
  const unread = errors.length === 0 ? '' : `; resolution errors: ${joinErrors(errors)}`
  throw forbiddenError(kind, next.metadata.name ?? '', explain(why + unread))
}
