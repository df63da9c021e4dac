// Mirrors Endpoints that clients maintain to EndpointSlices. Slices have their Endpoints as owner, so that the garbage collector removes them.
// Kubernetes: pkg/controller/endpointslicemirroring.Controller.syncEndpoints, Controller.shouldMirror, Controller.deleteMirroredSlices
import { endpointSlices, endpoints as endpointsKind, services as serviceKind } from '../../api/kinds.ts'
import { buildController, watched } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { applySlices, slicesOf, watchSlices } from './managed-slices.ts'
import { mirroredByController, planMirroredSlices } from './plan/mirrored-slices.ts'

export const endpointSliceMirroringController: ControllerDefinition = {
  name: 'endpointslicemirroring-controller',
  eventComponent: 'endpoint-slice-mirroring-controller',
  start: startEndpointSliceMirroringController,
}

/** The component of the recorder is `endpoint-slice-mirroring-controller`. */
export function startEndpointSliceMirroringController(options: RecordingControllerParts): RunningController {
  const { informers, recorder } = options
  const slices = informers.get(endpointSlices)
  const services = informers.get(serviceKind)
  return buildController(options, {
    name: 'endpoint_slice_mirroring',
    for: endpointsKind,
    workers: 5,
    reads: [slices, services],
    watches: [watched(serviceKind, (current, previous) => [keyOf((current ?? previous)!)]), watchSlices(mirroredByController)],
    async reconcile(source, { client, key }) {
      const { namespace = '', name } = source.metadata
      const own = slicesOf(slices, mirroredByController, namespace, name)
      const plan = planMirroredSlices(source, services.get(key), own)
      if (plan.warning !== undefined) recorder.record(source, 'Warning', 'TooManyAddressesToMirror', plan.warning)
      await applySlices(client, namespace, plan)
    },
  })
}
