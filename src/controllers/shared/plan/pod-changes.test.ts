import { describe, expect, it } from 'vitest'
import { type PodTraits, podOf } from '../../replica-set/testing/sample-objects.ts'
import { affectsCounts } from './pod-changes.ts'

describe('affectsCounts()', () => {
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
