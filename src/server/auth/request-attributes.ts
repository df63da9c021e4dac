// The attributes of a request for authorizers: derived from its path and method alone, also for resources that do not exist. Pure.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/request.RequestInfoFactory.NewRequestInfo
// Kubernetes: k8s.io/apiserver/pkg/endpoints/filters.GetAuthorizerAttributes
import { trimLastSlashes } from '../../base/url.ts'
import type { Query } from '../http/query.ts'
import type { RequestAttributes } from './policy-rules.ts'

/** The verbs of requests for one object. */
export const methodVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

const namespaceSubresources: readonly string[] = ['status', 'finalize']

/** `path` is decoded. */
export function requestAttributes(path: string, method: string, query: Pick<Query, 'text' | 'flag'>): RequestAttributes {
  const other = { verb: method.toLowerCase(), path }
  let parts = trimLastSlashes(path).replace(/^\/+/, '').split('/')
  const [prefix = ''] = parts
  const prefixLength = prefix === 'api' ? 2 : prefix === 'apis' ? 3 : 0
  if (prefixLength === 0 || parts.length <= prefixLength) return other
  const group = prefix === 'api' ? '' : parts[1]!
  const version = parts[prefixLength - 1]!
  parts = parts.slice(prefixLength)
  let verb = methodVerbs[method] ?? ''
  const isWatchPath = parts[0] === 'watch' && parts.length > 1
  if (isWatchPath) {
    verb = 'watch'
    parts = parts.slice(1)
  }
  let namespace = ''
  if (parts[0] === 'namespaces' && parts[1] !== undefined) {
    // As in Kubernetes, the namespace of a Namespace is itself.
    namespace = parts[1]
    if (parts[2] !== undefined && !namespaceSubresources.includes(parts[2])) parts = parts.slice(2)
  }
  const [resource = '', named = '', subresource = ''] = parts
  const isCollection = named === ''
  if (isCollection && verb === 'get') verb = query.flag('watch') === true ? 'watch' : 'list'
  if (isCollection && verb === 'delete') verb = 'deletecollection'
  const name = isCollection && (verb === 'list' || verb === 'watch') ? selectedName(query.text('fieldSelector')) : named
  return { verb, group, version, resource, subresource: isWatchPath ? '' : subresource, namespace, name }
}

/** A list of the one object that a field selector names is authorized as that object. */
const selectedName = (selector: string | undefined): string => /(?:^|,)metadata\.name==?([^,=]+)(?:,|$)/.exec(selector ?? '')?.[1] ?? ''
