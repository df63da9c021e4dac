// The pods without a node: active pods, pods in back-off, and unschedulable pods.
//
// Guarantees: an unschedulable pod is not tried again before a change that may help it, or five minutes, and never before its
// back-off after the last attempt has passed: 1 s, 2 s, 4 s, 8 s, then 10 s.
// Kubernetes: pkg/scheduler/backend/queue.PriorityQueue.Add, PriorityQueue.Update, PriorityQueue.AddUnschedulablePodIfNotPresent
// Kubernetes: pkg/scheduler/backend/queue.PriorityQueue.moveAllToActiveOrBackoffQueue, PriorityQueue.flushUnschedulableEntitiesLeftover
// Kubernetes: pkg/scheduler/backend/queue.PriorityQueue.flushBackoffQCompleted, backoffQueue.calculateBackoffDuration
import { backoffMs } from '../../base/backoff.ts'
import { type Clock, parseTime } from '../../base/clock.ts'
import { Heap } from '../../base/heap.ts'
import { TimerQueue } from '../timer-queue.ts'
import type { PodNeeds } from './pod-needs.ts'
import type { PluginName } from './refusals.ts'

const backoffLimits = { firstMs: 1000, maxMs: 10_000 }
const maxUnschedulableMs = 300_000

export class QueuedPod implements QueueOrder {
  readonly sequence: number
  readonly createdMs: number
  needs: PodNeeds
  /** Failed attempts. */
  attempts = 0
  failedAtMs = 0
  /** The plugins that refused it. Undefined: any change may help. */
  plugins: ReadonlySet<PluginName> | undefined
  /** The message that was last reported. */
  reportedMessage: string | undefined

  constructor(needs: PodNeeds, sequence: number) {
    this.needs = needs
    this.sequence = sequence
    this.createdMs = parseTime(needs.pod.metadata.creationTimestamp ?? '') || 0
  }

  get priority(): number {
    return this.needs.priority
  }
}

export class SchedulingQueue {
  readonly #clock: Clock
  readonly #onActive: () => void
  readonly #pods = new Map<string, QueuedPod>()
  readonly #active = new ActiveQueue<QueuedPod>()
  readonly #backoff: TimerQueue<QueuedPod>
  readonly #unschedulable = new Set<QueuedPod>()
  readonly #unschedulableTimeouts: TimerQueue<QueuedPod>
  #sequence = 0

  /** `onActive` is called whenever a pod becomes active. */
  constructor(clock: Clock, onActive: () => void) {
    this.#clock = clock
    this.#onActive = onActive
    this.#backoff = new TimerQueue(clock, (pod) => this.#makeActive(pod))
    this.#unschedulableTimeouts = new TimerQueue(clock, (pod) => this.activate(pod))
  }

  get activeCount(): number {
    return this.#active.size
  }

  get size(): number {
    return this.#pods.size
  }

  get(uid: string): QueuedPod | undefined {
    return this.#pods.get(uid)
  }

  unschedulable(): Iterable<QueuedPod> {
    return this.#unschedulable
  }

  get hasUnschedulable(): boolean {
    return this.#unschedulable.size > 0
  }

  add(needs: PodNeeds): QueuedPod {
    const pod = new QueuedPod(needs, this.#sequence++)
    this.#pods.set(needs.uid, pod)
    this.#makeActive(pod)
    return pod
  }

  remove(uid: string): void {
    const pod = this.#pods.get(uid)
    if (pod === undefined) return
    this.#pods.delete(uid)
    this.#leave(pod)
  }

  /** The next active pod. It remains known until it is removed; `fail` or `retry` returns it to the queue. */
  take(): QueuedPod | undefined {
    return this.#active.take()
  }

  /** The pod is unschedulable: it waits for a change that may help. */
  fail(pod: QueuedPod, plugins: ReadonlySet<PluginName> | undefined): void {
    pod.attempts++
    pod.failedAtMs = this.#clock.now()
    this.postpone(pod, plugins)
  }

  /** As `fail`, but does not count as an attempt: the pod was not tried. */
  postpone(pod: QueuedPod, plugins: ReadonlySet<PluginName> | undefined): void {
    if (this.#pods.get(pod.needs.uid) !== pod) return
    pod.plugins = plugins
    this.#unschedulable.add(pod)
    this.#unschedulableTimeouts.set(pod, this.#clock.now() + maxUnschedulableMs)
  }

  /** The decision could not be written: the pod is tried again after its back-off. */
  retry(pod: QueuedPod): void {
    this.fail(pod, undefined)
    this.activate(pod)
  }

  /** A change may help the pod: it becomes active, at once or after its back-off. */
  activate(pod: QueuedPod): void {
    if (!this.#unschedulable.has(pod)) return
    this.#leave(pod)
    const activeAtMs = pod.attempts === 0 ? 0 : pod.failedAtMs + backoffMs(pod.attempts, backoffLimits)
    if (activeAtMs <= this.#clock.now()) this.#makeActive(pod)
    else this.#backoff.set(pod, activeAtMs)
  }

  stop(): void {
    this.#backoff.stop()
    this.#unschedulableTimeouts.stop()
  }

  #leave(pod: QueuedPod): void {
    this.#active.delete(pod)
    this.#backoff.delete(pod)
    this.#unschedulable.delete(pod)
    this.#unschedulableTimeouts.delete(pod)
  }

  #makeActive(pod: QueuedPod): void {
    this.#active.add(pod)
    this.#onActive()
  }
}

// The pods to schedule next: the highest priority first, then the oldest, then the first that was added.
// Kubernetes: pkg/scheduler/framework/plugins/queuesort.PrioritySort.Less
interface QueueOrder {
  readonly priority: number
  readonly createdMs: number
  readonly sequence: number
}

interface Entry<T> {
  readonly item: T
  /** A removed entry stays in the heap until it comes to the top. */
  isRemoved: boolean
}

/** Holds every item once. */
class ActiveQueue<T extends QueueOrder> {
  readonly #heap = new Heap<Entry<T>>((a, b) => isBefore(a.item, b.item))
  readonly #entries = new Map<T, Entry<T>>()

  get size(): number {
    return this.#entries.size
  }

  add(item: T): void {
    if (this.#entries.has(item)) return
    const entry = { item, isRemoved: false }
    this.#entries.set(item, entry)
    this.#heap.push(entry)
  }

  delete(item: T): void {
    const entry = this.#entries.get(item)
    if (entry === undefined) return
    entry.isRemoved = true
    this.#entries.delete(item)
  }

  take(): T | undefined {
    for (let first = this.#heap.pop(); first !== undefined; first = this.#heap.pop()) {
      if (first.isRemoved) continue
      this.#entries.delete(first.item)
      return first.item
    }
    return undefined
  }
}

const isBefore = (a: QueueOrder, b: QueueOrder) => {
  if (a.priority !== b.priority) return a.priority > b.priority
  return a.createdMs === b.createdMs ? a.sequence < b.sequence : a.createdMs < b.createdMs
}
