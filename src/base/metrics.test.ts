import { describe, expect, it } from 'vitest'
import { LabelledMetrics } from './metrics.ts'

const open = () =>
  new LabelledMetrics(
    { finished_total: { help: 'How many', labels: ['result', 'reason'] }, other_total: { help: 'None', labels: [] } },
    { took_seconds: { help: 'How long', labels: ['result'], buckets: [0.1, 1] } },
  )

describe('LabelledMetrics', () => {
  it('omits metrics without a value', () => expect(open().text()).toBe(''))

  it('sums by labels, in the order of the definition', () => {
    const metrics = open()
    metrics.count('finished_total', { reason: 'a', result: 'failed' })
    metrics.count('finished_total', { result: 'failed', reason: 'a' }, 3)
    metrics.count('finished_total', { result: 'succeeded' })
    expect(metrics.text()).toBe(
      '# HELP finished_total How many\n# TYPE finished_total counter\n' +
        'finished_total{result="failed",reason="a"} 4\nfinished_total{result="succeeded",reason=""} 1\n',
    )
  })

  it('counts each value in its bucket and in all larger ones', () => {
    const metrics = open()
    for (const value of [0.1, 0.5, 7]) metrics.observe('took_seconds', { result: 'x' }, value)
    expect(metrics.text()).toBe(
      '# HELP took_seconds How long\n# TYPE took_seconds histogram\n' +
        'took_seconds_bucket{result="x",le="0.1"} 1\ntook_seconds_bucket{result="x",le="1"} 2\ntook_seconds_bucket{result="x",le="+Inf"} 3\n' +
        'took_seconds_sum{result="x"} 7.6\ntook_seconds_count{result="x"} 3\n',
    )
  })

  it('escapes label values', () => {
    const metrics = open()
    metrics.count('finished_total', { result: 'a"b\\c\nd', reason: '' })
    expect(metrics.text()).toContain('result="a\\"b\\\\c\\nd"')
  })
})
