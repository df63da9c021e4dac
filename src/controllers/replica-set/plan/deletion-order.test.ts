import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../../../api/types.ts'
import { nowMs, type PodTraits, podOf } from '../testing/sample-objects.ts'
import { deletionCostOf, rankForDeletion } from './deletion-order.ts'

const rank = (pods: readonly Stored<Pod>[], usesDeletionCost = true, related: readonly Stored<Pod>[] = pods) =>
  rankForDeletion(pods, pods.length, { nowMs, usesDeletionCost, related }).map(({ metadata }) => metadata.uid)

const ready: PodTraits = { node: 'n1', readyFor: 50 }

describe('rankForDeletion()', () => {
  // The uids have the opposite order, so that the last criterion cannot make a row pass.
  it.each<[string, PodTraits, PodTraits]>([
    ['an unassigned pod before an assigned one', { phase: 'Running', cost: '9' }, { node: 'n1', phase: 'Pending' }],
    ['a pending pod before an unknown one', { node: 'n1', phase: 'Pending', cost: '9' }, { node: 'n1', phase: 'Unknown' }],
    ['an unknown pod before a running one', { node: 'n1', phase: 'Unknown', cost: '9' }, { node: 'n1' }],
    ['a pod that is not ready before a cheap one', { node: 'n1', cost: '9' }, { ...ready, cost: '-9' }],
    ['the lower cost first', { ...ready, cost: '-5', readyFor: 5000 }, { ...ready, cost: '3' }],
    ['no cost is 0', { ...ready, readyFor: 5000 }, { ...ready, cost: '1' }],
    ['a cost that cannot be read is 0', { ...ready, cost: 'x', readyFor: 5000 }, { ...ready, cost: '1' }],
    ['ready for a shorter time first', { ...ready, readyFor: 10, age: 9000 }, { ...ready, readyFor: 100, restarts: 9 }],
    ['ready since an unknown time before all others', { ...ready, readyFor: null }, { ...ready, readyFor: 1 }],
    ['ready from a moment in the future before ready for a second', { ...ready, readyFor: -9 }, { ...ready, readyFor: 1 }],
    ['more restarts first', { ...ready, restarts: 3, sidecarRestarts: 0, age: 9000 }, { ...ready, restarts: 2, sidecarRestarts: 9 }],
    ['more restarts of sidecars first', { ...ready, sidecarRestarts: 3, age: 9000 }, { ...ready, sidecarRestarts: 2 }],
    ['the younger first', { ...ready, age: 60 }, { ...ready, age: 6000 }],
    ['restarts decide among ready times of one power of two', { ...ready, readyFor: 40, restarts: 1 }, { ...ready, readyFor: 41 }],
  ])('%s', (_, first, second) => {
    expect(rank([podOf('a', second), podOf('b', first)])).toEqual(['b', 'a'])
    expect(rank([podOf('b', first), podOf('a', second)])).toEqual(['b', 'a'])
  })

  it('deletes pods on the node with more of them first', () => {
    const pods = [podOf('a', { ...ready, node: 'n2', readyFor: 1 }), podOf('b', ready), podOf('c', ready)]
    expect(rank(pods)).toEqual(['b', 'c', 'a'])
  })

  it('counts the pods of related sets on the node, but only the active ones', () => {
    const pods = [podOf('a', { ...ready, node: 'n1' }), podOf('b', { ...ready, node: 'n2' })]
    const sibling = podOf('s', { ...ready, node: 'n2' })
    const ended = [1, 2, 3].map((n) => podOf(`e${n}`, { node: 'n1', phase: 'Failed' }))
    const terminating = [1, 2, 3].map((n) => podOf(`t${n}`, { node: 'n1', terminating: true }))
    expect(rank(pods, true, [...pods, sibling, ...ended, ...terminating])).toEqual(['b', 'a'])
  })

  it('ignores costs while the gate is off', () => {
    expect(rank([podOf('a', { ...ready, cost: '5' }), podOf('b', { ...ready, cost: '-5' })], false)).toEqual(['a', 'b'])
  })

  it('orders pods of about the same age by uid', () => {
    expect(rank([podOf('b', { ...ready, age: 100 }), podOf('a', { ...ready, age: 101 })])).toEqual(['a', 'b'])
  })

  const traits = fc.record<PodTraits>(
    {
      phase: fc.constantFrom('Pending', 'Unknown', 'Running'),
      node: fc.constantFrom('n1', 'n2', 'n3'),
      readyFor: fc.constantFrom(0, 1, 2, 3, 100, 101, 5000, null),
      cost: fc.constantFrom('-3', '0', '7', 'bad'),
      restarts: fc.integer({ min: 0, max: 2 }),
      sidecarRestarts: fc.integer({ min: 0, max: 2 }),
      age: fc.constantFrom(1, 2, 3, 100, 101, 5000),
    },
    { requiredKeys: [] },
  )
  const pods = fc.array(traits, { maxLength: 12 }).map((list) => list.map((one, index) => podOf(String.fromCharCode(97 + index), one)))

  it('is a total order, whatever the order of the input', () => {
    fc.assert(
      fc.property(
        pods.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(rank(shuffled)).toEqual(rank(list))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('chooses the first of them when only some are deleted', () => {
    fc.assert(
      fc.property(pods, fc.integer({ min: 1, max: 10 }), (list, count) => {
        const context = { nowMs, usesDeletionCost: true, related: list }
        const all = rankForDeletion(list, list.length, context)
        expect(rankForDeletion(list, count, context)).toEqual(all.slice(0, count))
      }),
      { numRuns: 200 },
    )
  })

  it('respects the cost among pods that are equal before it', () => {
    const sameSoFar = ({ spec, status }: Stored<Pod>) =>
      `${spec?.nodeName === undefined}/${status?.phase}/${status?.conditions?.[0]?.status}`
    fc.assert(
      fc.property(pods, (list) => {
        const ranked = rankForDeletion(list, list.length, { nowMs, usesDeletionCost: true, related: list })
        ranked.forEach((pod, index) => {
          for (const later of ranked.slice(index + 1))
            if (sameSoFar(pod) === sameSoFar(later)) expect(deletionCostOf(pod)).toBeLessThanOrEqual(deletionCostOf(later))
        })
      }),
      { numRuns: 100 },
    )
  })

  it('changes nothing when all costs are equal', () => {
    fc.assert(
      fc.property(fc.array(traits, { maxLength: 10 }), fc.constantFrom('0', '5', '-5'), (list, cost) => {
        const without = list.map((one, index) => {
          const { cost: _, ...rest } = one
          return podOf(String(index), rest)
        })
        const withCost = list.map((one, index) => podOf(String(index), { ...one, cost }))
        expect(rank(withCost)).toEqual(rank(without, false))
      }),
      { numRuns: 100 },
    )
  })
})

describe('deletionCostOf()', () => {
  it.each([
    ['10', 10],
    ['-2147483648', -2147483648],
    ['2147483647', 2147483647],
    ['2147483648', 0],
    ['+1', 0],
    ['01', 0],
    ['1.5', 0],
    ['', 0],
    ['-05', -5],
  ])('reads %j as %d', (text, cost) => {
    expect(deletionCostOf(podOf('a', { cost: text }))).toBe(cost)
  })
})
