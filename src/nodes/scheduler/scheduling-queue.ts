// The pods without a node: active pods, pods in back-off, and unschedulable pods.
//
// Guarantees: an unschedulable pod is not tried again before a change that may help it, or five minutes, and never before its
// back-off after the last attempt has passed: 1 s, 2 s, 4 s, 8 s, then 10 s.
import { type Clock, parseTime } from '../../base/clock.ts'
import { TimerQueue } from '../timer-queue.ts'
import { ActiveQueue, type QueueOrder } from './active-queue.ts'
import type { PodNeeds } from './pod-needs.ts'
import type { Rule } from './refusals.ts'

const firstBackoffMs = 1000
const maxBackoffMs = 10_000
const maxUnschedulableMs = 300_000

export class QueuedPod implements QueueOrder {
  readonly sequence: number
  readonly createdMs: number
  needs: PodNeeds
  /** Failed attempts. */
  attempts = 0
  failedAtMs = 0
  /** The plugins that refused it. Undefined: any change may help. */
  rules: ReadonlySet<Rule> | undefined

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
  readonly #onReady: () => void
  readonly #pods = new Map<string, QueuedPod>()
  readonly #ready = new ActiveQueue<QueuedPod>()
  readonly #backingOff: TimerQueue<QueuedPod>
  readonly #waiting = new Set<QueuedPod>()
  readonly #overdue: TimerQueue<QueuedPod>
  #sequence = 0

  /** `onReady` is called whenever a pod becomes active. */
  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock
    this.#onReady = onReady
    this.#backingOff = new TimerQueue(clock, (pod) => this.#makeReady(pod))
    this.#overdue = new TimerQueue(clock, (pod) => this.activate(pod))
  }

  /** The number of active pods. */
  get ready(): number {
    return this.#ready.size
  }

  get size(): number {
    return this.#pods.size
  }

  get(uid: string): QueuedPod | undefined {
    return this.#pods.get(uid)
  }

  /** The unschedulable pods. */
  waiting(): Iterable<QueuedPod> {
    return this.#waiting
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0
  }

  add(needs: PodNeeds): QueuedPod {
    const pod = new QueuedPod(needs, this.#sequence++)
    this.#pods.set(needs.uid, pod)
    this.#makeReady(pod)
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
    return this.#ready.take()
  }

  /** The pod is unschedulable: it waits for a change that may help. */
  fail(pod: QueuedPod, rules: ReadonlySet<Rule> | undefined): void {
    if (this.#pods.get(pod.needs.uid) !== pod) return
    pod.attempts++
    pod.failedAtMs = this.#clock.now()
    pod.rules = rules
    this.#wait(pod)
  }

  /** Returns the pod without a new attempt: nothing has changed since equivalent pods failed. */
  postpone(pod: QueuedPod, rules: ReadonlySet<Rule> | undefined): void {
    if (this.#pods.get(pod.needs.uid) !== pod) return
    pod.rules = rules
    this.#wait(pod)
  }

  /** The decision could not be written: the pod is tried again after its back-off. */
  retry(pod: QueuedPod): void {
    this.fail(pod, undefined)
    this.activate(pod)
  }

  /** A change may help the pod: it becomes active, at once or after its back-off. */
  activate(pod: QueuedPod): void {
    if (!this.#waiting.has(pod)) return
    this.#leave(pod)
    const readyAtMs = pod.attempts === 0 ? 0 : pod.failedAtMs + backoffMs(pod.attempts)
    if (readyAtMs <= this.#clock.now()) this.#makeReady(pod)
    else this.#backingOff.set(pod, readyAtMs)
  }

  stop(): void {
    this.#backingOff.stop()
    this.#overdue.stop()
  }

  #wait(pod: QueuedPod): void {
    this.#waiting.add(pod)
    this.#overdue.set(pod, this.#clock.now() + maxUnschedulableMs)
  }

  #leave(pod: QueuedPod): void {
    this.#ready.delete(pod)
    this.#backingOff.delete(pod)
    this.#waiting.delete(pod)
    this.#overdue.delete(pod)
  }

  #makeReady(pod: QueuedPod): void {
    this.#ready.add(pod)
    this.#onReady()
  }
}

export function backoffMs(attempts: number): number {
  return Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(10, attempts - 1))
}
