// Records the changes in a cluster. It reads only: get, list and watch.
//
// Guarantees: when a watch ends or its history has expired, the recording continues with a new list, whose differences are recorded
// as changes at that moment. Times are those at which events arrived, by the clock of this machine.
import { coreEvents, daemonSets, deployments, jobs, nodes, pods, replicaSets, statefulSets } from '../../api/kinds.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import type { Deployment, KubernetesObject, Node, Stored } from '../../api/types.ts'
import { type Clock, formatTime } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import { type LabelRequirements, matchesLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { type WatchedObjects, watchObjects } from '../../cluster/watched-objects.ts'
import { readableResources, type WorkloadName } from '../live/readable-resources.ts'
import { isAllAvailable, isCalledComplete } from '../rollout/completion.ts'
import { TraceRecorder } from '../rollout/record-trace.ts'
import type { Policy } from '../rollout/result.ts'
import type { Trace } from '../rollout/trace.ts'
import { tracedNode, tracedWorkload } from '../rollout/traced-objects.ts'
import { describeChangedSpec } from './changed-spec.ts'
import { selectWorkloads, titleOf } from './selected-trace.ts'

interface RecordRequest {
  readonly client: Client
  readonly clock: Clock
  /** Absent: all namespaces. */
  readonly namespace?: string
  /** The names of the workloads. Empty: all that the selector matches. */
  readonly workloads: readonly WorkloadName[]
  /** Selects workloads by their own labels; their pods are included. */
  readonly selector: LabelRequirements
  /** Called for objects that are left out, and requests that are retried. */
  onNotice(line: string): void
}

interface Progress {
  readonly elapsedMs: number
  readonly changes: number
  readonly pods: number
  readonly terminating: number
}

const workloadResources: readonly Resource[] = [deployments, statefulSets, daemonSets, jobs]
const resources: readonly Resource[] = [nodes, ...workloadResources, replicaSets, pods, coreEvents]

/** Kinds that can be named, by their plural. */
export const recordedKinds: readonly string[] = [...workloadResources, replicaSets].map(({ kind }) => kind)

export class ClusterRecorder {
  readonly #request: RecordRequest
  readonly #recorder = new TraceRecorder()
  readonly #watched: WatchedObjects
  readonly #selected = new Set<string>()
  /** The newest state of each selected workload that exists. */
  readonly #workloads = new Map<string, Stored<KubernetesObject>>()
  readonly #policies = new Map<string, Policy>()
  readonly #troubled = new Set<string>()
  #lastMs = 0
  #changes = 0
  #wasIncomplete = false

  private constructor(request: RecordRequest, allowed: readonly Resource[]) {
    this.#request = request
    const { client, clock, namespace } = request
    this.#watched = watchObjects({
      client,
      clock,
      resources: allowed,
      namespace,
      onChange: (resource, current, previous) => this.#take(resource, current, previous),
      onFailure: (resource, error) => this.#noteTrouble(resource, error),
    })
  }

  /** Resolves when all existing objects have been listed, and the recording has begun. */
  static async start(request: RecordRequest): Promise<ClusterRecorder> {
    const recorder = new ClusterRecorder(request, await readableResources(request, resources))
    await recorder.#watched.synced
    recorder.#recorder.begin(recorder.#now())
    recorder.#changes = 0
    return recorder
  }

  get progress(): Progress {
    const owners = this.#owners()
    const own = this.#recorder.pods.filter(({ owner, hasEnded }) => !hasEnded && (owners === undefined || owners.has(owner ?? '')))
    return {
      elapsedMs: this.#now() - this.#recorder.zeroMs,
      changes: this.#changes,
      pods: own.length,
      terminating: own.filter(({ isTerminating }) => isTerminating).length,
    }
  }

  /** A rollout was in progress since the start, and now every workload is complete, with no terminating pod. */
  get isComplete(): boolean {
    const traced = [...this.#workloads.values()].map((object) => tracedWorkload(object.kind!, object as Stored<Deployment>))
    const isAllComplete = traced.every((workload) => workload === undefined || isCalledComplete(workload, isAllAvailable(workload)))
    const isOver = traced.length > 0 && isAllComplete && this.progress.terminating === 0
    if (!isOver) this.#wasIncomplete = true
    return isOver && this.#wasIncomplete
  }

  /** Requested names that do not exist. */
  get missing(): readonly WorkloadName[] {
    const present = [...this.#workloads.values()]
    return this.#request.workloads.filter(({ kind, name }) => !present.some((one) => one.kind === kind && one.metadata.name === name))
  }

  end(): Trace {
    this.#watched.stop()
    const { namespace } = this.#request
    const whole = this.#recorder.end(this.#now(), '', '')
    const changes = this.#isAll ? whole.changes : selectWorkloads(whole.changes, (uid) => this.#selected.has(uid))
    const policies = new Set(this.#policies.values())
    const [policy] = policies
    return {
      format: 'rollcall.trace/1',
      source: 'cluster',
      startedAt: formatTime(this.#recorder.zeroMs),
      endMs: whole.endMs,
      title: titleOf(changes, namespace === undefined ? 'all namespaces' : `namespace ${namespace}`),
      ...(policies.size === 1 && { policy: policy! }),
      changes,
    }
  }

  get #isAll(): boolean {
    return this.#request.workloads.length === 0 && this.#request.selector.length === 0
  }

  /** Undefined: all. */
  #owners(): ReadonlySet<string> | undefined {
    if (this.#isAll) return undefined
    const owners = new Set<string>()
    for (const { kind, metadata } of this.#workloads.values())
      for (const uid of this.#recorder.ownersOf({ kind: kind!, namespace: metadata.namespace ?? '', name: metadata.name })) owners.add(uid)
    return owners
  }

  /** Times never decrease, also if the machine's clock is set back. */
  #now(): number {
    this.#lastMs = Math.max(this.#lastMs, this.#request.clock.now())
    return this.#lastMs
  }

  #take(resource: Resource, current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): void {
    const nowMs = this.#now()
    this.#changes++
    this.#troubled.delete(resource.plural)
    const object = (current ?? previous)!
    if (recordedKinds.includes(resource.kind))
      this.#noteWorkload({ ...object, kind: resource.kind }, current === undefined, previous, nowMs)
    if (resource.kind === 'Node' && current !== undefined && previous !== undefined)
      this.#noteNode(current as Stored<Node>, previous as Stored<Node>, nowMs)
    this.#recorder.take(
      resource.plural,
      current === undefined ? 'delete' : previous === undefined ? 'create' : 'update',
      () => object,
      nowMs,
    )
  }

  #noteWorkload(object: Stored<KubernetesObject>, isGone: boolean, previous: Stored<KubernetesObject> | undefined, nowMs: number): void {
    const { uid, name, labels } = object.metadata
    const { workloads, selector } = this.#request
    if (tracedWorkload(object.kind!, object as Stored<Deployment>) === undefined) return
    const isNamed = workloads.length === 0 || workloads.some((one) => one.kind === object.kind && one.name === name)
    if (!this.#selected.has(uid) && !(isNamed && matchesLabels(selector, labels))) return
    this.#selected.add(uid)
    if (isGone) this.#workloads.delete(uid)
    else this.#workloads.set(uid, object)
    if (object.kind === 'Deployment') this.#policies.set(uid, policyOf(object as Stored<Deployment>))
    const step = isGone
      ? `${object.kind}/${name}: deleted`
      : previous === undefined
        ? `${object.kind}/${name}: created`
        : describeChangedSpec(previous, object)
    if (step !== undefined) this.#recorder.step(step, false, nowMs)
  }

  #noteNode(current: Stored<Node>, previous: Stored<Node>, nowMs: number): void {
    const [isReady, wasReady] = [tracedNode(current).isReady, tracedNode(previous).isReady]
    if (isReady !== wasReady) this.#recorder.step(`Node/${current.metadata.name} is ${isReady ? 'ready again' : 'not ready'}`, true, nowMs)
  }

  /** Reported once until the next event: a server that is down would fill the screen. */
  #noteTrouble({ plural }: Resource, error: unknown): void {
    if (this.#troubled.has(plural)) return
    this.#troubled.add(plural)
    this.#request.onNotice(`the watch of ${plural} broke off, and is tried again: ${messageOf(error)}`)
  }
}

const prefix = 'rollcall.dev/'

/** The field, or the annotation that means the same where the server does not know the field. */
function policyOf({ spec, metadata: { annotations = {} } }: Stored<Deployment>): Policy {
  const policy = spec?.podReplacementPolicy ?? annotations[`${prefix}pod-replacement-policy`]
  const isActive = spec?.terminatingAsActive ?? annotations[`${prefix}terminating-as-active`] === 'true'
  if (isActive) return 'TerminationComplete+terminatingAsActive'
  return policy === 'TerminationStarted' || policy === 'TerminationComplete' ? policy : 'None'
}
