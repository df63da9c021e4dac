import { describe, expect, it } from 'vitest'
import { nextNamespaceConditions } from './conditions.ts'

const nothing = { resources: new Map(), finalizers: new Map(), failures: [] }

describe('nextNamespaceConditions()', () => {
  it('reports that nothing is left', () => {
    const conditions = nextNamespaceConditions([], nothing, 'T0')!
    expect(conditions.map(({ type, status }) => [type, status])).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False'],
      ['NamespaceDeletionContentFailure', 'False'],
      ['NamespaceContentRemaining', 'False'],
      ['NamespaceFinalizersRemaining', 'False'],
    ])
    expect(nextNamespaceConditions(conditions, nothing, 'T1')).toBeUndefined()
  })

  it('lists the remaining content, sorted, and keeps the time while the status stays the same', () => {
    const left = {
      resources: new Map([
        ['pods.', 2],
        ['jobs.batch', 1],
      ]),
      finalizers: new Map([['x.example/f', 1]]),
      failures: [],
    }
    const first = nextNamespaceConditions([], left, 'T0')!
    const remaining = first.find(({ type }) => type === 'NamespaceContentRemaining')
    expect(remaining).toEqual({
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: 'Some resources are remaining: jobs.batch has 1 resource instances, pods. has 2 resource instances',
      lastTransitionTime: 'T0',
    })
    const second = nextNamespaceConditions(first, { ...left, resources: new Map([['pods.', 1]]) }, 'T1')!
    expect(second.find(({ type }) => type === 'NamespaceContentRemaining')).toMatchObject({
      message: 'Some resources are remaining: pods. has 1 resource instances',
      lastTransitionTime: 'T0',
    })
  })
})
