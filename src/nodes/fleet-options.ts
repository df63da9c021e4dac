// What a fleet of simulated nodes needs, and what it offers.
import type { Pod, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import type { EventRecorder } from '../runtime/event-recorder.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'
import type { LogRequest } from './container-logs.ts'
import type { SessionListener } from './container-session.ts'
import type { Heartbeats } from './fleet-nodes.ts'
import type { HttpResponse } from './kubelet/http-responses.ts'
import type { ImageRules } from './kubelet/image-name.ts'
import type { PodFault } from './kubelet/pod-faults.ts'
import type { Timing } from './kubelet/pod-settings.ts'
import type { NodeSpec } from './node-object.ts'
import type { Stage } from './stages/stage.ts'

export interface FleetOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly informers: SharedInformers
  readonly recorder: EventRecorder
  readonly nodes: readonly NodeSpec[]
  readonly heartbeats?: Heartbeats
  /** How long things take where neither the pod nor a stage says it. */
  readonly timing: Timing
  readonly images?: ImageRules
  /** KWOK's stages. With any for pods, pods live by them and not as on a kubelet; with any for nodes, so do the nodes. */
  readonly stages?: readonly Stage[]
  /** Only that is told of pods which others decide by: that they are ready, that they fail, that they are gone. */
  readonly reportsEssentialsOnly?: boolean
  onFailure(what: string, error: unknown): void
}

export interface Fleet {
  /** Resolves when the nodes are there and their pods are known. */
  readonly synced: Promise<void>
  stop(): Promise<void>
  /** As the API server wants it for `kubectl logs`. */
  readLog(pod: Pod, request: LogRequest): string | AsyncIterable<string>
  /** Runs a command in a container, as `kubectl exec` does; returns how to stop. Undefined: the container does not run. */
  exec(pod: Pod, container: string, command: readonly string[], listener: SessionListener): (() => void) | undefined
  /** What a container answers to GET. Undefined: it does not run, or nobody here knows. */
  answerHttp(pod: Pod, container: string, path: string): HttpResponse | undefined
  /** More nodes, as an autoscaler asks for them. */
  addNodes(specs: readonly NodeSpec[]): Promise<void>
  /** The node goes silent: no heartbeats, and its pods stay as they are. False: no such node here. */
  stopNode(name: string): boolean
  /** It is back, with its pods as they were. */
  startNode(name: string): boolean
  /** What runs in the pod, or in one container of it, ends with that code. False: nothing runs there. */
  crash(pod: { readonly namespace: string; readonly name: string }, exitCode?: number, container?: string): boolean
  /** What goes wrong in that pod from now on; an empty list ends it. The pod, or undefined: there is no such pod here. */
  setFaults(pod: { readonly namespace: string; readonly name: string }, faults: readonly PodFault[]): Stored<Pod> | undefined
  /** The pods that live here. */
  readPod(pod: { readonly namespace: string; readonly name: string }): Stored<Pod> | undefined
  hasNode(name: string): boolean
}
