// How often nodes say that they are there, and how long they may be silent: the two must go together.
import { type Heartbeats, usualHeartbeats } from '../nodes/fleet-nodes.ts'
import { type GracePeriods, usualGracePeriods } from '../planners/node-lifecycle/health.ts'

/** So many heartbeats may be lost before a node is. */
const beatsInGrace = 5

export function monitoringFor(graceMs: number): { readonly gracePeriods: GracePeriods; readonly heartbeats: Heartbeats } {
  const startupMs = graceMs + usualGracePeriods.startupMs - usualGracePeriods.monitorMs
  return {
    gracePeriods: { monitorMs: graceMs, startupMs },
    heartbeats: { ...usualHeartbeats, leaseMs: Math.min(usualHeartbeats.leaseMs, graceMs / beatsInGrace) },
  }
}
