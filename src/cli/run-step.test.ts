import { describe, expect, it } from 'vitest'
import { describeLength, describeStep } from './run-step.ts'

describe('describeLength()', () => {
  it.each([
    [0, '0s'],
    [250, '0.25s'],
    [90_000, '1m30s'],
    [5_400_000, '1h30m'],
    [2 * 86_400_000 + 1000, '2d1s'],
  ])('%d ms is %s', (ms, text) => expect(describeLength(ms)).toBe(text))
})

describe('describeStep()', () => {
  const step = { id: 1, from: '2026-01-01T00:00:00.000000Z', until: '', to: '2026-01-01T00:10:00.500000Z', end: 'time' as const }
  const pods = { created: 2, started: 1, succeeded: 0, failed: 0, deleted: 0 }

  it('reports in one line what happened', () => {
    expect(describeStep({ ...step, events: 61, writes: 1, pods, warnings: { BackOff: 2 } })).toBe(
      '10m0.5s passed, now 2026-01-01T00:10:00Z: 61 events, 1 write; pods: 2 created, 1 started; warnings: 2 BackOff',
    )
  })

  it('says that nothing happened to pods', () => {
    const none = { created: 0, started: 0, succeeded: 0, failed: 0, deleted: 0 }
    expect(describeStep({ ...step, events: 0, writes: 0, pods: none, warnings: {} })).toContain('pods: no change')
  })
})
