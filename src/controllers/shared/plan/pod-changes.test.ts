import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../../../api/types.ts'
import { type PodTraits, podOf } from '../../replica-set/testing/sample-objects.ts'
import { affectsCounts, affectsCountsOrState } from './pod-changes.ts'

const reportedAs = (status: string, at: string): Stored<Pod> => ({
  ...podOf('a', {}),
  status: { conditions: [{ type: 'Ready', status, lastTransitionTime: at }] },
})

describe('affectsCounts()', () => {
  it('is false for a pod that is reported as not ready, and was not ready before', () => {
    const unready = reportedAs('False', '2026-01-01T00:00:00Z')
    expect(affectsCounts(unready, podOf('a', {}))).toBe(false)
    expect(affectsCounts(reportedAs('False', '2026-01-01T00:01:00Z'), unready)).toBe(false)
    expect(affectsCounts(unready, reportedAs('True', '2026-01-01T00:00:00Z'))).toBe(true)
    expect(affectsCountsOrState(unready, podOf('a', {}))).toBe(true)
  })

  it.each<[string, PodTraits, PodTraits, boolean]>([
    ['a node was assigned', { node: 'n1' }, {}, false],
    ['it started', { phase: 'Running' }, { phase: 'Pending' }, false],
    ['a container restarted', { restarts: 1 }, { restarts: 0 }, false],
    ['it failed', { phase: 'Failed' }, {}, true],
    ['it became ready', { readyFor: 0 }, {}, true],
    ['it became ready again', { readyFor: 0 }, { readyFor: 50 }, true],
    ['its deletion was requested', { terminating: true }, {}, true],
    ['a label changed', { labels: { app: 'y' } }, {}, true],
    ['a label was added', { labels: { app: 'x', tier: 'web' } }, {}, true],
  ])('%s: %s', (_, current, previous, expected) => {
    expect(affectsCounts(podOf('a', current), podOf('a', previous))).toBe(expected)
  })
})
