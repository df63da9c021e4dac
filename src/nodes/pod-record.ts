// The state that a fleet keeps for each pod on its nodes.
import type { Pod, Stored } from '../api/types.ts'
import { keyOf } from '../runtime/informer.ts'
import type { FleetNode } from './fleet-nodes.ts'
import type { PodFault } from './kubelet/pod-faults.ts'
import type { PodState } from './kubelet/pod-state.ts'
import { ephemeralOf } from './kubelet/sync-context.ts'
import { type Files, noFiles } from './shell/files.ts'
import type { Stage } from './stages/stage.ts'
import type { StageWait } from './stages/stage-player.ts'

export interface PodRecord {
  readonly key: string
  readonly node: FleetNode
  pod: Stored<Pod>
  podIp: string
  state: PodState
  /** The pod ran before this process started: its first sync restores its state from its status. */
  needsResume: boolean
  faults?: readonly PodFault[]
  /** The pod is counted in the usage of its node. */
  usesNodeResources: boolean
  isWriting: boolean
  isQueued: boolean
  /** When the sync that is queued was due, where a timer requested it. */
  dueMs?: number | undefined
  /** On a grid of timers: the time of the last sync. */
  syncedAtMs: number
  failures: number
  /** With stages: the stage that the pod waits for, and the number of stages played. */
  stage?: StageWait | undefined
  lastStage?: Stage
  playedStages: number
}

/** The state of a pod that is played by stages, or not resumed yet: no container runs. */
export const idleState: PodState = { startedAtMs: 0, sandboxAtMs: 0, initContainers: [], containers: [], isDone: false, files: noFiles }

/**
 * The time of the sync that begins, on a grid of timers. It is the time when the sync was due, so that the next delay counts from there
 * and rounding does not add up. The time of a pod never goes back.
 */
export function takeSyncTime(record: PodRecord, nowMs: number): number {
  record.syncedAtMs = Math.max(record.syncedAtMs, record.dueMs ?? nowMs)
  record.dueMs = undefined
  return record.syncedAtMs
}

/** The named container if it runs. */
export function findRunningContainer({ pod: { spec }, state }: PodRecord, name: string) {
  const { containers, initContainers, ephemeralContainers } = state
  const lists = [
    [spec?.containers, containers],
    [spec?.initContainers, initContainers],
    [spec && ephemeralOf(spec), ephemeralContainers],
  ] as const
  for (const [specs = [], states = []] of lists) {
    const at = specs.findIndex((one) => one.name === name)
    const now = states[at]?.now
    if (now?.at === 'running') return { container: specs[at]!, startedAtMs: now.startedAtMs }
  }
  return undefined
}

/** The files that its containers can write. */
export const filesOf = ({ state, node }: PodRecord) => ({ pod: state.files, host: node.hostFiles })

export function setFiles(record: PodRecord, { pod, host }: Files): PodRecord {
  record.state = { ...record.state, files: pod }
  record.node.hostFiles = host
  return record
}

export function createRecord(
  pod: Stored<Pod>,
  node: FleetNode,
  podIp: string,
  state: PodState,
  needsResume: boolean,
  usesNodeResources: boolean,
): PodRecord {
  return {
    key: keyOf(pod),
    node,
    pod,
    podIp,
    state,
    needsResume,
    usesNodeResources,
    isWriting: false,
    isQueued: false,
    syncedAtMs: 0,
    failures: 0,
    playedStages: 0,
  }
}
