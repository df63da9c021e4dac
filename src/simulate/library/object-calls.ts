// The calls by which a test reads and writes objects, on any client.
import { coreEvents, pods } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { kindNamed, kindOfObject, readObjects } from '../objects.ts'
import type { KindName, ObjectCalls, ObjectOf, PatchCall } from './cluster-api.ts'

const fieldManager = 'test'

const refOf = (kind: { readonly namespaced: boolean }, name: string, namespace = 'default') =>
  kind.namespaced ? { namespace, name } : { name }

export function objectCalls(client: Client): ObjectCalls {
  return {
    async apply(input) {
      const applied: Stored<KubernetesObject>[] = []
      for (const object of await readObjects(input)) {
        const kind = kindOfObject(object)
        const namespace = kind.namespaced ? (object.metadata?.namespace ?? 'default') : undefined
        const name = object.metadata?.name
        applied.push(
          name === undefined
            ? await client.create(kind, namespace, object, { fieldManager })
            : await client.patch(kind, refOf(kind, name, namespace), 'apply', object, { fieldManager, force: true }),
        )
      }
      return applied
    },
    async get<K extends KindName>(kindName: K, name: string, namespace?: string) {
      const kind = kindNamed(kindName)
      return (await ignoring('NotFound', client.get(kind, refOf(kind, name, namespace)))) as ObjectOf<K> | undefined
    },
    async list<K extends KindName>(kindName: K, { namespace = 'default', ...query } = {}) {
      const kind = kindNamed(kindName)
      const { items } = await client.list(kind, { ...query, ...(kind.namespaced && namespace !== '' && { namespace }) })
      return items as readonly ObjectOf<K>[]
    },
    async patch<K extends KindName>(kindName: K, name: string, patch: object, options: PatchCall = {}) {
      const { namespace, type = 'merge', subresource } = options
      const kind = kindNamed(kindName)
      const answer = await client.patch(kind, refOf(kind, name, namespace), type, patch, {
        fieldManager,
        ...(subresource !== undefined && { subresource }),
      })
      return answer as ObjectOf<K>
    },
    async scale(kindName, name, replicas, namespace) {
      const kind = kindNamed(kindName)
      await client.patch(kind, refOf(kind, name, namespace), 'merge', { spec: { replicas } }, { fieldManager, subresource: 'scale' })
    },
    async delete(kindName, name, { namespace, ...deletion } = {}) {
      const kind = kindNamed(kindName)
      await client.delete(kind, refOf(kind, name, namespace), deletion)
    },
    async evict(pod, namespace = 'default') {
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } }
      await client.createSubresource(pods, { namespace, name: pod }, 'eviction', body)
    },
    async events(namespace = 'default') {
      const { items } = await client.list(coreEvents, { namespace })
      const inOrder = [...items].sort((a, b) => (a.firstTimestamp ?? '').localeCompare(b.firstTimestamp ?? ''))
      return inOrder.map(({ reason, message }) => `${reason}: ${message}`)
    },
  }
}
