// Authorization by roles (RBAC). Members of system:masters may do everything, as in Kubernetes.
// Kubernetes: plugin/pkg/auth/authorizer/rbac.RBACAuthorizer.*, RuleAllows
// Kubernetes: k8s.io/apiserver/pkg/authorization/authorizerfactory.privilegedGroupAuthorizer.Authorize
import { joinErrors } from '../../api/machinery/go-text.ts'
import type { PolicyRule } from '../../api/types.ts'
import type { Caller } from '../rest/rest.ts'
import { isAllowedBy, type RequestAttributes } from './policy-rules.ts'
import { type GrantedRules, type RoleReader, resolveRules } from './rule-resolver.ts'

export const mastersGroup = 'system:masters'
export const authenticatedGroup = 'system:authenticated'
export const unauthenticatedGroup = 'system:unauthenticated'
export const anonymousUser = 'system:anonymous'

export interface Decision {
  readonly allowed: boolean
  /** '' when there is nothing to say. */
  readonly reason: string
}

export interface Authorizer {
  authorize(user: Caller, request: RequestAttributes): Decision
  /** All rules of the user, and the roles that could not be read. */
  rulesOf(user: Caller, namespace: string): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] }
}

export const isMaster = ({ groups }: Caller): boolean => groups.includes(mastersGroup)

const allowed: Decision = { allowed: true, reason: '' }
const denied: Decision = { allowed: false, reason: '' }

/** How many entries are kept; a user has one for each namespace. */
const maxEntries = 10_000

/** `onChange` calls its argument after each change of a role or binding; it is called once, before the first read. */
export function createAuthorizer(reader: RoleReader, onChange: (changed: () => void) => void): Authorizer {
  const known = new Map<string, GrantedRules>()
  let isWatching = false
  const granted = (user: Caller, namespace: string): GrantedRules => {
    if (!isWatching) {
      isWatching = true
      onChange(() => known.clear())
    }
    const key = JSON.stringify([namespace, user.name, user.groups])
    let found = known.get(key)
    if (found === undefined) {
      found = resolveRules(reader, user, namespace)
      if (known.size >= maxEntries) known.clear()
      known.set(key, found)
    }
    return found
  }
  return {
    authorize(user, request) {
      if (isMaster(user)) return allowed
      const { rules, errors } = granted(user, 'path' in request ? '' : request.namespace)
      for (const { rule, grant } of rules) if (isAllowedBy(rule, request)) return { allowed: true, reason: `RBAC: allowed by ${grant}` }
      return errors.length === 0 ? denied : { allowed: false, reason: `RBAC: ${joinErrors(errors)}` }
    },
    rulesOf(user, namespace) {
      const { rules, errors } = granted(user, namespace)
      return { rules: rules.map(({ rule }) => rule), errors }
    },
  }
}
