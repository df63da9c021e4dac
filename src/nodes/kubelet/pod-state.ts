// What a node knows of a pod between two looks at it. Plain values: the same state, pod and time give the same next step.
import type { FileTree } from '../shell/files.ts'
import type { Process } from '../shell/process.ts'

export interface PodState {
  /** When the node took it on. */
  readonly startedAtMs: number
  /** When its sandbox, with its address, is there. */
  readonly sandboxAtMs: number
  /** How often its volumes could not be mounted. Absent: never. */
  readonly mountFailures?: number
  /** The node does not take it. */
  readonly rejected?: { readonly reason: string; readonly message: string }
  readonly initContainers: readonly ContainerState[]
  readonly containers: readonly ContainerState[]
  /** Absent: nobody has added one. */
  readonly ephemeralContainers?: readonly ContainerState[]
  readonly stopping?: Stopping
  /** Nothing runs any more, and nothing will: its phase is Succeeded or Failed. */
  readonly isDone: boolean
  /** What its containers have written, in volumes and outside of them. */
  readonly files: FileTree
}

export interface Stopping {
  readonly cause: 'deleted' | 'deadline' | 'completed'
  readonly sinceMs: number
  /** Whatever still runs is killed then. */
  readonly killAtMs: number
}

export interface ContainerState {
  readonly now: Waiting | Running | Ended
  /** How the run before this one ended. */
  readonly last?: Ended
  readonly restartCount: number
  readonly backOff?: BackOff
  /** Attempts to pull its image that failed. */
  readonly pullFailures: number
}

export interface Waiting {
  readonly at: 'waiting'
  /** What it waits for; shown as the reason unless there is a better one. */
  readonly reason?:
    | 'ErrImagePull'
    | 'ErrImageNeverPull'
    | 'ImagePullBackOff'
    | 'CrashLoopBackOff'
    | 'InvalidImageName'
    | 'CreateContainerConfigError'
  readonly message?: string
  /** When there is something to do. Absent: its turn has not come. */
  readonly dueMs?: number
  /** The image is being pulled until `dueMs`. */
  readonly isPulling?: boolean
  /** After an image could not be pulled: when to try again. */
  readonly nextPullMs?: number
}

export interface Running {
  readonly at: 'running'
  readonly startedAtMs: number
  readonly process: Process
  /** Of this run: another one in the spec means another run. */
  readonly image: string
  readonly isStarted: boolean
  readonly isReady: boolean
  readonly startup?: ProbeState
  readonly readiness?: ProbeState
  readonly liveness?: ProbeState
  readonly stop?: ContainerStop
  /** The end of what it printed, where that may become its last word. */
  readonly lastOutput?: string
}

export interface ProbeState {
  /** When to look next. Absent: the answer cannot change by itself. */
  readonly nextMs?: number
  readonly passes: boolean
  /** Answers in a row that differ from `passes`. */
  readonly against: number
}

/** A container on its way out. */
export interface ContainerStop {
  readonly cause: 'pod' | 'liveness' | 'startup' | 'changed'
  /** The preStop hook runs until then. */
  readonly signalAtMs: number
  readonly isSignalled: boolean
  readonly killAtMs: number
  /** It does not end, because somebody wants it so. */
  readonly isHung?: boolean
}

export interface Ended {
  readonly at: 'ended'
  readonly startedAtMs: number
  readonly finishedAtMs: number
  readonly exitCode: number
  readonly reason: string
  readonly message?: string
  /** Of the run that ended: its place in the ids of the containers. Absent where nothing ever ran. */
  readonly run?: number
  /** When it starts again. Absent: never. */
  readonly restartAtMs?: number
}

export interface BackOff {
  readonly delayMs: number
  /** When the delay was last made longer. */
  readonly atMs: number
}
