// The inputs and the collected results of one sync of a pod.
// Ours: the input and the results of a sync.
import type { ClusterTrustBundle, Container, Pod, PodSpec, Service, Volume } from '../../api/types.ts'
import type { Files, FileTree } from '../shell/files.ts'
import type { Output } from '../shell/process.ts'
import { WorkBudget } from '../work-budget.ts'
import type { ImageRules } from './image-name.ts'
import type { PodFault } from './pod-faults.ts'
import type { Timing } from './pod-settings.ts'
import type { ContainerState, Stopping } from './pod-state.ts'
import { providedFiles } from './provided-files.ts'

export type TrustBundleChoice = NonNullable<NonNullable<NonNullable<Volume['projected']>['sources']>[number]['clusterTrustBundle']>

/** What a sync depends on besides the pod. */
export interface PodEnvironment {
  /** The seed of this run. */
  readonly salt: number
  readonly timing: Timing
  readonly images: ImageRules
  /** Faults that were injected by command. */
  readonly faults?: readonly PodFault[]
  readonly hostIp: string
  readonly podIp: string
  /** Files of the node, for hostPath volumes. */
  readonly hostFiles: FileTree
  isImagePresent(image: string): boolean
  /** The service of the API server, and with `withOwn` those of the pod's namespace. Absent: there are none. */
  readServices?(withOwn: boolean): Iterable<Service>
  /** The allocatable resources of the node. Absent: not known. */
  readAllocatable?(): Readonly<Record<string, string>>
  /**
   * The data of a ConfigMap or Secret; undefined if it does not exist. With `withBinary`, the binary data of a ConfigMap too. Absent: nothing is
   * read, and values are empty.
   */
  readData?(kind: 'ConfigMap' | 'Secret', name: string, withBinary?: boolean): Readonly<Record<string, string>> | undefined
  /** The chosen ClusterTrustBundles. Absent: nothing is read, and the files do not exist. */
  readTrustBundles?(choice: TrustBundleChoice): readonly ClusterTrustBundle[]
  /** A token of the pod's service account, for the audience. Undefined, or absent: there is none. */
  readToken?(audience: string | undefined, expirationSeconds: number): string | undefined
}

export interface PodEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** Absent: the event is about the pod. */
  readonly fieldPath?: string
}

/** What a container printed in one of its runs. */
export interface ContainerOutput {
  readonly container: string
  readonly run: number
  readonly output: readonly Output[]
}

/** When to retry what the work budget did not allow. Scripts that exhausted it pause for longer. */
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
    this.files = { pod: files, host: environment.hostFiles, provided: providedFiles(pod, environment) }
    this.stopping = stopping
  }

  /** The work budget of this sync. */
  get work(): WorkBudget {
    this.#work ??= new WorkBudget()
    return this.#work
  }

  get workUnits(): number {
    return this.#work?.spent ?? 0
  }

  /** Whether something new may start now. If not, another sync is requested. */
  mayBegin(): boolean {
    if (this.#work === undefined || !this.#work.isSpent) return true
    this.requestSync(this.nowMs + postponedMs)
    return false
  }

  /** The grace period of the pod, unless another one overrides it. */
  graceMs(overrideSeconds?: number): number {
    return (overrideSeconds ?? this.spec.terminationGracePeriodSeconds ?? 30) * 1000
  }

  /** Requests another sync, no later than `atMs`. */
  requestSync(atMs: number): void {
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

/** Ephemeral containers, which `kubectl debug` adds, have all the fields of a container that are used here. */
export const ephemeralOf = ({ ephemeralContainers }: PodSpec): readonly Container[] => (ephemeralContainers ?? []) as readonly Container[]

export const isEphemeral = (spec: PodSpec, container: Container): boolean => ephemeralOf(spec).includes(container)

/** `name_namespace(uid)`, the format of the kubelet. */
export function longNameOf({ metadata }: Pod): string {
  return `${metadata?.name}_${metadata?.namespace}(${metadata?.uid})`
}
