// The rate at which pods are evicted from lost nodes. When many nodes of a zone are lost at once, a network failure is more likely
// than the failure of the nodes: then pods are evicted slowly, or not at all.
// Kubernetes: pkg/controller/nodelifecycle.Controller.handleDisruption, Controller.setLimiterInZone, Controller.ComputeZoneState
// Kubernetes: pkg/controller/nodelifecycle.Controller.ReducedQPSFunc, Controller.HealthyQPSFunc, isNodeExcludedFromDisruptionChecks
// Kubernetes: k8s.io/component-helpers/node/topology.GetZoneKey
import type { Node } from '../../../api/types.ts'

export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption'

/** Nodes per second in each zone. */
export const normalRate = 0.1
/** The same in a large zone with a partial disruption. In a small one there are no evictions. */
const reducedRate = 0.01
/** A zone with more nodes than this is large. */
const largeZone = 50
/** From this fraction of lost nodes on, and more than two of them, a zone has a partial disruption. */
const unhealthyShare = 0.55

export interface ZoneCount {
  readonly ready: number
  readonly notReady: number
}

export interface DisruptionPlan {
  readonly states: ReadonlyMap<string, ZoneState>
  /** Only zones whose rate changes. */
  readonly rates: ReadonlyMap<string, number>
  /** `begins`: no node is ready any more, and all evictions are cancelled. `ends`: all grace periods restart. */
  readonly fullDisruption?: 'begins' | 'ends'
}

export function zoneOf({ metadata }: Node): string {
  const labels = metadata?.labels ?? {}
  const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? ''
  const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? ''
  return zone === '' && region === '' ? '' : `${region}:\0:${zone}`
}

/** A node with this label does not count for its zone. */
export const isExcluded = ({ metadata }: Node): boolean => Object.hasOwn(metadata?.labels ?? {}, 'node.kubernetes.io/exclude-disruption')

export function zoneStateOf({ ready, notReady }: ZoneCount): ZoneState {
  if (ready === 0 && notReady > 0) return 'FullDisruption'
  return notReady > 2 && notReady / (notReady + ready) >= unhealthyShare ? 'PartialDisruption' : 'Normal'
}

export function planDisruption(before: ReadonlyMap<string, ZoneState>, zones: ReadonlyMap<string, ZoneCount>): DisruptionPlan {
  const states = new Map<string, ZoneState>()
  for (const [zone, count] of zones) states.set(zone, zoneStateOf(count))
  const isFull = (state: ZoneState) => state === 'FullDisruption'
  const isAllLost = [...states.values()].every(isFull)
  const wasAllLost = [...states.keys()].every((zone) => isFull(before.get(zone) ?? 'Initial'))
  if (isAllLost && wasAllLost) return { states, rates: new Map() }
  if (isAllLost) return { states, rates: new Map([...states.keys()].map((zone) => [zone, 0])), fullDisruption: 'begins' }
  const changed = [...states].filter(([zone, state]) => wasAllLost || before.get(zone) !== state)
  return {
    states,
    rates: new Map(changed.map(([zone, state]) => [zone, rateOf(state, zones.get(zone)!)])),
    ...(wasAllLost && { fullDisruption: 'ends' as const }),
  }
}

function rateOf(state: ZoneState, { ready, notReady }: ZoneCount): number {
  if (state !== 'PartialDisruption') return normalRate
  return ready + notReady > largeZone ? reducedRate : 0
}

/** One node at a time, `rate` nodes per second. */
export interface RateLimit {
  readonly rate: number
  /** When the next node is allowed. */
  readonly nextMs: number
}

export const limitAfterUse = ({ rate }: RateLimit, nowMs: number): RateLimit => ({ rate, nextMs: nowMs + 1000 / rate })
export const isAllowed = ({ rate, nextMs }: RateLimit, nowMs: number): boolean => rate > 0 && nextMs <= nowMs

/** A limit that was waiting waits a full interval of the new rate. */
export function limitAtRate(limit: RateLimit, rate: number, nowMs: number): RateLimit {
  if (rate === limit.rate) return limit
  return { rate, nextMs: isAllowed(limit, nowMs) || rate <= 0 ? nowMs : nowMs + 1000 / rate }
}
