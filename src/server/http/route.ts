// Maps a path to a kind, an object or a document. Pure: depends only on the table of kinds.
import { hasSubresource, type Kind, type Verb } from '../../api/machinery/kind.ts'
import { getOrAdd } from '../../base/maps.ts'

export type Route =
  | {
      readonly type: 'collection'
      readonly kind: Kind
      /** '' for all namespaces, and for kinds without them. */
      readonly namespace: string
      /** The deprecated `/watch/` paths always watch. */
      readonly watch: boolean
    }
  | { readonly type: 'item'; readonly kind: Kind; readonly namespace: string; readonly name: string; readonly watch: boolean }
  | {
      readonly type: 'subresource'
      readonly kind: Kind
      readonly namespace: string
      readonly name: string
      readonly subresource: string
    }
  /** A path below a served group and version, but without a resource. */
  | { readonly type: 'unknown-resource' }
  /** Anything else: documents, health, or nothing at all. */
  | { readonly type: 'path'; readonly path: string }

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

export const verbsOf = (kind: Kind): readonly Verb[] => kind.verbs ?? allVerbs

const subresourcesOfNamespaces: readonly string[] = ['status', 'finalize']
const unknownResource: Route = { type: 'unknown-resource' }

export type Routes = (path: string) => Route

/** The path must be decoded, and start with a slash. */
export function createRoutes(kinds: readonly Kind[]): Routes {
  const groups = new Map<string, Map<string, Kind>>()
  const names = new Set(kinds.flatMap(({ group }) => (group === '' ? [] : [group])))
  for (const kind of kinds) {
    const prefix = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`
    getOrAdd(groups, prefix, () => new Map<string, Kind>()).set(kind.plural, kind)
  }
  return (path) => {
    const isCore = path.startsWith('/api/')
    if (!isCore && !path.startsWith('/apis/')) return { type: 'path', path }
    let end = path.length
    while (end > 1 && path.charCodeAt(end - 1) === 47) end--
    const segments = path.slice(1, end).split('/')
    const prefixLength = isCore ? 2 : 3
    const plurals = groups.get(segments.slice(0, prefixLength).join('/'))
    const isOtherVersion = plurals === undefined && segments.length >= prefixLength && (isCore || names.has(segments[1]!))
    if (isOtherVersion) return unknownResource
    if (plurals === undefined || segments.length <= prefixLength) return { type: 'path', path }
    return routeBelow(plurals, segments.slice(prefixLength))
  }
}

function routeBelow(plurals: ReadonlyMap<string, Kind>, all: readonly string[]): Route {
  if (all.includes('')) return unknownResource
  const watch = all[0] === 'watch' && all.length > 1
  let parts = watch ? all.slice(1) : all
  let namespace = ''
  if (parts[0] === 'namespaces' && parts.length > 2 && !subresourcesOfNamespaces.includes(parts[2]!)) {
    namespace = parts[1]!
    parts = parts.slice(2)
  }
  const [plural = '', name, subresource] = parts
  const kind = plurals.get(plural)
  if (kind === undefined || (namespace !== '' && !kind.namespaced)) return unknownResource
  if (name === undefined) {
    const isNowhere = kind.namespaced && namespace === '' && !verbsOf(kind).includes('list')
    return isNowhere ? unknownResource : { type: 'collection', kind, namespace, watch }
  }
  if (kind.namespaced && namespace === '') return unknownResource
  if (subresource === undefined) {
    const verbs = verbsOf(kind)
    const hasItems = verbs.includes('get') || verbs.includes('delete') || verbs.includes('update') || verbs.includes('patch')
    return hasItems ? { type: 'item', kind, namespace, name, watch } : unknownResource
  }
  if (watch || !hasSubresource(kind, subresource) || (parts.length > 3 && subresource !== 'proxy')) return unknownResource
  return { type: 'subresource', kind, namespace, name, subresource }
}

/** The verb of a method on a subresource, or undefined when the method is not allowed. */
export function subresourceVerb(kind: Kind, subresource: string, method: string): Verb | undefined {
  const verb = itemVerbs.get(method) ?? (method === 'POST' ? 'create' : undefined)
  if (verb === undefined) return undefined
  return kind.subresources?.find(({ name }) => name === subresource)?.verbs.includes(verb) ? verb : undefined
}

const itemVerbs: ReadonlyMap<string, Verb> = new Map([
  ['GET', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
])

const collectionVerbs: ReadonlyMap<string, Verb> = new Map([
  ['GET', 'list'],
  ['POST', 'create'],
  ['DELETE', 'deletecollection'],
])

/** The verb of a method on an object. */
export function itemVerb(kind: Kind, method: string): Verb | undefined {
  const verb = itemVerbs.get(method)
  return verb !== undefined && verbsOf(kind).includes(verb) ? verb : undefined
}

/** The verb of a method on a collection. Across all namespaces only reading is allowed. */
export function collectionVerb(kind: Kind, namespace: string, method: string): Verb | undefined {
  const verb = collectionVerbs.get(method)
  const isAllowed = verb === 'list' || !kind.namespaced || namespace !== ''
  return verb !== undefined && isAllowed && verbsOf(kind).includes(verb) ? verb : undefined
}
