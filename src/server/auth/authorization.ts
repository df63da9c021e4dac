// Refuses requests that the caller may not make, in Kubernetes' words.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers/responsewriters.forbiddenMessage, Forbidden
// Kubernetes: k8s.io/apiserver/pkg/endpoints/filters.WithAuthorization
import { failure, forbiddenError, type StatusError } from '../../api/machinery/status-error.ts'
import type { Caller } from '../rest/rest.ts'
import type { Authorizer } from './authorizer.ts'
import type { RequestAttributes } from './policy-rules.ts'

/** Throws a StatusError (403). */
export function requireAllowed(authorizer: Authorizer, caller: Caller, request: RequestAttributes): void {
  const { allowed, reason } = authorizer.authorize(caller, request)
  if (!allowed) throw refusal(caller, request, reason)
}

function refusal({ name: user }: Caller, request: RequestAttributes, reason: string): StatusError {
  const who = `User ${JSON.stringify(user)} cannot ${request.verb}`
  const why = reason === '' ? '' : `: ${reason}`
  if ('path' in request) return failure(403, 'Forbidden', `forbidden: ${who} path ${JSON.stringify(request.path)}${why}`, {})
  const { group, resource, subresource, namespace, name } = request
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
  return forbiddenError(
    { group, plural: resource },
    name,
    `${who} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}${why}`,
  )
}
