// How often nodes say that they are there, and how long they may be silent: the two must go together.

import { defaultGracePeriods, type GracePeriods } from '../controllers/node-lifecycle/plan/health.ts'
import { defaultHeartbeats, type Heartbeats } from '../nodes/fleet-nodes.ts'

/** So many heartbeats may be lost before a node is. */
const beatsInGrace = 5

export function monitoringFor(graceMs: number): { readonly gracePeriods: GracePeriods; readonly heartbeats: Heartbeats } {
  const startupMs = graceMs + defaultGracePeriods.startupMs - defaultGracePeriods.monitorMs
  return {
    gracePeriods: { monitorMs: graceMs, startupMs },
    heartbeats: { ...defaultHeartbeats, leaseMs: Math.min(defaultHeartbeats.leaseMs, graceMs / beatsInGrace) },
  }
}
