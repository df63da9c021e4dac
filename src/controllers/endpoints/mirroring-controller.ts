// Mirrors Endpoints that clients maintain to EndpointSlices. Slices have their Endpoints as owner, so that the garbage collector removes them.
import { endpointSlices, endpoints as endpointsKind, services as serviceKind } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { EndpointSlice } from '../../api/types.ts'
import { buildController, watched } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { managedByLabel, serviceNameLabel } from './plan/endpoint-slices.ts'
import { mirroredByController, planMirroredSlices } from './plan/mirrored-slices.ts'

const workers = 5

const isMirror = ({ metadata }: EndpointSlice) => metadata?.labels?.[managedByLabel] === mirroredByController

export function startEndpointSliceMirroringController(options: CommonParts): RunningController {
  const { informers } = options
  const slices = informers.get(endpointSlices)
  const services = informers.get(serviceKind)
  return buildController(options, {
    name: 'endpoint_slice_mirroring',
    for: endpointsKind,
    workers,
    reads: [slices, services],
    watches: [
      watched(serviceKind, (current, previous) => [keyOf((current ?? previous)!)]),
      // A slice that another client changes or deletes is restored.
      watched(endpointSlices, (current, previous) => {
        const slice = current ?? previous!
        const service = slice.metadata.labels?.[serviceNameLabel]
        const isNew = current !== undefined && previous === undefined
        return service === undefined || isNew || !isMirror(slice) ? [] : [`${slice.metadata.namespace ?? ''}/${service}`]
      }),
    ],
    async reconcile(source, { client, key }) {
      const { namespace = '', name } = source.metadata
      const own = slices
        .byIndex('namespace', namespace)
        .filter((slice) => isMirror(slice) && slice.metadata.labels?.[serviceNameLabel] === name)
      const { create, update, remove } = planMirroredSlices(source, services.get(key), own)
      for (const slice of create) await client.create(endpointSlices, namespace, slice)
      for (const slice of update) await client.update(endpointSlices, slice)
      for (const slice of remove) await ignoring('NotFound', client.delete(endpointSlices, { namespace, name: slice.metadata.name }))
      return undefined
    },
  })
}
