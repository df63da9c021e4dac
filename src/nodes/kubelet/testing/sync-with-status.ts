// A sync together with the status that the node reports after it.
import type { Pod, PodStatus } from '../../../api/types.ts'
import type { PodState } from '../pod-state.ts'
import { nextStatus } from '../pod-status.ts'
import { type SyncResult, syncPod } from '../pod-sync.ts'
import type { PodEnvironment } from '../sync-context.ts'

export interface SyncWithStatus extends SyncResult {
  readonly status: PodStatus
}

export function syncWithStatus(state: PodState, pod: Pod, nowMs: number, environment: PodEnvironment): SyncWithStatus {
  const result = syncPod(state, pod, nowMs, environment)
  return { ...result, status: nextStatus(result.state, pod, nowMs, environment) }
}
