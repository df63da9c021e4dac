// The endpoint controllers: keep the EndpointSlices and the Endpoints of every Service with a selector.
// Kubernetes: pkg/controller/endpointslice.Controller.syncService, Controller.onServiceUpdate, Controller.updateNode
// Kubernetes: pkg/controller/endpointslice.Controller.checkNodeTopologyDistribution
// Kubernetes: pkg/controller/endpoint.Controller.syncService, Controller.checkLeftoverEndpoints
import { endpointSlices, endpoints as endpointsKind, nodes as nodeKind, pods as podKind, services as serviceKind } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { Node, Pod, Service, Stored } from '../../api/types.ts'
import { hasSameLabels } from '../../base/label-selector.ts'
import { buildController, watched } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { together } from '../../runtime/together.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { batchDelayMs } from '../shared/plan/pod-changes.ts'
import { isReady, isTerminal } from '../shared/plan/pod-state.ts'
import { applySlices, slicesOf, watchSlices } from './managed-slices.ts'
import { managedByController, planEndpointSlices } from './plan/endpoint-slices.ts'
import { isManaged as isManagedEndpoints, planEndpoints } from './plan/endpoints.ts'
import { planTriggerTime, type TriggerState } from './plan/trigger-time.ts'

const zoneLabel = 'topology.kubernetes.io/zone'

export const endpointSliceController: ControllerDefinition = {
  name: 'endpointslice-controller',
  eventComponent: 'endpoint-slice-controller',
  start: startEndpointSliceController,
}

/** Starts the controller that keeps EndpointSlices. */
export function startEndpointSliceController(options: CommonParts): RunningController {
  const { informers } = options
  const slices = informers.get(endpointSlices)
  const nodes = informers.get(nodeKind)
  const zoneOf = (name: string) => (nodes.get(name) as Stored<Node> | undefined)?.metadata.labels?.[zoneLabel]
  return startFor(
    options,
    'endpoint_slice',
    [slices, nodes],
    [watchSlices(managedByController)],
    async (service, pods, client, triggerTime) => {
      const { namespace = '', name } = service.metadata
      const own = slicesOf(slices, managedByController, namespace, name)
      await applySlices(client, namespace, planEndpointSlices(service, pods, own, zoneOf, triggerTime))
    },
  )
}

export const endpointsController: ControllerDefinition = {
  name: 'endpoint-controller',
  start: startEndpointsController,
}

/** Starts the controller that keeps Endpoints. */
export function startEndpointsController(options: CommonParts): RunningController {
  const all = options.informers.get(endpointsKind)
  const services = options.informers.get(serviceKind)
  // Endpoints have no owner: those of a deleted Service are deleted here.
  const remover = buildController(options, {
    name: 'endpoint_removal',
    for: endpointsKind,
    workers: 1,
    delayOf: (_, previous) => (previous === undefined ? 0 : undefined),
    reads: [services],
    watches: [watched(serviceKind, (current, previous) => (current === undefined ? [keyOf(previous!)] : []))],
    async reconcile(object, { client, key }) {
      if (!isManagedEndpoints(object) || services.get(key) !== undefined) return
      const { namespace = '', name } = object.metadata
      await ignoring('NotFound', client.delete(endpointsKind, { namespace, name }))
    },
  })
  // Endpoints that another client deletes are created again; its changes stay until the pods change, as in Kubernetes.
  const deletions = watched(endpointsKind, (current, previous) => (current === undefined ? [keyOf(previous!)] : []))
  const keeper = startFor(options, 'endpoint', [all], [deletions], async (service, pods, client, triggerTime) => {
    const { namespace = '', name } = service.metadata
    const current = all.get(`${namespace}/${name}`)
    const next = planEndpoints(service, pods, current, triggerTime)
    if (next === undefined) return
    if (current === undefined) await ignoring('AlreadyExists', client.create(endpointsKind, namespace, next))
    else await client.update(endpointsKind, { ...current, ...next } as typeof current)
  })
  return together([keeper, remover])
}

type Sync = (
  service: Stored<Service>,
  pods: readonly Stored<Pod>[],
  client: CommonParts['client'],
  triggerTime: string | undefined,
) => Promise<void>

function startFor(
  options: CommonParts,
  name: string,
  reads: readonly { readonly synced: Promise<unknown> }[],
  watches: readonly ReturnType<typeof watched>[],
  sync: Sync,
): RunningController {
  const services = options.informers.get(serviceKind)
  const pods = options.informers.get(podKind)
  /** By key of the Service: how many pods it had at the last sync. */
  const counts = new Map<string, number>()
  const triggers = new Map<string, TriggerState>()
  const keysOf = (pod: Stored<Pod>) =>
    services
      .byIndex('namespace', pod.metadata.namespace ?? '')
      .filter((service) => isSelected(service, pod))
      .map(keyOf)
  return buildController(options, {
    name,
    for: serviceKind,
    workers: 5,
    reads: [pods, ...reads],
    watches: [
      watched(
        podKind,
        (current, previous) => {
          if (current === undefined || previous === undefined) return keysOf((current ?? previous)!)
          if (!hasSameLabels(current.metadata.labels, previous.metadata.labels)) return new Set([...keysOf(current), ...keysOf(previous)])
          return affectsEndpoints(current, previous) ? keysOf(current) : []
        },
        (key) => batchDelayMs(counts.get(key) ?? 0),
      ),
      ...watches,
    ],
    async reconcile(service, { client, key }) {
      // Without a selector, another client keeps the endpoints.
      if (service.metadata.deletionTimestamp !== undefined || !hasSelector(service) || service.spec?.type === 'ExternalName') return
      const selected = pods.byIndex('namespace', service.metadata.namespace ?? '').filter((pod) => isSelected(service, pod))
      counts.set(key, selected.length)
      const { state, time } = planTriggerTime(triggers.get(key), service, selected)
      triggers.set(key, state)
      await sync(service, selected, client, time)
    },
    state: [counts, triggers],
  })
}

const hasSelector = ({ spec }: Service) => Object.keys(spec?.selector ?? {}).length > 0

function isSelected(service: Service, { metadata }: Stored<Pod>): boolean {
  const selector = service.spec?.selector
  let hasAny = false
  for (const name in selector) {
    if (metadata.labels?.[name] !== selector[name]) return false
    hasAny = true
  }
  return hasAny
}

function affectsEndpoints(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  return (
    current.status?.podIP !== previous.status?.podIP ||
    isReady(current) !== isReady(previous) ||
    isTerminal(current) !== isTerminal(previous) ||
    current.spec?.nodeName !== previous.spec?.nodeName ||
    (current.metadata.deletionTimestamp === undefined) !== (previous.metadata.deletionTimestamp === undefined)
  )
}
