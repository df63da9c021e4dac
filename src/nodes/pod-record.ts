// What a fleet keeps of each pod on its nodes.
import type { Pod, Stored } from '../api/types.ts'
import { keyOf } from '../runtime/informer.ts'
import type { FleetNode } from './fleet-nodes.ts'
import type { PodFault } from './kubelet/pod-faults.ts'
import type { PodState } from './kubelet/pod-state.ts'
import { ephemeralOf } from './kubelet/sync-context.ts'
import { noFiles } from './shell/files.ts'
import type { Stage } from './stages/stage.ts'
import type { StageWait } from './stages/stage-player.ts'

export interface PodRecord {
  readonly key: string
  readonly node: FleetNode
  pod: Stored<Pod>
  podIp: string
  state: PodState
  /** It ran before this process did, and is taken up when it is first reconciled. */
  needsResume: boolean
  faults?: readonly PodFault[]
  /** It counts against the size of its node. */
  usesNodeResources: boolean
  isWriting: boolean
  isQueued: boolean
  failures: number
  /** With stages: what it waits for, and how many it has been through. */
  stage?: StageWait | undefined
  lastStage?: Stage
  playedStages: number
}

/** Of a pod that lives by stages, or is not taken up yet: nothing runs in it here. */
export const idleState: PodState = { startedAtMs: 0, sandboxAtMs: 0, initContainers: [], containers: [], isDone: false, files: noFiles }

/** The container of that name, while it runs. */
export function findRunning({ pod: { spec }, state }: PodRecord, name: string) {
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

export const filesOf = ({ state, node }: PodRecord) => ({ pod: state.files, host: node.hostFiles })

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
    failures: 0,
    playedStages: 0,
  }
}
