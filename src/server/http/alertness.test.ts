import { describe, expect, it } from 'vitest'
import { Alertness } from './alertness.ts'

/** Lets the loop turn until it would sleep, and says how often it has. */
function createLoop(processors = 2) {
  let waiting: (() => void)[] = []
  const alertness = new Alertness((run) => void waiting.push(run), processors)
  const turn = (most = Number.POSITIVE_INFINITY) => {
    let turns = 0
    for (; waiting.length > 0 && turns < most; turns++) {
      const now = waiting
      waiting = []
      for (const run of now) run()
    }
    return turns
  }
  /** A request that is answered, after which the next one comes so many turns later. */
  const serve = (nextAfter?: number) => {
    alertness.arrived()
    alertness.answered()
    return turn(nextAfter)
  }
  return { alertness, turn, serve }
}

describe('Alertness', () => {
  it('stays awake for a moment after an answer', () => expect(createLoop().serve()).toBe(100))

  it('stays awake for as long as requests follow each other', () => {
    const { serve, turn } = createLoop()
    for (let request = 0; request < 1000; request++) expect(serve(30)).toBe(30)
    expect(turn()).toBe(70)
  })

  it('sleeps where nobody is in a hurry, and tries again now and then', () => {
    const { serve } = createLoop()
    const turns = Array.from({ length: 320 }, () => serve())
    expect(turns.slice(0, 8)).toEqual(Array(8).fill(100))
    expect(turns.slice(8).filter((count) => count > 0)).toHaveLength(10)
  })

  it('is awake again when clients are in a hurry again', () => {
    const { serve } = createLoop()
    for (let request = 0; request < 10; request++) serve()
    for (let request = 0; request < 100; request++) serve(5)
    expect(serve()).toBeGreaterThan(0)
  })

  it('turns once at a time, however many answers there are', () => {
    const { alertness, turn } = createLoop()
    for (let answer = 0; answer < 5; answer++) alertness.answered()
    expect(turn()).toBe(100)
  })

  it('sleeps when it is stopped', () => {
    const { alertness, turn } = createLoop()
    alertness.answered()
    alertness.stop()
    expect(turn()).toBe(1)
  })

  it('leaves a single processor to the client', () => expect(createLoop(1).serve()).toBe(0))
})
