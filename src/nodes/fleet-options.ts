// The options and the interface of a fleet of simulated nodes.
import type { PodLogOptions } from '../api/kinds/core/pod/log-options.ts'
import type { Pod, Stored } from '../api/types.ts'
import type { Random } from '../base/random.ts'
import type { RecordingControllerParts } from '../runtime/controller-parts.ts'
import type { SessionListener } from './container-session.ts'
import type { Heartbeats } from './fleet-nodes.ts'
import type { HttpRequest, HttpResponse } from './kubelet/http-responses.ts'
import type { ImageRules } from './kubelet/image-name.ts'
import type { PodFault } from './kubelet/pod-faults.ts'
import type { Timing } from './kubelet/pod-settings.ts'
import type { NodeSpec } from './node-object.ts'
import type { IssueToken } from './pod-tokens.ts'
import type { SimulatedServer } from './simulated-servers.ts'
import type { Stage } from './stages/stage.ts'

export interface FleetOptions extends RecordingControllerParts {
  readonly random: Random
  readonly nodes: readonly NodeSpec[]
  readonly heartbeats?: Heartbeats
  /** The durations of pods that set none by annotation or stage. */
  readonly timing: Timing
  readonly images?: ImageRules
  /** Issues the tokens that pods mount. Absent: the files of tokens do not exist. */
  readonly issueToken?: IssueToken
  /** Pods mount ClusterTrustBundles, which the server has. Default false: their files do not exist. */
  readonly mountsTrustBundles?: boolean
  /**
   * KWOK stages. If there are any for pods, they replace the simulated kubelet; if there are any for nodes, they replace the
   * node status reports.
   */
  readonly stages?: readonly Stage[]
  /**
   * Changes of pods are reported at the nearest multiple of this: fewer moments, and on average neither early nor late. The durations of pods
   * stay exact. Absent: when they are due.
   */
  readonly timerTickMs?: number
  onFailure(what: string, error: unknown): void
}

export interface Fleet {
  /** Resolves when all nodes exist and the caches have synced. */
  readonly synced: Promise<void>
  stop(): Promise<void>
  /** Serves `kubectl logs`. */
  readLog(pod: Pod, request: PodLogOptions): string | AsyncIterable<string>
  /**
   * Runs a command in a container, as `kubectl exec` does, with that standard input; returns a function that stops it. Undefined: the container
   * does not run.
   */
  exec(pod: Pod, container: string, command: readonly string[], listener: SessionListener, input?: string): (() => void) | undefined
  /** The response of a container. Undefined: the container does not run, or its responses are not known. */
  answerHttp(pod: Pod, container: string, request: HttpRequest): HttpResponse | undefined
  /** The server of a pod that listens on the port, if its responses to webhook calls are known. */
  findServer(pod: Pod, port: number): SimulatedServer | undefined
  /** Adds nodes, for an autoscaler. */
  addNodes(specs: readonly NodeSpec[]): Promise<void>
  /** Takes the node down: no heartbeats, and its pods are not synced. Returns false if there is no such node. */
  stopNode(name: string): boolean
  /** Brings the node back; its pods continue where they stopped. */
  startNode(name: string): boolean
  /** Ends the running containers of the pod, or the named one, with the exit code. Returns false if none runs. */
  crash(pod: { readonly namespace: string; readonly name: string }, exitCode?: number, container?: string): boolean
  /** Replaces the faults of the pod; an empty list ends them. Returns the pod, or undefined if it is not on a node of this fleet. */
  setFaults(pod: { readonly namespace: string; readonly name: string }, faults: readonly PodFault[]): Stored<Pod> | undefined
  /** The newest known version of a pod on a node of this fleet. */
  readPod(pod: { readonly namespace: string; readonly name: string }): Stored<Pod> | undefined
  hasNode(name: string): boolean
}
