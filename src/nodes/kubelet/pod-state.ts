// The state of a pod on its node between two syncs. Immutable values: the same state, pod and time give the same result.
// Kubernetes: pkg/kubelet/container.PodStatus, Status
import type { FileTree } from '../shell/files.ts'
import type { Process } from '../shell/process.ts'

export interface PodState {
  /** When the node admitted the pod. */
  readonly startedAtMs: number
  /** When the sandbox of the pod, with its IP address, is ready. */
  readonly sandboxAtMs: number
  /** The number of failed attempts to mount its volumes. Absent: none. */
  readonly mountFailures?: number
  /** The node did not admit the pod. */
  readonly rejected?: { readonly reason: string; readonly message: string }
  readonly initContainers: readonly ContainerState[]
  readonly containers: readonly ContainerState[]
  /** Absent: the pod has none. */
  readonly ephemeralContainers?: readonly ContainerState[]
  readonly stopping?: Stopping
  /** All containers have terminated for good: the phase is Succeeded or Failed. */
  readonly isDone: boolean
  /** The files that its containers have written, inside and outside of volumes. */
  readonly files: FileTree
}

export interface Stopping {
  readonly cause: 'deleted' | 'deadline' | 'completed'
  readonly sinceMs: number
  /** When running containers get SIGKILL. */
  readonly killAtMs: number
}

export interface ContainerState {
  readonly now: Waiting | Running | Ended
  /** How the previous run terminated. */
  readonly last?: Ended
  readonly restartCount: number
  readonly backOff?: BackOff
  /** The number of failed attempts to pull its image. */
  readonly pullFailures: number
}

export interface Waiting {
  readonly at: 'waiting'
  /** Absent: ContainerCreating or PodInitializing is reported. */
  readonly reason?:
    | 'ErrImagePull'
    | 'ErrImageNeverPull'
    | 'ImagePullBackOff'
    | 'CrashLoopBackOff'
    | 'InvalidImageName'
    | 'CreateContainerConfigError'
  readonly message?: string
  /** When the next action is due. Absent: the container may not start yet. */
  readonly dueMs?: number
  /** The image is being pulled until `dueMs`. */
  readonly isPulling?: boolean
  /** When to retry a failed pull. */
  readonly nextPullMs?: number
}

export interface Running {
  readonly at: 'running'
  readonly startedAtMs: number
  readonly process: Process
  /** The image of this run. A different image in the spec causes a restart. */
  readonly image: string
  readonly isStarted: boolean
  readonly isReady: boolean
  readonly startup?: ProbeState
  readonly readiness?: ProbeState
  readonly liveness?: ProbeState
  readonly stop?: ContainerStop
  /** The end of its output, if that may become its termination message. */
  readonly lastOutput?: string
}

export interface ProbeState {
  /** When the probe is next due. Absent: its result cannot change without an external event. */
  readonly nextMs?: number
  readonly passes: boolean
  /** Consecutive results that differ from `passes`. */
  readonly against: number
}

/** A container that is being stopped. */
export interface ContainerStop {
  readonly cause: 'pod' | 'liveness' | 'startup' | 'changed'
  /** When SIGTERM is sent, after the preStop hook. */
  readonly signalAtMs: number
  readonly isSignalled: boolean
  readonly killAtMs: number
  /** An injected fault keeps it from exiting. */
  readonly isHung?: boolean
}

export interface Ended {
  readonly at: 'ended'
  readonly startedAtMs: number
  readonly finishedAtMs: number
  readonly exitCode: number
  readonly reason: string
  readonly message?: string
  /** The number of the run, which is part of the container id. Absent: the container never ran. */
  readonly run?: number
  /** Absent: it does not restart. */
  readonly restartAtMs?: number
}

interface BackOff {
  readonly delayMs: number
  /** When the delay was last increased. */
  readonly atMs: number
}
