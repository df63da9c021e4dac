import { describe, expect, it } from 'vitest'
import { DeploymentWorld } from './deployment/world.ts'
import { explore } from './explorer.ts'
import { plain } from './scopes.ts'
import { survey } from './survey.ts'
import { type Edge, graphWorld } from './testing/graph-world.ts'
import type { World } from './world.ts'

const problemsOf = (edges: Readonly<Record<number, readonly Edge[]>>, goal: number) =>
  survey(graphWorld(edges, goal)).problems.map(({ problem, state }) => `${problem} (${state})`)

describe('survey()', () => {
  it('visits as many states and steps as the explorer', () => {
    const world = () => new DeploymentWorld({ ...plain, hasStops: true })
    const { states, transitions } = explore(world())
    expect(survey(world())).toEqual({ states, transitions, isComplete: true, problems: [] })
  })

  it('visits a state once that a fault leads to before a quiet step does', () => {
    const world = graphWorld({ 0: [{ to: 2, isFault: true }, { to: 1 }], 1: [{ to: 2 }, { to: 3 }], 2: [{ to: 3 }] }, 3)
    expect(survey(world)).toEqual({ states: 4, transitions: 5, isComplete: true, problems: [] })
  })

  it('visits more states than the first table holds', () => {
    const last = 100_000
    const world: World = {
      ...graphWorld({}, last),
      expand: ([state], _quietOnly, visit) => state! < last && visit(Int32Array.of(state! + 1), 0, true, undefined),
    }
    expect(survey(world)).toMatchObject({ states: last + 1, transitions: last, problems: [] })
  })

  it('finds the problem of a step, also of one that changes nothing', () => {
    expect(problemsOf({ 0: [{ to: 1, problem: 'wrong' }] }, 1)).toEqual(['wrong (state 0)'])
    expect(problemsOf({ 0: [{ to: 1 }], 1: [{ to: 1, isFault: true, problem: 'wrong' }] }, 1)).toEqual(['wrong (state 1)'])
  })

  it('finds a dead end, also one that only a fault leaves', () => {
    expect(problemsOf({ 0: [{ to: 1 }, { to: 2 }], 1: [{ to: 2, isFault: true }] }, 2)).toEqual(['ends in 1 (state 1)'])
  })

  it('finds steps that go on for ever, without those of users and faults', () => {
    const cycle = { 0: [{ to: 1 }], 1: [{ to: 2 }, { to: 3 }], 2: [{ to: 1 }] }
    expect(problemsOf(cycle, 3)).toEqual(['these writes go on for ever (state 1)'])
    expect(problemsOf({ ...cycle, 2: [{ to: 1, isFault: true }, { to: 3 }] }, 3)).toEqual([])
    // Reached by a fault, in the middle of the cycle.
    expect(problemsOf({ 0: [{ to: 2, isFault: true }, { to: 3 }], 1: [{ to: 2 }], 2: [{ to: 1 }] }, 3)).toEqual([
      'these writes go on for ever (state 2)',
    ])
  })

  it('stops when asked to, and says so', () => {
    expect(survey(graphWorld({ 0: [{ to: 1 }] }, 1), { isOver: () => true })).toMatchObject({ isComplete: false })
  })
})
