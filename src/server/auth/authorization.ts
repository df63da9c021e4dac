// Authorization without roles: system:masters may do everything. Other authenticated users have the permissions of Kubernetes'
// default roles: discovery, and reviews of their own access.
import type { Kind } from '../../api/machinery/kind.ts'
import { failure, forbiddenError } from '../../api/machinery/status-error.ts'
import type { Route } from '../http/route.ts'
import type { Caller } from '../rest/rest.ts'
import { authenticatedGroup } from './authenticator.ts'
import { mastersGroup } from './impersonation.ts'

const methodVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}
const collectionVerbs: Readonly<Record<string, string>> = { ...methodVerbs, GET: 'list', HEAD: 'list', DELETE: 'deletecollection' }
const openPaths = /^\/(healthz|livez|readyz|version)\/?$/
const discoveryPaths = /^\/(api|apis|openapi)(\/|$)/

/** Throws a StatusError (403). */
export function authorize(caller: Caller, route: Route, path: string, method: string, isWatch: boolean): void {
  if (caller.groups.includes(mastersGroup)) return
  const isNamed = caller.groups.includes(authenticatedGroup)
  if (route.type === 'path' || route.type === 'unknown-resource') {
    const verb = methodVerbs[method] ?? method.toLowerCase()
    if (verb === 'get' && (openPaths.test(path) || (isNamed && discoveryPaths.test(path)))) return
    const message = `forbidden: User ${JSON.stringify(caller.name)} cannot ${verb} path ${JSON.stringify(path)}`
    throw failure(403, 'Forbidden', message, {})
  }
  const { kind } = route
  // As in Kubernetes, the namespace of a Namespace is itself.
  const namespace = kind.type === 'core.Namespace' && route.type !== 'collection' ? route.name : route.namespace
  const verbs = route.type === 'collection' ? collectionVerbs : methodVerbs
  const verb = isWatch && method === 'GET' ? 'watch' : (verbs[method] ?? method.toLowerCase())
  if (isNamed && verb === 'create' && isSelfReview(kind)) return
  const resource = route.type === 'subresource' ? `${kind.plural}/${route.subresource}` : kind.plural
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
  throw forbiddenError(
    kind,
    route.type === 'collection' ? '' : route.name,
    `User ${JSON.stringify(caller.name)} cannot ${verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(kind.group)} ${where}`,
  )
}

const isSelfReview = ({ kind }: Kind) => kind.startsWith('SelfSubject')
