// API discovery: groups, versions and resources, as one document for each version (legacy) and in the aggregated form.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/discovery.APIGroupHandler.ServeHTTP
// Kubernetes: k8s.io/apiserver/pkg/endpoints/discovery/aggregated.resourceDiscoveryManager.*
import { createHash } from 'node:crypto'
import { apiVersionOf, type Kind } from '../api/machinery/kind.ts'
import { getOrAdd } from '../base/maps.ts'
import { localPriority } from './aggregation/local-api-services.ts'
import { aggregateRemote, aggregateVersion, type DiscoveredResource, type RemoteVersion } from './aggregation/remote-resources.ts'
import { type CachedJson, cacheJson } from './cached-document.ts'
import { verbsOf } from './http/route.ts'

interface Discovery {
  /**
   * The document at a path such as `/api`, `/apis/apps` or `/apis/apps/v1`, or undefined when there is none.
   * `aggregated` applies to `/api` and `/apis`, and is ignored for other paths.
   */
  find(path: string, aggregated: boolean): CachedJson | undefined
}

/** The parameters of `application/json` that request the aggregated form. */
export const aggregatedDiscoveryType = { g: 'apidiscovery.k8s.io', v: 'v2', as: 'APIGroupDiscoveryList' } as const

/** `serverAddress` is host and port; current clients ignore it. */
export function createDiscovery(kinds: readonly Kind[], serverAddress: string, remote: readonly RemoteVersion[] = []): Discovery {
  const groups = withRemote(groupKinds(kinds), remote)
  const named = groups.filter(({ name }) => name !== '')
  const documents = new Map<string, () => CachedJson>([
    ['/api', cacheJson(() => apiVersions(serverAddress))],
    ['/apis', cacheJson(() => ({ kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(apiGroup) }))],
  ])
  const aggregated = new Map<string, () => CachedJson>([
    ['/api', cacheJson(() => aggregate(groups.filter(({ name }) => name === '')))],
    ['/apis', cacheJson(() => aggregate(named))],
  ])
  for (const { name, versions } of groups) {
    if (name !== '')
      documents.set(
        `/apis/${name}`,
        cacheJson(() => ({ kind: 'APIGroup', apiVersion: 'v1', ...apiGroup({ name, versions }) })),
      )
    for (const [version, members] of versions) {
      // An aggregated server answers for itself.
      if (isRemote(members)) continue
      const path = name === '' ? `/api/${version}` : `/apis/${name}/${version}`
      documents.set(
        path,
        cacheJson(() => resourceList(name, version, members)),
      )
    }
  }
  return {
    find(path, wantsAggregated) {
      const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
      return ((wantsAggregated ? aggregated.get(plain) : undefined) ?? documents.get(plain))?.()
    },
  }
}

interface Group {
  readonly name: string
  readonly versions: ReadonlyMap<string, readonly Kind[] | RemoteVersion>
}

const isRemote = (members: readonly Kind[] | RemoteVersion): members is RemoteVersion => !Array.isArray(members)

/** Adds the versions of aggregated servers where their priorities place them. A version that is also served here is theirs. */
function withRemote(local: readonly Group[], remote: readonly RemoteVersion[]): readonly Group[] {
  if (remote.length === 0) return local
  const groups = new Map(local.map(({ name, versions }) => [name, new Map(versions)] as const))
  for (const one of remote) groups.set(one.group, (groups.get(one.group) ?? new Map()).set(one.version, one))
  const priorityOf = (group: string, version: string, members: readonly Kind[] | RemoteVersion) =>
    isRemote(members) ? { group: members.groupPriority, version: members.versionPriority } : localPriority(group, version)
  const ranked = [...groups].map(([name, versions]) => {
    const priorities = [...versions].map(([version, members]) => ({ version, members, priority: priorityOf(name, version, members) }))
    const hasRemote = priorities.some(({ members }) => isRemote(members))
    if (hasRemote) priorities.sort((a, b) => b.priority.version - a.priority.version)
    return {
      group: { name, versions: new Map(priorities.map(({ version, members }) => [version, members])) },
      rank: Math.max(...priorities.map(({ priority }) => priority.group)),
    }
  })
  return ranked.sort((a, b) => b.rank - a.rank || (a.group.name < b.group.name ? -1 : 1)).map(({ group }) => group)
}

function groupKinds(kinds: readonly Kind[]): Group[] {
  const groups = new Map<string, Map<string, Kind[]>>()
  for (const kind of kinds) {
    const versions = getOrAdd(groups, kind.group, () => new Map<string, Kind[]>())
    getOrAdd(versions, kind.version, () => []).push(kind)
  }
  return [...groups].map(([name, versions]) => ({ name, versions }))
}

function apiVersions(serverAddress: string) {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

function apiGroup({ name, versions }: Group) {
  const list = [...versions.keys()].map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: list, preferredVersion: list[0] }
}

interface ListedResource extends DiscoveredResource {
  readonly storageVersionHash?: string
}

/** A resource, followed by its subresources. */
function listResources(kind: Kind): ListedResource[] {
  const { plural, namespaced, subresources = [] } = kind
  const isStored = verbsOf(kind).includes('get')
  return [
    {
      name: plural,
      singularName: kind.singular ?? kind.kind.toLowerCase(),
      namespaced,
      kind: kind.kind,
      verbs: [...verbsOf(kind)].sort(),
      ...(kind.shortNames !== undefined && { shortNames: kind.shortNames }),
      ...(kind.categories !== undefined && { categories: kind.categories }),
      ...(isStored && { storageVersionHash: storageVersionHash(kind) }),
    },
    ...subresources.map(({ name, verbs, kind: responseKind, ...version }) => ({
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      ...version,
      kind: responseKind,
      verbs: [...verbs].sort(),
    })),
  ]
}

/** Changes when the storage version changes; the storage migrator compares it. The two Event kinds share one. */
function storageVersionHash(kind: Kind): string {
  const { group, version } = kind.storedForm?.kind ?? kind
  return createHash('sha256').update(`${group}/${version}/${kind.kind}`).digest().subarray(0, 8).toString('base64')
}

const byPlural = (a: Kind, b: Kind) => (a.plural < b.plural ? -1 : 1)
const resourcesOf = (members: readonly Kind[]) => [...members].sort(byPlural).flatMap(listResources)

function resourceList(group: string, version: string, members: readonly Kind[]) {
  return {
    kind: 'APIResourceList',
    // As in Kubernetes, the core group has none here.
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resourcesOf(members),
  }
}

function aggregate(groups: readonly Group[]) {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: [...versions].map(([version, members]) =>
        isRemote(members) ? aggregateRemote(members) : aggregateVersion(version, resourcesOf(members), true),
      ),
    })),
  }
}
