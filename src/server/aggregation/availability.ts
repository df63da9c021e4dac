// The Available condition of an APIService, as kube-aggregator decides it. Pure.
// Kubernetes: k8s.io/kube-aggregator/pkg/controllers/status/remote.AvailableConditionController.sync
// Kubernetes: k8s.io/kube-aggregator/pkg/controllers/status/local.AvailableConditionController.sync
import { isConditionTrue, withCondition } from '../../api/machinery/conditions.ts'
import type { ApiService, EndpointSlice, Service } from '../../api/types.ts'

export interface Verdict {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** The objects that an APIService refers to. */
export interface Backend {
  readonly reference: ServiceTarget
  readonly service: Service | undefined
  /** The EndpointSlices of the service. */
  readonly slices: readonly EndpointSlice[]
}

export interface ServiceTarget {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

const unavailable = (reason: string, message: string): Verdict => ({ status: 'False', reason, message })

/** The condition if the backend cannot be called. Undefined: it can, and its discovery document decides. */
export function judgeBackend({ reference, service, slices }: Backend): Verdict | undefined {
  const { namespace, name, port } = reference
  const shown = `service/${name} in ${JSON.stringify(namespace)}`
  if (service === undefined) return unavailable('ServiceNotFound', `${shown} is not present`)
  if ((service.spec?.type ?? 'ClusterIP') !== 'ClusterIP') return undefined
  const listening = service.spec?.ports?.find((one) => one.port === port)
  if (listening === undefined) return unavailable('ServicePortError', `${shown} is not listening on port ${port}`)
  if (slices.length === 0) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${shown}`)
  const portName = listening.name ?? ''
  const hasEndpoint = slices.some(
    ({ endpoints = [], ports = [] }) =>
      endpoints?.some(({ conditions }) => conditions?.ready ?? true) &&
      ports?.some((one) => (one.name ?? '') === portName && one.port !== undefined),
  )
  if (hasEndpoint) return undefined
  return unavailable('MissingEndpoints', `endpointslices for ${shown} have no addresses with port name ${JSON.stringify(portName)}`)
}

export const judgeLocal: Verdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' }

/** `failure`: why the discovery document could not be read. Undefined: it was read. */
export const judgeDiscovery = (failure: string | undefined): Verdict =>
  failure === undefined ? { status: 'True', reason: 'Passed', message: 'all checks passed' } : unavailable('FailedDiscoveryCheck', failure)

type Status = NonNullable<ApiService['status']>

/** The status with the new condition; undefined if nothing changes. */
export function statusWith(current: Status | undefined, verdict: Verdict, now: string): Status | undefined {
  const before = current?.conditions ?? []
  const conditions = withCondition(before, { type: 'Available', ...verdict }, now)
  return conditions === before ? undefined : { ...current, conditions }
}

export const isAvailable = ({ status }: ApiService): boolean => isConditionTrue(status?.conditions, 'Available')
