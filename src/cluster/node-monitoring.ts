// The heartbeats of nodes, and the grace period after which a node without heartbeats is lost. The two must fit.

import { defaultGracePeriods, type GracePeriods } from '../controllers/node-lifecycle/plan/health.ts'
import { defaultHeartbeats, type Heartbeats } from '../nodes/fleet-nodes.ts'

/** The number of heartbeats that a node may miss before it is lost. */
const beatsInGrace = 5

export function monitoringFor(graceMs: number): { readonly gracePeriods: GracePeriods; readonly heartbeats: Heartbeats } {
  const startupMs = graceMs + defaultGracePeriods.startupMs - defaultGracePeriods.monitorMs
  return {
    gracePeriods: { monitorMs: graceMs, startupMs },
    heartbeats: { ...defaultHeartbeats, leaseMs: Math.min(defaultHeartbeats.leaseMs, graceMs / beatsInGrace) },
  }
}
