import { describe, expect, it } from 'vitest'
import { QueueMetrics } from './queue-metrics.ts'

describe('QueueMetrics', () => {
  it('counts adds, depth, retries and durations by queue', () => {
    const time = { now: 0 }
    const metrics = new QueueMetrics({ now: () => time.now, after: () => () => {} })
    const queue = metrics.observe('deployment')
    queue.added('a')
    queue.added('b')
    time.now = 500
    queue.taken('a')
    time.now = 2500
    const text = metrics.text()
    expect(text).toContain('workqueue_adds_total{name="deployment"} 2\n')
    expect(text).toContain('workqueue_depth{name="deployment"} 1\n')
    expect(text).toContain('workqueue_longest_running_processor_seconds{name="deployment"} 2\n')
    expect(text).toContain('workqueue_queue_duration_seconds_bucket{name="deployment",le="1"} 1\n')
    expect(text).toContain('workqueue_queue_duration_seconds_sum{name="deployment"} 0.5\n')
    queue.done('a')
    queue.retried()
    expect(metrics.text()).toContain('workqueue_work_duration_seconds_count{name="deployment"} 1\n')
    expect(metrics.text()).toContain('workqueue_retries_total{name="deployment"} 1\n')
  })
})
