// Records the trace of a cluster, and knows whether its workloads have settled.

import type { Deployment, KubernetesObject, Node, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { groupBy } from '../../base/maps.ts'
import { failureOf, isAllAvailable, isCalledComplete } from './completion.ts'
import type { Target } from './plan.ts'
import { stuckReasons } from './stuck-reasons.ts'
import type { Change, Trace, TracedLoad, TracedPod, TracedSet, TracedWorkload } from './trace.ts'
import { tracedNode, tracedPod, tracedSet, tracedWorkload } from './traced-objects.ts'
import { isNeighbourPod } from './workload-kinds.ts'

const workloadKinds: Readonly<Record<string, string>> = {
  deployments: 'Deployment',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  replicasets: 'ReplicaSet',
  jobs: 'Job',
}

/** The kinds whose events are shown on the time axis. Pods are too many. */
const shownEventKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicaSet', 'Node', 'HorizontalPodAutoscaler'])

interface CoreEventText {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string; readonly uid?: string }
  readonly type?: string
  readonly reason?: string
  readonly message?: string
}

export class TraceRecorder {
  readonly #pods = new Map<string, TracedPod>()
  readonly #sets = new Map<string, TracedSet>()
  readonly #workloads = new Map<string, TracedWorkload>()
  readonly #nodes = new Map<string, { readonly name: string; readonly isReady: boolean }>()
  readonly #unsettled = new Set<string>()
  /** The pods as they were last written, and the last warning about a pod or a workload, by uid. */
  readonly #podObjects = new Map<string, Stored<Pod>>()
  readonly #warnings = new Map<string, string>()
  readonly #updateStrategies = new Map<string, string>()
  #changes: Change[] = []
  #zeroMs = 0
  #isRecording = false
  #terminating = 0
  #changedAtMs = 0

  /** The current objects become the start of the trace, and time counts from here. */
  begin(nowMs: number): void {
    this.#zeroMs = nowMs
    this.#isRecording = true
    this.#changes = [
      ...[...this.#nodes.values()].map((node): Change => ({ atMs: 0, node })),
      ...[...this.#workloads.values()].map((workload): Change => ({ atMs: 0, workload })),
      ...[...this.#sets.values()].map((set): Change => ({ atMs: 0, set })),
      ...[...this.#pods.values()].map((pod): Change => ({ atMs: 0, pod })),
    ]
  }

  get zeroMs(): number {
    return this.#zeroMs
  }

  /** A committed write. For a delete, `read` returns the last state. */
  take(plural: string, verb: 'create' | 'update' | 'delete', read: () => Stored<KubernetesObject>, nowMs: number): void {
    const isGone = verb === 'delete'
    if (plural === 'pods') {
      const pod = read() as Stored<Pod>
      if (!isNeighbourPod(pod)) this.#takePod(pod, isGone, nowMs)
    } else if (plural === 'nodes') this.#takeNode(read() as Stored<Node>, isGone, nowMs)
    else if (plural === 'events') {
      if (!isGone) this.#takeEvent(read() as CoreEventText, nowMs)
    } else if (Object.hasOwn(workloadKinds, plural)) this.#takeWorkload(workloadKinds[plural]!, read() as Stored<Deployment>, isGone, nowMs)
  }

  step(text: string, isFault: boolean, nowMs: number, drain?: 'begins' | 'ends'): void {
    this.#push(nowMs, { atMs: nowMs - this.#zeroMs, step: text, ...(isFault && { isFault }), ...(drain && { drain }) })
  }

  load(load: TracedLoad, nowMs: number): void {
    this.#push(nowMs, { atMs: nowMs - this.#zeroMs, load })
  }

  /** Every workload is complete, and no pod is terminating. */
  get isSettled(): boolean {
    return this.#unsettled.size === 0 && this.#terminating === 0
  }

  /** Why it has not settled: an entry for each workload that is not complete, followed by its reasons. */
  describeUnsettled(nowMs: number, when: string): string[] {
    if (this.#unsettled.size === 0) {
      const terminating = [...this.#podObjects.values()].filter(({ metadata }) => this.#pods.get(metadata.uid)?.isTerminating)
      return terminating.length === 0
        ? []
        : [
            this.#terminating === 1
              ? `1 pod is still terminating${when}: ${terminating[0]!.metadata.name}`
              : `${this.#terminating} pods are still terminating${when}, such as ${terminating[0]!.metadata.name}`,
          ]
    }
    const pods = groupBy(this.#podObjects.values(), ({ metadata }) => this.#pods.get(metadata.uid)?.owner ?? '')
    return [...this.#unsettled].flatMap((uid) => {
      const workload = this.#workloads.get(uid)!
      const updateStrategy = this.#updateStrategies.get(uid)
      const own = [...this.ownersOf(workload)].flatMap((owner) => pods.get(owner) ?? [])
      const stuck = { workload, pods: own, warnings: this.#warnings, ...(updateStrategy !== undefined && { updateStrategy }) }
      const [state, ...reasons] = stuckReasons(stuck, nowMs)
      return [`${state}${when}`, ...reasons]
    })
  }

  /** Jobs that have failed. */
  get failedJobs(): string[] {
    return [...this.#workloads.values()].flatMap((workload) => {
      const failure = failureOf(workload)
      if (failure === undefined) return []
      const why = [failure.reason, failure.message].filter((part) => part !== undefined && part !== '').join(': ')
      return [`${workload.kind} ${workload.namespace}/${workload.name} failed${why === '' ? '' : `: ${why}`}`]
    })
  }

  end(nowMs: number, title: string, policy: string): Trace {
    return {
      format: 'rollcall.trace/1',
      source: 'simulation',
      startedAt: formatTime(this.#zeroMs),
      endMs: nowMs - this.#zeroMs,
      title,
      policy,
      changes: this.#changes,
    }
  }

  /** The existing pods, the oldest first. */
  get pods(): readonly TracedPod[] {
    return [...this.#pods.values()]
  }

  /** The uids that pods of the workload name as their owner. */
  ownersOf({ kind, namespace, name }: Target): ReadonlySet<string> {
    const workloads = [...this.#workloads.values()]
    const own = workloads.find((one) => one.kind === kind && one.namespace === namespace && one.name === name)?.uid
    if (own === undefined) return new Set()
    return new Set([own, ...[...this.#sets.values()].filter(({ owner }) => owner === own).map(({ uid }) => uid)])
  }

  get daemonOwners(): ReadonlySet<string> {
    return new Set([...this.#workloads.values()].filter(({ kind }) => kind === 'DaemonSet').map(({ uid }) => uid))
  }

  get nodeCount(): number {
    return this.#nodes.size
  }

  /** The time of the last change. */
  get changedAtMs(): number {
    return this.#changedAtMs
  }

  #push(nowMs: number, change: Change): void {
    this.#changedAtMs = nowMs
    if (this.#isRecording) this.#changes.push(change)
  }

  #takePod(object: Stored<Pod>, isGone: boolean, nowMs: number): void {
    const before = this.#pods.get(object.metadata.uid)
    const isOut = (pod: TracedPod | undefined) => (pod?.isTerminating && !pod.hasEnded ? 1 : 0)
    if (isGone) {
      this.#podObjects.delete(object.metadata.uid)
      this.#warnings.delete(object.metadata.uid)
      if (!this.#pods.delete(object.metadata.uid)) return
      this.#terminating -= isOut(before)
      this.#push(nowMs, { atMs: nowMs - this.#zeroMs, gone: { type: 'pod', id: object.metadata.uid } })
      return
    }
    this.#podObjects.set(object.metadata.uid, object)
    const pod = tracedPod(object, before)
    if (pod === before) return
    this.#terminating += isOut(pod) - isOut(before)
    this.#pods.set(pod.uid, pod)
    this.#push(nowMs, { atMs: nowMs - this.#zeroMs, pod })
  }

  #takeNode(object: Stored<Node>, isGone: boolean, nowMs: number): void {
    const { name } = object.metadata
    if (isGone) {
      if (this.#nodes.delete(name)) this.#push(nowMs, { atMs: nowMs - this.#zeroMs, gone: { type: 'node', id: name } })
      return
    }
    const node = tracedNode(object)
    if (this.#nodes.get(name)?.isReady === node.isReady) return
    this.#nodes.set(name, node)
    this.#push(nowMs, { atMs: nowMs - this.#zeroMs, node })
  }

  #takeWorkload(kind: string, object: Stored<Deployment>, isGone: boolean, nowMs: number): void {
    const { uid } = object.metadata
    const workload = tracedWorkload(kind, object)
    // A ReplicaSet that a Deployment has adopted is no longer a workload of its own.
    if (workload === undefined || isGone) {
      this.#unsettled.delete(uid)
      if (this.#workloads.delete(uid)) this.#push(nowMs, { atMs: nowMs - this.#zeroMs, gone: { type: 'workload', id: uid } })
      if (workload === undefined && kind === 'ReplicaSet') this.#takeSet(object as Stored<ReplicaSet>, isGone, nowMs)
      return
    }
    const before = this.#workloads.get(uid)
    if (before !== undefined && isSameWorkload(before, workload)) return
    this.#workloads.set(uid, workload)
    const { updateStrategy } = (object as { readonly spec?: { readonly updateStrategy?: { readonly type?: string } } }).spec ?? {}
    if (updateStrategy?.type !== undefined) this.#updateStrategies.set(uid, updateStrategy.type)
    if (isCalledComplete(workload, isAllAvailable(workload))) this.#unsettled.delete(uid)
    else this.#unsettled.add(uid)
    this.#push(nowMs, { atMs: nowMs - this.#zeroMs, workload })
  }

  #takeSet(object: Stored<ReplicaSet>, isGone: boolean, nowMs: number): void {
    const { uid } = object.metadata
    if (isGone) {
      if (this.#sets.delete(uid)) this.#push(nowMs, { atMs: nowMs - this.#zeroMs, gone: { type: 'set', id: uid } })
      return
    }
    const set = tracedSet(object)
    const before = this.#sets.get(uid)
    if (before !== undefined && before.revision === set.revision && before.owner === set.owner) return
    this.#sets.set(uid, set)
    this.#push(nowMs, { atMs: nowMs - this.#zeroMs, set })
  }

  #takeEvent({ involvedObject, type, reason = '', message = '' }: CoreEventText, nowMs: number): void {
    const { uid } = involvedObject ?? {}
    if (type === 'Warning' && uid !== undefined && (involvedObject?.kind === 'Pod' || reason === 'FailedCreate'))
      this.#warnings.set(uid, `${reason}: ${message}`)
    if (!this.#isRecording || !shownEventKinds.has(involvedObject?.kind ?? '')) return
    // The charts already show each pod.
    if (reason === 'SuccessfulCreate' || reason === 'SuccessfulDelete') return
    // An Event is not a change of the cluster.
    const event = { object: `${involvedObject?.kind}/${involvedObject?.name}`, reason, message }
    this.#changes.push({ atMs: nowMs - this.#zeroMs, event })
  }
}

const isSameWorkload = (a: TracedWorkload, b: TracedWorkload) =>
  a.replicas === b.replicas &&
  a.cap === b.cap &&
  a.generation === b.generation &&
  a.observedGeneration === b.observedGeneration &&
  a.availableReplicas === b.availableReplicas &&
  a.updatedReplicas === b.updatedReplicas &&
  a.totalReplicas === b.totalReplicas &&
  a.isPaused === b.isPaused &&
  a.keepsOld?.belowOrdinal === b.keepsOld?.belowOrdinal &&
  a.conditions.length === b.conditions.length &&
  a.conditions.every(({ type, status, reason }, index) => {
    const other = b.conditions[index]!
    return type === other.type && status === other.status && reason === other.reason
  })
