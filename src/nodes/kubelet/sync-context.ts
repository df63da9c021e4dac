// One look at a pod: what is known, and what comes of it.
import type { Container, Pod, PodSpec, Service } from '../../api/types.ts'
import type { Files, FileTree } from '../shell/files.ts'
import type { Output } from '../shell/process.ts'
import { WorkBudget } from '../work-budget.ts'
import type { ImageRules } from './image-name.ts'
import type { PodFault } from './pod-faults.ts'
import type { Timing } from './pod-settings.ts'
import type { ContainerState, Stopping } from './pod-state.ts'

/** What a pod's life depends on besides the pod. */
export interface PodEnvironment {
  /** Makes the chances of this run differ from those of another. */
  readonly salt: number
  readonly timing: Timing
  readonly images: ImageRules
  /** What somebody wants to go wrong. */
  readonly faults?: readonly PodFault[]
  readonly hostIp: string
  readonly podIp: string
  /** Files of the node, in hostPath volumes. */
  readonly hostFiles: FileTree
  isImagePresent(image: string): boolean
  /** Of the pod's namespace, and the one of the API server. Absent: nobody knows. */
  readServices?(withOwn: boolean): Iterable<Service>
  /** What the node has for pods. Absent: nobody knows. */
  readAllocatable?(): Readonly<Record<string, string>>
  /** The data of a ConfigMap or Secret; undefined when there is none. Absent: nobody knows, and values are empty. */
  readData?(kind: 'ConfigMap' | 'Secret', name: string): Readonly<Record<string, string>> | undefined
}

export interface PodEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** Absent: the event is about the pod. */
  readonly fieldPath?: string
}

/** What a container printed, in its n-th run. */
export interface ContainerOutput {
  readonly container: string
  readonly run: number
  readonly output: readonly Output[]
}

/** What finds the work spent is tried again that soon: the scripts that have spent it rest for longer. */
export const postponedMs = 100

export class SyncContext {
  readonly pod: Pod
  readonly spec: PodSpec
  readonly nowMs: number
  readonly environment: PodEnvironment
  readonly events: PodEvent[] = []
  readonly output: ContainerOutput[] = []
  readonly pulled: string[] = []
  files: Files
  stopping: Stopping | undefined
  requeueAtMs: number | undefined
  #work: WorkBudget | undefined

  constructor(pod: Pod, nowMs: number, environment: PodEnvironment, files: FileTree, stopping: Stopping | undefined) {
    this.pod = pod
    this.spec = pod.spec!
    this.nowMs = nowMs
    this.environment = environment
    this.files = { pod: files, host: environment.hostFiles }
    this.stopping = stopping
  }

  /** What the code of the pod may do in this reconcile. */
  get work(): WorkBudget {
    this.#work ??= new WorkBudget()
    return this.#work
  }

  get workUnits(): number {
    return this.#work?.spent ?? 0
  }

  /** Whether something new may begin now; if not, another look is asked for soon. */
  mayBegin(): boolean {
    if (this.#work === undefined || !this.#work.isSpent) return true
    this.wake(this.nowMs + postponedMs)
    return false
  }

  /** Asks for another look, at that time at the latest. */
  wake(atMs: number): void {
    if (this.requeueAtMs === undefined || atMs < this.requeueAtMs) this.requeueAtMs = atMs
  }

  record(type: 'Normal' | 'Warning', reason: string, message: string, container?: Container): void {
    this.events.push({ type, reason, message, ...(container !== undefined && { fieldPath: fieldPathOf(this.spec, container) }) })
  }

  print(container: Container, state: ContainerState, output: readonly Output[]): void {
    if (output.length > 0) this.output.push({ container: container.name, run: state.restartCount, output })
  }
}

function fieldPathOf(spec: PodSpec, container: Container): string {
  const list = spec.initContainers?.includes(container)
    ? 'initContainers'
    : isEphemeral(spec, container)
      ? 'ephemeralContainers'
      : 'containers'
  return `spec.${list}{${container.name}}`
}

/** The containers that `kubectl debug` adds; they have all that matters here of a container. */
export const ephemeralOf = ({ ephemeralContainers }: PodSpec): readonly Container[] => (ephemeralContainers ?? []) as readonly Container[]

export const isEphemeral = (spec: PodSpec, container: Container): boolean => ephemeralOf(spec).includes(container)

/** `name_namespace(uid)`, as the kubelet speaks of a pod. */
export function longNameOf({ metadata }: Pod): string {
  return `${metadata?.name}_${metadata?.namespace}(${metadata?.uid})`
}

export const isSidecar = ({ restartPolicy }: Container) => restartPolicy === 'Always'
