// The heartbeats of a node, and its conditions when they stop.
// Kubernetes: pkg/controller/nodelifecycle.Controller.tryUpdateNodeHealth
import type { Node, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'

type NodeCondition = NonNullable<NonNullable<Node['status']>['conditions']>[number]

/** The state of a node between two checks. */
export interface NodeHealth {
  /** The last heartbeat by the clock of this process: that of the node may be wrong. */
  readonly probedAtMs: number
  /** The Ready condition as last observed or written. Absent if the node never reported one. */
  readonly ready?: { readonly status: string; readonly lastHeartbeatTime: string | undefined }
  /** The renewTime of its Lease as last observed. */
  readonly renewTime?: string
}

export interface GracePeriods {
  /** Without a heartbeat for longer than this, a node is lost. */
  readonly monitorMs: number
  /** The same for a node that never reported a Ready condition. */
  readonly startupMs: number
}

export const defaultGracePeriods: GracePeriods = { monitorMs: 50_000, startupMs: 60_000 }

const readyOf = ({ status }: Node): NodeCondition | undefined => status?.conditions?.find(({ type }) => type === 'Ready')

export const readyStatusOf = (node: Node): string | undefined => readyOf(node)?.status

/** A Ready condition with another heartbeat time, or a renewed Lease, is a heartbeat. */
export function nextHealth(saved: NodeHealth | undefined, node: Stored<Node>, renewTime: string | undefined, nowMs: number): NodeHealth {
  const current = readyOf(node)
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

/** The health after its Lease was observed. */
export function renewedHealth(saved: NodeHealth, renewTime: string | undefined, nowMs: number): NodeHealth {
  return renewTime !== undefined && isRenewed(saved.renewTime, renewTime) ? { ...saved, probedAtMs: nowMs, renewTime } : saved
}

function isRenewed(saved: string | undefined, observed: string | undefined): boolean {
  if (observed === undefined || observed === saved) return false
  return saved === undefined || parseTime(saved) < parseTime(observed)
}

/** The node is lost after this moment, unless there is a heartbeat before. */
export function lostAfterMs({ probedAtMs, ready }: NodeHealth, { monitorMs, startupMs }: GracePeriods): number {
  return probedAtMs + (ready === undefined ? startupMs : monitorMs)
}

/** Without NetworkUnavailable, which the kubelet does not report. */
const reportedTypes = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

/** The conditions of a lost node; undefined if its Ready condition is Unknown already. */
export function planLostConditions(node: Stored<Node>, nowMs: number): NodeCondition[] | undefined {
  if (readyStatusOf(node) === 'Unknown') return undefined
  const lastTransitionTime = formatTime(nowMs)
  const known = node.status?.conditions ?? []
  const missing = reportedTypes.filter((type) => !known.some((condition) => condition.type === type))
  return [
    ...known.map((condition) =>
      !reportedTypes.includes(condition.type) || condition.status === 'Unknown'
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

/** The defaults, adjusted to the interval in which nodes renew their Leases. */
export const gracePeriodsFor = (leaseMs: number): GracePeriods => ({
  monitorMs: leaseMs + defaultGracePeriods.monitorMs - defaultLeaseMs,
  startupMs: leaseMs + defaultGracePeriods.startupMs - defaultLeaseMs,
})
const defaultLeaseMs = 10_000
