// The pods without a node: those whose turn it is, those that wait a little after a failure, and those for which
// something has to change first.
//
// Guarantees: a pod that found no place is not looked at again until a change could help it (or five minutes have
// passed), and never sooner than its back-off after the last try: 1 s, 2 s, 4 s, 8 s, then 10 s.
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
  /** Tries that failed. */
  attempts = 0
  failedAtMs = 0
  /** The rules that refused it; all of them when it is not known. */
  rules: ReadonlySet<Rule> | undefined

  /** What was said about it last. */
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

  /** `onReady` is called whenever a pod's turn has come. */
  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock
    this.#onReady = onReady
    this.#backingOff = new TimerQueue(clock, (pod) => this.#makeReady(pod))
    this.#overdue = new TimerQueue(clock, (pod) => this.activate(pod))
  }

  /** How many pods have their turn now. */
  get ready(): number {
    return this.#ready.size
  }

  get size(): number {
    return this.#pods.size
  }

  get(uid: string): QueuedPod | undefined {
    return this.#pods.get(uid)
  }

  /** The pods for which something has to change. */
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

  /** The pod whose turn it is. It stays known until it is removed; `fail` or `retry` put it back. */
  take(): QueuedPod | undefined {
    return this.#ready.take()
  }

  /** It found no place: it waits until a change may help it. */
  fail(pod: QueuedPod, rules: ReadonlySet<Rule> | undefined): void {
    if (this.#pods.get(pod.needs.uid) !== pod) return
    pod.attempts++
    pod.failedAtMs = this.#clock.now()
    pod.rules = rules
    this.#wait(pod)
  }

  /** Nothing has changed since pods like it failed: it waits on, as if it had not been looked at. */
  postpone(pod: QueuedPod, rules: ReadonlySet<Rule> | undefined): void {
    if (this.#pods.get(pod.needs.uid) !== pod) return
    pod.rules = rules
    this.#wait(pod)
  }

  /** Its place was found but could not be had: it tries again after its back-off. */
  retry(pod: QueuedPod): void {
    this.fail(pod, undefined)
    this.activate(pod)
  }

  /** A change may help it. */
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
