import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../simulate/virtual-clock.ts'
import { spareMemoryWhenIdle } from './spare-memory.ts'

/** `busyMs`: what the process uses in each second. */
async function flagsAfter(busyMs: readonly number[]): Promise<string[]> {
  const clock = new VirtualClock()
  const flags: string[] = []
  let usedMs = 0
  const stop = spareMemoryWhenIdle(
    clock,
    (flag) => flags.push(flag),
    () => usedMs,
  )
  for (const ms of busyMs) {
    usedMs += ms
    await clock.advance(1000)
  }
  stop()
  return flags
}

const [on, off] = ['--optimize-for-size', '--no-optimize-for-size']

describe('spareMemoryWhenIdle()', () => {
  it.each([
    ['does nothing while there is work', [900, 150, 300], []],
    ['does nothing in a short pause', [900, 1, 900, 1, 900], []],
    ['spares memory after two quiet seconds', [900, 1, 1, 1], [on]],
    ['goes on while the collector works for a moment', [1, 1, 300, 1, 300, 1], [on]],
    ['stops when work comes', [1, 1, 900, 900, 900], [on, off]],
    ['begins again after it', [1, 1, 900, 900, 1, 1, 1], [on, off, on]],
  ])('%s', async (_, busyMs, expected) => {
    expect(await flagsAfter(busyMs)).toEqual(expected)
  })

  it('sets no timer after it was ended', async () => {
    const clock = new VirtualClock()
    spareMemoryWhenIdle(
      clock,
      () => {},
      () => 0,
    )()
    expect(clock.nextMs).toBeUndefined()
  })
})
