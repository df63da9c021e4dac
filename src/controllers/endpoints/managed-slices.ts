// The EndpointSlices that one controller manages: those with its name in a label.
// Kubernetes: k8s.io/endpointslice.Reconciler.finalize, Reconciler.ManagedByController
// Kubernetes: pkg/controller/endpointslice.dropEndpointSlicesPendingDeletion
import { endpointSlices } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { EndpointSlice, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { type WatchedKind, watched } from '../../runtime/controller.ts'
import type { Informer } from '../../runtime/informer.ts'
import { managedByLabel, type SliceActions, serviceNameLabel } from './plan/endpoint-slices.ts'

const isManaged = ({ metadata }: EndpointSlice, manager: string) => metadata?.labels?.[managedByLabel] === manager

/** A slice that another client changes or deletes is restored. */
export const watchSlices = (manager: string): WatchedKind =>
  watched(endpointSlices, (current, previous) => {
    const slice = current ?? previous!
    const service = slice.metadata.labels?.[serviceNameLabel]
    const isNew = current !== undefined && previous === undefined
    return service === undefined || isNew || !isManaged(slice, manager) ? [] : [`${slice.metadata.namespace ?? ''}/${service}`]
  })

export const slicesOf = (slices: Informer<EndpointSlice>, manager: string, namespace: string, service: string): Stored<EndpointSlice>[] =>
  slices
    .byIndex('namespace', namespace)
    .filter((slice) => isManaged(slice, manager) && slice.metadata.labels?.[serviceNameLabel] === service)

export async function applySlices(client: Client, namespace: string, { create, update, remove }: SliceActions): Promise<void> {
  for (const slice of create) await client.create(endpointSlices, namespace, slice)
  for (const slice of update) await client.update(endpointSlices, slice)
  for (const { metadata } of remove) await ignoring('NotFound', client.delete(endpointSlices, { namespace, name: metadata.name }))
}
