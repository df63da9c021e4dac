// Metrics of the work queues, under the names of client-go.
// Kubernetes: k8s.io/client-go/util/workqueue.MetricsProvider, queueMetrics
import type { Clock } from '../base/clock.ts'
import { describeMetric, Histogram, type MetricType } from '../base/metrics.ts'

/** Called by a queue and its workers. */
export interface QueueObserver {
  added(key: string): void
  retried(): void
  taken(key: string): void
  done(key: string): void
}

const bucketSeconds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10]

class ObservedQueue implements QueueObserver {
  readonly waitingSince = new Map<string, number>()
  readonly workingSince = new Map<string, number>()
  readonly waited = new Histogram(bucketSeconds)
  readonly worked = new Histogram(bucketSeconds)
  readonly #clock: Clock
  adds = 0
  retries = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  added(key: string): void {
    this.adds++
    if (!this.waitingSince.has(key)) this.waitingSince.set(key, this.#clock.now())
  }

  retried(): void {
    this.retries++
  }

  taken(key: string): void {
    const now = this.#clock.now()
    const since = this.waitingSince.get(key)
    this.waitingSince.delete(key)
    if (since !== undefined) this.waited.observe((now - since) / 1000)
    this.workingSince.set(key, now)
  }

  done(key: string): void {
    const since = this.workingSince.get(key)
    this.workingSince.delete(key)
    if (since !== undefined) this.worked.observe((this.#clock.now() - since) / 1000)
  }
}

export class QueueMetrics {
  readonly #clock: Clock
  readonly #queues = new Map<string, ObservedQueue>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The observer of the queue with that name: `deployment`. */
  observe(name: string): QueueObserver {
    const queue = new ObservedQueue(this.#clock)
    this.#queues.set(name, queue)
    return queue
  }

  /** In the Prometheus text format. */
  text(): string {
    const now = this.#clock.now()
    const oldest = (since: ReadonlyMap<string, number>) => Math.max(0, ...[...since.values()].map((atMs) => (now - atMs) / 1000))
    const total = (since: ReadonlyMap<string, number>) => [...since.values()].reduce((sum, atMs) => sum + (now - atMs) / 1000, 0)
    const gauge = (name: string, help: string, value: (queue: ObservedQueue) => number, type: MetricType = 'gauge') =>
      `${describeMetric(name, type, help)}${this.#lines((label, queue) => `${name}{${label}} ${value(queue)}\n`)}`
    const histogram = (name: string, help: string, of: (queue: ObservedQueue) => Histogram) =>
      `${describeMetric(name, 'histogram', help)}${this.#lines((label, queue) => of(queue).text(name, label))}`
    return [
      gauge('workqueue_adds_total', 'Total number of adds handled by workqueue', ({ adds }) => adds, 'counter'),
      gauge('workqueue_depth', 'Current depth of workqueue', ({ waitingSince }) => waitingSince.size),
      gauge('workqueue_retries_total', 'Total number of retries handled by workqueue', ({ retries }) => retries, 'counter'),
      gauge('workqueue_unfinished_work_seconds', 'Seconds of work in progress that has not been observed yet', ({ workingSince }) =>
        total(workingSince),
      ),
      gauge('workqueue_longest_running_processor_seconds', 'Seconds of the longest work in progress', ({ workingSince }) =>
        oldest(workingSince),
      ),
      histogram('workqueue_queue_duration_seconds', 'Seconds that a key waits in the queue before it is processed', ({ waited }) => waited),
      histogram('workqueue_work_duration_seconds', 'Seconds that processing a key takes', ({ worked }) => worked),
    ].join('')
  }

  #lines(line: (label: string, queue: ObservedQueue) => string): string {
    return [...this.#queues].map(([name, queue]) => line(`name="${name}"`, queue)).join('')
  }
}
