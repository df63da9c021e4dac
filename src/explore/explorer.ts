// Visits every reachable state of a world, breadth first, so that the first violation is one of the shortest.
//
// Checked: each step's own properties; that a state without quiet steps is the end that was asked for (no dead end); and that the quiet
// steps have no cycle (nothing is written for ever). Together: from every reachable state, when users and faults rest, every order of the
// remaining steps ends, and ends as it should (eventually stable reconciliation).
import { StateTable } from './state-table.ts'
import type { World } from './world.ts'

export interface Violation {
  readonly problem: string
  /** The actions from the first state on. */
  readonly actions: readonly string[]
  /** The codes of the actions, to replay them. */
  readonly codes: readonly number[]
  /** The number of the first state among those of the world. */
  readonly start: number
  readonly states: readonly string[]
}

interface Exploration {
  readonly states: number
  readonly transitions: number
  /** The number of actions of the longest shortest path to a state. */
  readonly depth: number
  /** Whether all reachable states were visited. */
  readonly isComplete: boolean
  /** The shortest of each kind, or only the first one. */
  readonly violations: readonly Violation[]
}

interface Limits {
  /** Continues after a violation, and finds one of each kind: those whose texts differ in more than numbers. */
  readonly findsAll?: boolean
  readonly maxStates?: number
  /** Called now and then. */
  onProgress?(states: number, transitions: number, depth: number): void
  /** Asked now and then: true ends the exploration. */
  isOver?(): boolean
}

interface Found {
  readonly problem: string
  /** The last state of the path that the table has. */
  readonly state: number
  /** The actions after it. */
  readonly more: readonly number[]
}

const progressEvery = 1 << 14

export function explore(world: World, limits: Limits = {}): Exploration {
  const table = new StateTable(world.width)
  const { maxStates = Number.POSITIVE_INFINITY, findsAll = false } = limits
  let starts = 0
  for (const words of world.initial()) {
    table.add(words, table.size)
    starts = table.size
  }
  let transitions = 0
  const found = new Map<string, Found>()
  let depth = 0
  let levelEnd = table.size
  let state = 0
  let isRest = true
  const note = (problem: string, more: readonly number[]) => {
    const kind = problem.replace(/\d+/g, '')
    if (!found.has(kind)) found.set(kind, { problem, state, more })
  }
  const visit = (words: Int32Array, code: number, isQuiet: boolean, problem: string | undefined) => {
    transitions++
    if (problem !== undefined) note(problem, [code])
    const next = table.add(words, state)
    if (isQuiet && next !== state) isRest = false
  }
  const isEnough = () => found.size > 0 && !findsAll
  for (; state < table.size && !isEnough(); state++) {
    if (state === levelEnd) {
      depth++
      levelEnd = table.size
    }
    if (state % progressEvery === 0) {
      limits.onProgress?.(table.size, transitions, depth)
      if (table.size > maxStates || limits.isOver?.() === true) break
    }
    isRest = true
    world.expand(table.wordsOf(state), false, visit)
    if (!isRest) continue
    const problem = world.restProblem(table.wordsOf(state))
    if (problem !== undefined) note(problem, [])
  }
  const isComplete = state === table.size && !isEnough()
  const cycle = isComplete ? findCycle(world, table) : undefined
  const all = cycle === undefined ? [...found.values()] : [...found.values(), cycle]
  return { states: table.size, transitions, depth, isComplete, violations: all.map((one) => violationOf(world, table, starts, one)) }
}

const [open, done] = [1, 2]

/** A cycle of quiet steps, found depth first. Each state is expanded once. */
function findCycle(world: World, table: StateTable): Found | undefined {
  const colours = new Uint8Array(table.size)
  const nextOf = (state: number): number[] => {
    const next: number[] = []
    world.expand(table.wordsOf(state), true, (words) => {
      const target = table.find(words)
      if (target !== state) next.push(target)
    })
    return next
  }
  for (let start = 0; start < table.size; start++) {
    if (colours[start] !== 0) continue
    const path = [{ state: start, next: nextOf(start) }]
    colours[start] = open
    while (path.length > 0) {
      const { state, next } = path[path.length - 1]!
      const target = next.pop()
      if (target === undefined) {
        colours[state] = done
        path.pop()
      } else if (colours[target] === open) {
        const cycle = path.slice(path.findIndex((one) => one.state === target)).map((one) => one.state)
        return { problem: 'these writes go on for ever', state: cycle[0]!, more: codesAlong(world, table, [...cycle, cycle[0]!]) }
      } else if (colours[target] === 0) {
        colours[target] = open
        path.push({ state: target, next: nextOf(target) })
      }
    }
  }
  return undefined
}

const codesAlong = (world: World, table: StateTable, states: readonly number[]): number[] =>
  states.slice(1).map((next, index) => codeOf(world, table, states[index]!, next))

function codeOf(world: World, table: StateTable, from: number, to: number): number {
  let found: number | undefined
  world.expand(table.wordsOf(from), false, (words, code, isQuiet) => {
    if ((found === undefined || isQuiet) && table.find(words) === to) found = code
  })
  if (found === undefined) throw new Error('The world has other steps than before')
  return found
}

function violationOf(world: World, table: StateTable, starts: number, { problem, state, more }: Found): Violation {
  const path = [state]
  while (path[0]! >= starts) path.unshift(table.parentOf(path[0]!))
  const codes = [...codesAlong(world, table, path), ...more]
  return { problem, start: path[0]!, codes, ...replay(world, path[0]!, codes) }
}

/** Plays the actions from the first state with that number. */
export function replay(
  world: World,
  start: number,
  codes: readonly number[],
): Pick<Violation, 'actions' | 'states'> & { problem?: string } {
  let words: Int32Array = [...world.initial()][start]!
  const actions: string[] = []
  const states = [world.show(words)]
  let problem: string | undefined
  for (const code of codes) {
    let next: Int32Array | undefined
    const action = world.describe(words, code)
    world.expand(words, false, (reached, one, _isQuiet, found) => {
      if (one !== code || next !== undefined) return
      next = reached.slice()
      problem ??= found
    })
    if (next === undefined) throw new Error(`No action "${action}" in ${world.show(words)}`)
    words = next
    actions.push(action)
    states.push(world.show(words))
  }
  return { actions, states, ...(problem !== undefined && { problem }) }
}
