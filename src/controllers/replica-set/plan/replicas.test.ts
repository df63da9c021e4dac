import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../../../api/types.ts'
import { nowMs, podOf, settings } from '../testing/sample-objects.ts'
import { planReplicas, type ReplicasPlan, sortTerminating } from './replicas.ts'

interface Given {
  readonly wanted: number
  readonly active: number
  readonly terminating?: number
  readonly terminatingAsActive?: boolean
  readonly isBeingDeleted?: boolean
  /** How many of the active pods are replaced before their eviction. */
  readonly replaced?: number
}

function plan({ wanted, active, replaced = 0, terminating = 0, terminatingAsActive = false, isBeingDeleted = false }: Given) {
  let asked = false
  const pods = Array.from({ length: active }, (_, index) => podOf(String(index).padStart(5, '0'), { age: 100 + index }))
  const result = planReplicas({
    settings: settings({ wanted, terminatingAsActive, isBeingDeleted }),
    active: pods,
    replaced: pods.slice(0, replaced),
    terminating,
    related: () => {
      asked = true
      return pods
    },
    usesDeletionCost: true,
    nowMs,
  })
  return { ...shown(result), asked }
}

const shown = (result: ReplicasPlan) => ({
  create: result.action === 'create' ? result.count : 0,
  delete: result.action === 'delete' ? result.pods.length : 0,
})

describe('planReplicas()', () => {
  it.each<[string, Given, { create?: number; delete?: number }]>([
    ['creates missing pods', { wanted: 3, active: 1 }, { create: 2 }],
    ['does nothing when all are there', { wanted: 3, active: 3 }, {}],
    ['deletes the surplus', { wanted: 1, active: 3 }, { delete: 2 }],
    ['deletes all', { wanted: 0, active: 3 }, { delete: 3 }],
    ['creates at most 500', { wanted: 2000, active: 0 }, { create: 500 }],
    ['creates at most 500 of the largest set', { wanted: 2_147_483_647, active: 0 }, { create: 500 }],
    ['deletes at most 500', { wanted: 0, active: 501 }, { delete: 500 }],
    ['replaces terminating pods at once', { wanted: 3, active: 1, terminating: 2 }, { create: 2 }],
    ['waits for terminating pods that count as active', { wanted: 3, active: 1, terminating: 2, terminatingAsActive: true }, {}],
    ['fills up beside them', { wanted: 5, active: 1, terminating: 2, terminatingAsActive: true }, { create: 2 }],
    ['deletes no active pod for their sake', { wanted: 2, active: 2, terminating: 5, terminatingAsActive: true }, {}],
    ['deletes the surplus of active pods alone', { wanted: 2, active: 3, terminating: 5, terminatingAsActive: true }, { delete: 1 }],
    ['creates a pod for one that is replaced', { wanted: 3, active: 3, replaced: 1 }, { create: 1 }],
    ['keeps both until the eviction', { wanted: 3, active: 4, replaced: 1 }, {}],
    ['deletes only other pods beside it', { wanted: 2, active: 4, replaced: 1 }, { delete: 1 }],
    ['replaces no more pods than replicas', { wanted: 1, active: 2, replaced: 2 }, { delete: 1 }],
    ['deletes replaced pods too without replicas', { wanted: 0, active: 2, replaced: 1 }, { delete: 2 }],
    ['leaves the pods of a set that is being deleted alone', { wanted: 0, active: 3, isBeingDeleted: true }, {}],
    ['creates none for a set that is being deleted', { wanted: 3, active: 0, isBeingDeleted: true }, {}],
  ])('%s', (_, given, expected) => {
    expect(plan(given)).toMatchObject({ create: 0, delete: 0, ...expected })
  })

  it('reads related pods only when it has to choose', () => {
    expect(plan({ wanted: 3, active: 1 }).asked).toBe(false)
    expect(plan({ wanted: 0, active: 3 }).asked).toBe(false)
    expect(plan({ wanted: 1, active: 3 }).asked).toBe(true)
  })

  it('never creates or deletes more than the difference', () => {
    const count = fc.integer({ min: 0, max: 600 })
    fc.assert(
      fc.property(
        fc.record({ wanted: count, active: count, terminating: fc.integer({ min: 0, max: 20 }), terminatingAsActive: fc.boolean() }),
        (given) => {
          const { create, delete: deleted } = plan(given)
          const counted = given.active + (given.terminatingAsActive ? given.terminating : 0)
          if (create > 0) expect(counted + create).toBeLessThanOrEqual(given.wanted)
          if (deleted > 0) expect(given.active - deleted).toBeGreaterThanOrEqual(given.wanted)
          expect(create === 0 || deleted === 0).toBe(true)
          expect(Math.max(create, deleted)).toBeLessThanOrEqual(500)
          if (create === 0 && counted < given.wanted) expect.unreachable('it must fill up')
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('sortTerminating()', () => {
  const endedAgo = (name: string, minutes: number) =>
    ({
      metadata: { name, deletionTimestamp: new Date(nowMs - minutes * 60_000).toISOString() },
      status: { phase: 'Running' },
    }) as Stored<Pod>
  const pods = [endedAgo('a', 11), endedAgo('b', 10), endedAgo('c', 4), endedAgo('d', -1)]

  it.each([
    ['no timeout', undefined, [], 4, undefined],
    ['ten minutes', 600_000, ['a', 'b'], 2, nowMs + 6 * 60_000],
    ['an hour', 3_600_000, [], 4, nowMs + 49 * 60_000],
    ['none at all', 0, ['a', 'b', 'c'], 1, nowMs + 60_000],
  ])('with %s', (_, stuckTerminationTimeoutMs, stuck, holding, nextStuckAtMs) => {
    const sorted = sortTerminating({ stuckTerminationTimeoutMs }, pods, nowMs)
    expect({ ...sorted, stuck: sorted.stuck.map(({ metadata }) => metadata.name) }).toEqual({ stuck, holding, nextStuckAtMs })
  })
})
