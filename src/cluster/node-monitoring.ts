// How often nodes say that they are there, and how long they may be silent: the two must go together.

import { type GracePeriods, usualGracePeriods } from '../controllers/node-lifecycle/plan/health.ts'
import { type Heartbeats, usualHeartbeats } from '../nodes/fleet-nodes.ts'

/** So many heartbeats may be lost before a node is. */
const beatsInGrace = 5

export function monitoringFor(graceMs: number): { readonly gracePeriods: GracePeriods; readonly heartbeats: Heartbeats } {
  const startupMs = graceMs + usualGracePeriods.startupMs - usualGracePeriods.monitorMs
  return {
    gracePeriods: { monitorMs: graceMs, startupMs },
    heartbeats: { ...usualHeartbeats, leaseMs: Math.min(usualHeartbeats.leaseMs, graceMs / beatsInGrace) },
  }
}
