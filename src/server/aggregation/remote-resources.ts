// The resources of an aggregated server in discovery. Pure.
// Kubernetes: k8s.io/kube-aggregator/pkg/apiserver.discoveryManager.fetchFreshDiscoveryForService
import { decode } from '../../api/machinery/decode/decode.ts'
import { groupBy } from '../../base/maps.ts'

/** A version that an aggregated server serves. */
export interface RemoteVersion {
  readonly group: string
  readonly version: string
  readonly groupPriority: number
  readonly versionPriority: number
  /** As the server listed them last. Absent: it was never reached. */
  readonly resources?: readonly DiscoveredResource[]
  /** Where it serves its OpenAPI document (v3), with the hash of the document. Absent: it has none. */
  readonly openApiUrl?: string
  /** Whether the server was reached at the last check. */
  readonly isCurrent: boolean
}

export interface DiscoveredResource {
  readonly name: string
  readonly singularName?: string
  readonly namespaced?: boolean
  readonly group?: string
  readonly version?: string
  readonly kind: string
  readonly verbs?: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

/**
 * The resources of an APIResourceList. Undefined: the text is not an APIResourceList. A field of another type would make the whole
 * discovery unreadable for typed clients.
 */
export function readResources(text: string): readonly DiscoveredResource[] | undefined {
  try {
    const { resources } = JSON.parse(text) as { readonly resources?: unknown }
    if (!Array.isArray(resources)) return undefined
    return resources.map((one) => decode<DiscoveredResource>('meta.APIResource', one).object).filter(({ name, kind }) => name && kind)
  } catch {
    return undefined
  }
}

const openApiPath = (group: string, version: string) => `/openapi/v3/apis/${group}/${version}`

/** The address of a version's document in an index of OpenAPI v3. Undefined: it is not in the index, or at another path than in Kubernetes. */
export function readOpenApiUrl(text: string, group: string, version: string): string | undefined {
  try {
    const { paths } = JSON.parse(text) as { readonly paths?: Readonly<Record<string, { readonly serverRelativeURL?: unknown }>> }
    const url = paths?.[`apis/${group}/${version}`]?.serverRelativeURL
    return typeof url === 'string' && url.split('?', 1)[0] === openApiPath(group, version) ? url : undefined
  } catch {
    return undefined
  }
}

export const aggregateRemote = ({ version, resources, isCurrent }: RemoteVersion) =>
  aggregateVersion(version, resources ?? [], isCurrent && resources !== undefined)

/** A version in the aggregated form of discovery. */
export function aggregateVersion(version: string, resources: readonly DiscoveredResource[], isCurrent: boolean) {
  const freshness = isCurrent ? 'Current' : 'Stale'
  if (resources.length === 0) return { version, freshness }
  const isBelow = ({ name }: DiscoveredResource) => name.includes('/')
  const below = groupBy(resources.filter(isBelow), ({ name }) => name.slice(0, name.indexOf('/')))
  const top = resources.filter((one) => !isBelow(one))
  return {
    version,
    resources: top.map((one) => ({
      resource: one.name,
      responseKind: responseKind(one),
      scope: one.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: one.singularName ?? '',
      verbs: one.verbs ?? [],
      ...(one.shortNames?.length && { shortNames: one.shortNames }),
      ...(one.categories?.length && { categories: one.categories }),
      ...(below.has(one.name) && {
        subresources: below.get(one.name)!.map((sub) => ({
          subresource: sub.name.slice(one.name.length + 1),
          responseKind: responseKind(sub),
          verbs: sub.verbs ?? [],
        })),
      }),
    })),
    freshness,
  }
}

/** An empty group and version mean those of the enclosing document. */
const responseKind = ({ group = '', version = '', kind }: DiscoveredResource) => ({ group, version, kind })
