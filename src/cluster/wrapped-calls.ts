// Clients whose calls pass through a function: to guard, delay, count or refuse them.
import type { Resource } from '../api/machinery/kind.ts'
import type { KubernetesObject } from '../api/types.ts'
import type { Client } from '../client/client.ts'

/** What a request names. */
export interface CallTarget {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string
}

/** Runs a call, or refuses it. `verb` is that of the request. */
type RunCall = <T>(call: () => Promise<T>, verb: string, resource: Resource, target: CallTarget) => Promise<T>

const placeOf = ({ metadata: { namespace, name } = {} }: KubernetesObject, subresource?: string): CallTarget => ({
  ...(namespace !== undefined && { namespace }),
  ...(name !== undefined && { name }),
  ...(subresource !== undefined && { subresource }),
})
const inNamespace = (namespace: string | undefined): CallTarget => (namespace === undefined ? {} : { namespace })

/** The client with every call but `watch` passed to `run`. */
export function wrapCalls(client: Client, run: RunCall): Client {
  return {
    ...wrapWrites(client, run),
    get: (resource, ref, ...rest) => run(() => client.get(resource, ref, ...rest), 'get', resource, ref),
    list: (resource, request = {}, ...rest) =>
      run(() => client.list(resource, request, ...rest), 'list', resource, inNamespace(request.namespace)),
  }
}

/** The client with every write passed to `run`. */
export function wrapWrites(client: Client, run: RunCall): Client {
  return {
    ...client,
    create: (resource, namespace, ...rest) =>
      run(() => client.create(resource, namespace, ...rest), 'create', resource, inNamespace(namespace)),
    update: (resource, object, ...rest) => run(() => client.update(resource, object, ...rest), 'update', resource, placeOf(object)),
    updateStatus: (resource, object, ...rest) =>
      run(() => client.updateStatus(resource, object, ...rest), 'update', resource, placeOf(object, 'status')),
    updateSubresource: (resource, subresource, object, ...rest) =>
      run(() => client.updateSubresource(resource, subresource, object, ...rest), 'update', resource, placeOf(object, subresource)),
    patch: (resource, ref, type, patch, write = {}) => {
      const { subresource } = write
      const target = { ...ref, ...(subresource !== undefined && { subresource }) }
      return run(() => client.patch(resource, ref, type, patch, write), 'patch', resource, target)
    },
    delete: (resource, ref, ...rest) => run(() => client.delete(resource, ref, ...rest), 'delete', resource, ref),
    deleteCollection: (resource, request, ...rest) =>
      run(() => client.deleteCollection(resource, request, ...rest), 'deletecollection', resource, inNamespace(request.namespace)),
    createSubresource: (resource, ref, subresource, ...rest) =>
      run(() => client.createSubresource(resource, ref, subresource, ...rest), 'create', resource, { ...ref, subresource }),
  }
}
