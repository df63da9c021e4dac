import { describe, expect, it } from 'vitest'
import { seededRandom } from './random.ts'
import { VirtualClock } from './virtual-clock.ts'

const open = (ties?: number) => {
  const clock = new VirtualClock({ startMs: 0, ...(ties !== undefined && { ties: seededRandom(ties) }) })
  const seen: string[] = []
  const note = (what: string) => () => void seen.push(`${clock.now()} ${what}`)
  return { clock, seen, note }
}

describe('VirtualClock', () => {
  it('runs what is due in the order of time, and of asking', async () => {
    const { clock, seen, note } = open()
    clock.after(20, note('c'))
    clock.after(10, note('a'))
    clock.after(10, note('b'))
    clock.after(30, note('later'))
    await clock.advance(25)
    expect(seen).toEqual(['10 a', '10 b', '20 c'])
    expect(clock.now()).toBe(25)
  })

  it('waits for all promises that an event sets off before it takes the next', async () => {
    const { clock, seen, note } = open()
    clock.after(10, async () => {
      for (let i = 0; i < 100; i++) await undefined
      note('end of a')()
      clock.after(0, note('after a'))
    })
    clock.after(11, note('b'))
    await clock.advance(20)
    expect(seen).toEqual(['10 end of a', '10 after a', '11 b'])
  })

  it('does not run what was cancelled', async () => {
    const { clock, seen, note } = open()
    const cancel = clock.after(10, note('a'))
    clock.after(5, cancel)
    await clock.advance(20)
    expect(seen).toEqual([])
    expect(clock.nextMs).toBeUndefined()
  })

  it('stands still between moves, and settles without moving', async () => {
    const { clock, seen, note } = open()
    clock.after(0, note('now'))
    clock.after(1, note('soon'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toEqual([])
    await clock.settle()
    expect(seen).toEqual(['0 now'])
  })

  it('stops at the event at which the condition is met, or at the limit', async () => {
    const { clock, seen, note } = open()
    for (const at of [5, 6, 7]) clock.after(at, note('x'))
    expect(await clock.runUntil(() => seen.length === 1)).toBe(true)
    expect(seen).toEqual(['5 x'])
    expect(await clock.runUntil(() => seen.length === 2, 5)).toBe(false)
    expect(await clock.runUntil(() => seen.length === 4)).toBe(false)
    expect(seen).toEqual(['5 x', '6 x', '7 x'])
    expect(clock.now()).toBe(7)
  })

  it('moves until a promise settles, and says when it never will', async () => {
    const { clock } = open()
    const later = new Promise<string>((resolve) => clock.after(3_600_000, () => resolve('there')))
    expect(await clock.runUntilSettled(later)).toBe('there')
    expect(clock.now()).toBe(3_600_000)
    await expect(clock.runUntilSettled(new Promise(() => {}))).rejects.toThrow('no timer is left')
  })

  it('refuses two moves at a time, and moves backwards', async () => {
    const { clock } = open()
    const first = clock.advance(1)
    await expect(clock.advance(1)).rejects.toThrow('it is moving')
    await first
    await expect(clock.advance(-1)).rejects.toThrow('only goes forward')
  })

  it('rejects with the error of an event, or of the check after it', async () => {
    const { clock } = open()
    clock.after(1, () => {
      throw new Error('broken')
    })
    await expect(clock.advance(5)).rejects.toThrow('broken')
    clock.after(1, () => {})
    clock.onEvent = () => {
      throw new Error('not as it should be')
    }
    await expect(clock.advance(5)).rejects.toThrow('not as it should be')
  })

  it('draws the order of ties from chance, the same for the same seed', async () => {
    const orderOf = async (seed: number) => {
      const { clock, seen, note } = open(seed)
      for (const name of 'abcdefgh') clock.after(1, note(name))
      await clock.advance(1)
      return seen.join()
    }
    expect(await orderOf(1)).toBe(await orderOf(1))
    expect(await orderOf(1)).not.toBe(await orderOf(2))
  })

  it('waits for every promise when it is closed, and lets the event loop turn now and then', async () => {
    const clock = new VirtualClock({ startMs: 0, isClosed: true })
    const seen: string[] = []
    const act = async () => {
      for (let i = 0; i < 100; i++) await undefined
      seen.push(`done at ${clock.now()}`)
    }
    clock.after(1, () => void act())
    clock.after(2, () => seen.push('next'))
    for (let ms = 3; ms < 200; ms++) clock.after(ms, () => {})
    let hasTurned = false
    setImmediate(() => {
      hasTurned = true
    })
    await clock.advance(200)
    expect(seen).toEqual(['done at 1', 'next'])
    expect(hasTurned).toBe(true)
  })
})
