// A client that reads from the cluster and writes nothing: what would be written is reported instead.
import type { Resource } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Client, ObjectRef } from '../../client/client.ts'

interface PlannedWrite {
  readonly verb: 'create' | 'update' | 'update status of' | 'patch' | 'delete'
  readonly kind: string
  readonly name: string
}

export function createDryRunClient(client: Client, onPlanned: (write: PlannedWrite) => void): Client {
  const nameOf = ({ namespace, name }: { readonly namespace?: string | undefined; readonly name?: string } = {}, generated = '') =>
    `${namespace === undefined ? '' : `${namespace}/`}${name ?? `${generated}…`}`
  /** As if the server had stored it: without a version of its own, so that nothing waits for the watch to report it. */
  const pretend = <T extends KubernetesObject>(object: T): Stored<T> => {
    const { name, generateName = '', uid = '', resourceVersion = '', ...metadata } = object.metadata ?? {}
    return { ...object, metadata: { ...metadata, name: name ?? `${generateName}dry-run`, uid, resourceVersion } } as Stored<T>
  }
  const plan = (verb: PlannedWrite['verb'], { kind }: Resource, name: string) => onPlanned({ verb, kind, name })
  const planUpdate = async <T extends KubernetesObject>(verb: PlannedWrite['verb'], resource: Resource<T>, object: T) => {
    plan(verb, resource, nameOf(object.metadata))
    return pretend(object)
  }
  return {
    ...client,
    async create(resource, namespace, object) {
      const { name, generateName } = object.metadata ?? {}
      plan('create', resource, nameOf({ ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }) }, generateName))
      return pretend(object)
    },
    update: (resource, object) => planUpdate('update', resource, object),
    updateStatus: (resource, object) => planUpdate('update status of', resource, object),
    async updateSubresource(resource, _subresource, object) {
      await planUpdate('update', resource, object)
    },
    async patch<T extends KubernetesObject>(resource: Resource<T>, ref: ObjectRef) {
      plan('patch', resource, nameOf(ref))
      return client.get(resource, ref)
    },
    async delete(resource, ref) {
      plan('delete', resource, nameOf(ref))
    },
    async deleteCollection(resource) {
      plan('delete', resource, 'all')
    },
    async createSubresource(resource, ref) {
      plan('create', resource, nameOf(ref))
      return {}
    },
  }
}
