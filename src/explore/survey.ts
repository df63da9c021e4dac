// Visits every reachable state of a world that is too large to store: of each state it keeps 62 bits of a hash. Checks what `explore` checks,
// in one pass, but neither finds the shortest way to a violation nor any way at all: `explore` does, as far as its memory goes.
//
// Quiet steps are followed depth first, so that a cycle of them comes back to a state that is still open. All others wait until that is done. A
// state that they lead to is visited from there, so that each is expanded once.
//
// Two states of one hash would be taken for one, and what is behind the second not be visited. Among n states that happens with a probability
// of about n² / 2⁶³: one in 900 for 100 million.
import { StateHash } from './state-hash.ts'
import type { World } from './world.ts'

interface Survey {
  readonly states: number
  readonly transitions: number
  readonly isComplete: boolean
  /** What is wrong and where: one of each kind, those whose texts differ in more than numbers. */
  readonly problems: readonly { readonly problem: string; readonly state: string }[]
}

interface Limits {
  /** Called now and then. */
  onProgress?(states: number, transitions: number, waiting: number): void
  /** Called with each problem as it is found. */
  onProblem?(problem: string, state: string): void
  /** Asked now and then: true ends the survey. */
  isOver?(): boolean
}

const progressEvery = 1 << 14

export function survey(world: World, { onProgress, onProblem, isOver }: Limits = {}): Survey {
  const { width } = world
  const marks = new Marks()
  const hash = new StateHash()
  /** States that steps of users and faults lead to, and quiet successors of the open states. */
  const waiting = new WordStack(width)
  const successors = new WordStack(width)
  /** The states from the last one that waited to the current one: where their successors begin, and their hashes. */
  const path: { readonly start: number; readonly low: number; readonly high: number }[] = []
  const problems = new Map<string, { problem: string; state: string }>()
  let transitions = 0
  let expanded = 0
  const note = (problem: string, words: Int32Array) => {
    const kind = problem.replace(/\d+/g, '')
    if (problems.has(kind)) return
    const state = world.show(words)
    problems.set(kind, { problem, state })
    onProblem?.(problem, state)
  }

  const open = (words: Int32Array) => {
    expanded++
    const { low, high } = hash.of(words)
    marks.set(low, high, isOpen)
    path.push({ start: successors.size, low, high })
    let isAtRest = true
    world.expand(words, false, (next, _code, isQuiet, problem) => {
      transitions++
      if (problem !== undefined) note(problem, words)
      const reached = hash.of(next)
      if (reached.low === low && reached.high === high) return
      if (isQuiet) {
        isAtRest = false
        successors.push(next)
      } else if (marks.get(reached.low, reached.high) === unknown) {
        marks.set(reached.low, reached.high, isWaiting)
        waiting.push(next)
      }
    })
    const problem = isAtRest ? world.restProblem(words) : undefined
    if (problem !== undefined) note(problem, words)
  }

  for (const words of world.initial()) waiting.push(words)
  let isComplete = true
  for (;;) {
    if (expanded % progressEvery === 0) {
      onProgress?.(marks.size, transitions, waiting.size)
      if (isOver?.() === true) {
        isComplete = false
        break
      }
    }
    const current = path[path.length - 1]
    if (current === undefined) {
      if (waiting.size === 0) break
      const words = waiting.pop()
      const { low, high } = hash.of(words)
      if (marks.get(low, high) <= isWaiting) open(words)
    } else if (successors.size > current.start) {
      const words = successors.pop()
      const { low, high } = hash.of(words)
      const mark = marks.get(low, high)
      if (mark === isOpen) note('these writes go on for ever', words)
      else if (mark <= isWaiting) open(words)
    } else {
      marks.set(current.low, current.high, isDone)
      path.pop()
    }
  }
  return { states: marks.size, transitions, isComplete, problems: [...problems.values()] }
}

const [unknown, isWaiting, isOpen, isDone] = [0, 1, 2, 3]

const firstSlots = 1 << 16
const maxLoad = 0.7

/** What is known about each state, by its hash. The two upper bits of the second word are the mark. */
class Marks {
  #slots = new Uint32Array(2 * firstSlots)
  #slotCount = firstSlots
  size = 0

  get(low: number, high: number): number {
    return this.#slots[2 * this.#placeOf(low, high) + 1]! >>> 30
  }

  set(low: number, high: number, mark: number): void {
    const place = 2 * this.#placeOf(low, high)
    const isNew = this.#slots[place + 1] === 0
    this.#slots[place] = low
    this.#slots[place + 1] = (high & 0x3fffffff) | (mark << 30)
    if (isNew && ++this.size > maxLoad * this.#slotCount) this.#grow()
  }

  #placeOf(low: number, high: number): number {
    const mask = this.#slotCount - 1
    const rest = high & 0x3fffffff
    let place = low & mask
    for (;;) {
      const found = this.#slots[2 * place + 1]!
      if (found === 0 || (this.#slots[2 * place] === low && (found & 0x3fffffff) === rest)) return place
      place = (place + 1) & mask
    }
  }

  #grow(): void {
    const before = this.#slots
    this.#slotCount *= 2
    this.#slots = new Uint32Array(2 * this.#slotCount)
    const mask = this.#slotCount - 1
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue
      let place = before[at]! & mask
      while (this.#slots[2 * place + 1] !== 0) place = (place + 1) & mask
      this.#slots[2 * place] = before[at]!
      this.#slots[2 * place + 1] = before[at + 1]!
    }
  }
}

/** States, the last one first. */
class WordStack {
  readonly #width: number
  #words: Int32Array<ArrayBuffer>
  size = 0

  constructor(width: number) {
    this.#width = width
    this.#words = new Int32Array(width * 1024)
  }

  push(words: Int32Array): void {
    if ((this.size + 1) * this.#width > this.#words.length) {
      const next = new Int32Array(2 * this.#words.length)
      next.set(this.#words)
      this.#words = next
    }
    this.#words.set(words, this.size++ * this.#width)
  }

  /** A copy of its own. */
  pop(): Int32Array {
    const at = --this.size * this.#width
    return this.#words.slice(at, at + this.#width)
  }
}
