import { describe, expect, it } from 'vitest'
import { explore, replay } from './explorer.ts'
import { graphWorld } from './testing/graph-world.ts'
import type { World } from './world.ts'

const problems = (world: World) => explore(world, { findsAll: true }).violations.map(({ problem, actions }) => [problem, ...actions])

describe('explore()', () => {
  it('visits each state once, and finds nothing where every path ends at the goal', () => {
    const world = graphWorld({ 0: [{ to: 1 }, { to: 2 }], 1: [{ to: 3 }], 2: [{ to: 3 }] }, 3)
    expect(explore(world)).toEqual({ states: 4, transitions: 4, depth: 2, isComplete: true, violations: [] })
  })

  it('visits more states than a chunk and the first table hold', () => {
    const last = 100_000
    const world: World = {
      ...graphWorld({}, last),
      expand: ([state], _quietOnly, visit) => state! < last && visit(Int32Array.of(state! + 1), 0, true, undefined),
    }
    expect(explore(world)).toMatchObject({ states: last + 1, transitions: last, violations: [] })
  })

  it('finds the shortest way to a violation', () => {
    const world = graphWorld({ 0: [{ to: 1 }, { to: 2 }], 1: [{ to: 2 }], 2: [{ to: 3, problem: 'wrong' }] }, 3)
    expect(problems(world)).toEqual([['wrong', 'to 2', 'to 3']])
  })

  it('finds a dead end, also one that only a fault leaves', () => {
    expect(problems(graphWorld({ 0: [{ to: 1 }, { to: 2 }], 1: [{ to: 2, isFault: true }] }, 2))).toEqual([['ends in 1', 'to 1']])
  })

  it('finds steps that go on for ever, without those of users and faults', () => {
    const cycle = { 0: [{ to: 1 }], 1: [{ to: 2 }, { to: 3 }], 2: [{ to: 1 }] }
    expect(problems(graphWorld(cycle, 3))).toEqual([['these writes go on for ever', 'to 1', 'to 2', 'to 1']])
    expect(problems(graphWorld({ ...cycle, 2: [{ to: 1, isFault: true }, { to: 3 }] }, 3))).toEqual([])
  })

  it('stops at a limit, and says so', () => {
    const world = graphWorld({ 0: [{ to: 1 }] }, 1)
    expect(explore(world, { isOver: () => true })).toMatchObject({ isComplete: false })
  })
})

describe('replay()', () => {
  it('plays the actions of a violation', () => {
    const world = graphWorld({ 0: [{ to: 1 }], 1: [{ to: 2, problem: 'wrong' }] }, 2)
    const [{ start, codes } = { start: 0, codes: [] }] = explore(world).violations
    expect(replay(world, start, codes)).toEqual({ actions: ['to 1', 'to 2'], states: ['state 0', 'state 1', 'state 2'], problem: 'wrong' })
  })
})
