// Whether a node still gives signs of life, and what its conditions become when it does not.
import type { Node, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'

export type NodeCondition = NonNullable<NonNullable<Node['status']>['conditions']>[number]

/** What is remembered of a node between two looks at it. */
export interface NodeHealth {
  /** When it last gave a sign of life, by our own clock: the node's may be wrong. */
  readonly probedAtMs: number
  /** Its Ready condition, as last seen or written. Absent: nobody ever reported one. */
  readonly ready?: { readonly status: string; readonly lastHeartbeatTime: string | undefined }
  /** Of its Lease, as last seen. */
  readonly renewTime?: string
}

export interface GracePeriods {
  /** Without a sign of life for longer than this, a node counts as lost. */
  readonly monitorMs: number
  /** The same for a node that never reported a Ready condition. */
  readonly startupMs: number
}

export const usualGracePeriods: GracePeriods = { monitorMs: 50_000, startupMs: 60_000 }

export function conditionOf({ status }: Node, type: string): NodeCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type)
}

export const readyStatusOf = (node: Node): string | undefined => conditionOf(node, 'Ready')?.status

/** A report with another heartbeat time, or a Lease that was renewed, is a sign of life. */
export function nextHealth(saved: NodeHealth | undefined, node: Stored<Node>, renewTime: string | undefined, nowMs: number): NodeHealth {
  const current = conditionOf(node, 'Ready')
  const ready = current && { status: current.status, lastHeartbeatTime: current.lastHeartbeatTime }
  const isAlive =
    isRenewed(saved?.renewTime, renewTime) ||
    (current !== undefined && (saved?.ready === undefined || saved.ready.lastHeartbeatTime !== current.lastHeartbeatTime))
  const createdMs = () => parseTime(node.metadata.creationTimestamp ?? '')
  return {
    probedAtMs: isAlive ? nowMs : (saved?.probedAtMs ?? (current === undefined ? createdMs() : nowMs)),
    ...(ready !== undefined && { ready }),
    ...(renewTime !== undefined && { renewTime }),
  }
}

/** After its Lease was seen. */
export function renewedHealth(saved: NodeHealth, renewTime: string | undefined, nowMs: number): NodeHealth {
  return renewTime !== undefined && isRenewed(saved.renewTime, renewTime) ? { ...saved, probedAtMs: nowMs, renewTime } : saved
}

function isRenewed(saved: string | undefined, observed: string | undefined): boolean {
  if (observed === undefined || observed === saved) return false
  return saved === undefined || parseTime(saved) < parseTime(observed)
}

/** The node counts as lost after this moment, unless it gives a sign of life until then. */
export function lostAfterMs({ probedAtMs, ready }: NodeHealth, { monitorMs, startupMs }: GracePeriods): number {
  return probedAtMs + (ready === undefined ? startupMs : monitorMs)
}

/** NetworkUnavailable is not among them: it is no word of the node's. */
const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** The conditions of a node that is lost; undefined when its Ready condition says so already. */
export function planLostConditions(node: Stored<Node>, nowMs: number): NodeCondition[] | undefined {
  if (readyStatusOf(node) === 'Unknown') return undefined
  const lastTransitionTime = formatTime(nowMs)
  const known = node.status?.conditions ?? []
  const missing = reported.filter((type) => !known.some((condition) => condition.type === type))
  return [
    ...known.map((condition) =>
      !reported.includes(condition.type) || condition.status === 'Unknown'
        ? condition
        : {
            ...condition,
            status: 'Unknown',
            reason: 'NodeStatusUnknown',
            message: 'Kubelet stopped posting node status.',
            lastTransitionTime,
          },
    ),
    ...missing.map((type) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      lastHeartbeatTime: node.metadata.creationTimestamp ?? lastTransitionTime,
      lastTransitionTime,
    })),
  ]
}

/** The usual ones, for nodes that renew their Leases in other than the usual intervals. */
export const gracePeriodsFor = (leaseMs: number): GracePeriods => ({
  monitorMs: leaseMs + usualGracePeriods.monitorMs - usualLeaseMs,
  startupMs: leaseMs + usualGracePeriods.startupMs - usualLeaseMs,
})
const usualLeaseMs = 10_000
