// Users cannot grant more than they have: a writer of roles or bindings must hold the rules that the write grants, or be allowed
// to `escalate` the role, or to `bind` it.
// Kubernetes: pkg/registry/rbac/clusterrole/policybased.Storage.*
// Kubernetes: pkg/registry/rbac/rolebinding/policybased.Storage.*
// Kubernetes: pkg/registry/rbac/validation.ConfirmNoEscalation
// Kubernetes: pkg/registry/rbac.BindingAuthorized, EscalationAllowed, RoleEscalationAuthorized

import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../../api/kinds.ts'
import { joinErrors } from '../../../api/machinery/go-text.ts'
import type { Kind } from '../../../api/machinery/kind.ts'
import { forbiddenError, notFoundError } from '../../../api/machinery/status-error.ts'
import type { ClusterRole, PolicyRule, RoleBinding } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { isMaster } from '../../auth/authorizer.ts'
import { compactRules, findUncovered, formatRule } from '../../auth/policy-rules.ts'
import type { Write } from '../../rest/write-steps.ts'
import type { BehaviorDefinition, BehaviorParts } from '../kind-behavior.ts'

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** What is known about who has which rules. */
type Access = Pick<BehaviorParts, 'authorizer' | 'roles'>

/** Each check throws a StatusError (403, or 404 for a binding of a role that does not exist). */
const checked = (kinds: readonly Kind[], check: (write: Write, access: Access) => void): BehaviorDefinition => ({
  kinds,
  define: (access) => ({
    authorize(write) {
      if (!isMaster(write.options.caller)) check(write, access)
    },
  }),
})

function checkRole(write: Write, access: Access): void {
  const next = write.next as ClusterRole
  const current = write.current as ClusterRole | undefined
  const isSame = isEqualJson(next.rules ?? [], current?.rules ?? []) && isEqualJson(next.aggregationRule, current?.aggregationRule)
  if (isSame && current !== undefined) return
  if (isAllowed(write, access, 'escalate', write.kind, next.metadata?.name ?? '')) return
  requireHeld(write, access, next.rules ?? [])
  if (next.aggregationRule !== undefined)
    requireHeld(write, access, everything, (why) => `must have cluster-admin privileges to use an aggregationRule: ${why}`)
}

function checkBinding(write: Write, access: Access): void {
  const { roleRef, subjects } = write.next as unknown as RoleBinding
  const current = write.current as RoleBinding | undefined
  if (current !== undefined && isEqualJson(roleRef, current.roleRef) && isEqualJson(subjects, current.subjects)) return
  const isLocal = roleRef.kind === 'Role'
  const kind = isLocal ? roles : clusterRoles
  if (isAllowed(write, access, 'bind', kind, roleRef.name)) return
  const role = isLocal ? access.roles.role(write.namespace, roleRef.name) : access.roles.clusterRole(roleRef.name)
  if (role === undefined) throw notFoundError(write.kind, roleRef.name)
  requireHeld(write, access, role.rules ?? [])
}

function isAllowed({ options, namespace }: Write, { authorizer }: Access, verb: string, { group, plural }: Kind, name: string): boolean {
  return authorizer.authorize(options.caller, { verb, group, resource: plural, subresource: '', namespace, name }).allowed
}

function requireHeld(
  write: Write,
  { authorizer }: Access,
  wanted: readonly PolicyRule[],
  explain: (why: string) => string = (why) => why,
): void {
  const { kind, next, namespace, options } = write
  const { name, groups } = options.caller
  const { rules, errors } = authorizer.rulesOf(options.caller, namespace)
  const missing = findUncovered(rules, wanted)
  if (missing.length === 0) return
  const shown = compactRules(missing).map(formatRule).sort()
  const who = `user ${JSON.stringify(name)} (groups=[${groups.map((one) => JSON.stringify(one)).join(' ')}])`
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${shown.join('\n')}`
  const unread = errors.length === 0 ? '' : `; resolution errors: ${joinErrors(errors)}`
  throw forbiddenError(kind, next.metadata.name ?? '', explain(why + unread))
}

export const roleBehavior = checked([roles, clusterRoles], checkRole)
export const roleBindingBehavior = checked([roleBindings, clusterRoleBindings], checkBinding)
