// A client that lists each kind of a scope once: a survey of hundreds of workloads asks for the same lists again and again.
import type { Kind, Resource } from '../../api/machinery/kind.ts'
import { notFoundError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { getOrAdd, groupBy } from '../../base/maps.ts'
import type { Client, ListRequest } from '../../client/client.ts'

type Lists = ReadonlyMap<string | undefined, readonly Stored<KubernetesObject>[]>

/** What pods refer to, and is assumed to exist as for any manifest. */
const assumedKinds = new Set(['ConfigMap', 'Secret', 'ServiceAccount', 'PriorityClass', 'RuntimeClass'])

/**
 * `namespace` undefined: all of them. Lists of that scope, or of one of its namespaces, come from one request for each kind; nodes and the pods
 * of all namespaces are listed once.
 */
export function createScopeClient(client: Client, namespace: string | undefined): Client {
  const lists = new Map<string, Promise<Lists>>()
  const listOnce = (resource: Resource, scope: string | undefined): Promise<Lists> =>
    getOrAdd(lists, `${resource.plural}/${scope ?? ''}`, async () => {
      const { items } = await client.list(resource, scope === undefined ? {} : { namespace: scope })
      return new Map([[undefined, items] as const, ...groupBy(items, ({ metadata }) => metadata.namespace)])
    })
  const read = async (resource: Resource, asked: string | undefined): Promise<readonly Stored<KubernetesObject>[]> => {
    const isNarrower = asked === undefined && namespace !== undefined
    const found = await listOnce(resource, isNarrower ? undefined : namespace)
    return found.get(asked) ?? []
  }
  return {
    ...client,
    async list<T extends KubernetesObject>(resource: Resource<T>, request: ListRequest = {}) {
      return { items: (await read(resource, request.namespace)) as readonly Stored<T>[], resourceVersion: '' } as never
    },
    async get<T extends KubernetesObject>(resource: Resource<T>, ref: { readonly namespace?: string; readonly name: string }) {
      const { kind } = resource as Partial<Kind>
      const items = kind !== undefined && assumedKinds.has(kind) ? [] : await read(resource, ref.namespace)
      const found = items.find(({ metadata }) => metadata.name === ref.name)
      if (found === undefined) throw notFoundError({ group: resource.group, plural: resource.plural }, ref.name)
      return found as Stored<T>
    },
  }
}
