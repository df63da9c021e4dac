import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../simulate/virtual-clock.ts'
import { spareMemoryWhenIdle } from './spare-memory.ts'

/** `busyMs`: what the process uses in each second. */
async function flagsAfter(busyMs: readonly number[], grownMegabytes = 60, usedMegabytes = 0): Promise<string[]> {
  const clock = new VirtualClock()
  const flags: string[] = []
  let usedMs = 0
  let heapBytes = 0
  const stop = spareMemoryWhenIdle(clock, () => void flags.push('let go'), {
    cpuMs: () => usedMs,
    // Each time that it is asked, it has grown.
    heapBytes: () => {
      heapBytes += grownMegabytes * 1e6
      return heapBytes
    },
    usedBytes: () => usedMegabytes * 1e6,
    setFlags: (flag) => void flags.push(flag),
  })
  for (const ms of busyMs) {
    usedMs += ms
    await clock.advance(1000)
  }
  stop()
  return flags
}

const [on, off] = ['--optimize-for-size', '--no-optimize-for-size']

describe('spareMemoryWhenIdle()', () => {
  const quiet = (seconds: number) => Array.from({ length: seconds }, () => 1)

  it.each([
    ['does nothing while there is work', [900, 150, 300], []],
    ['does nothing in a short pause', [900, 1, 900, 1, 900], []],
    ['spares memory after two quiet seconds', [900, 1, 1, 1], ['let go', on]],
    ['goes on while the collector works', [1, 1, 300, 1, 300, 1], ['let go', on]],
    ['stops when work comes, and begins again after it', [1, 1, 900, 1, 1], ['let go', on, off, 'let go', on]],
    ['stops when all is given back, until there was work again', [...quiet(40), 150, ...quiet(40)], ['let go', on, off, 'let go', on, off]],
  ])('%s', async (_, busyMs, expected) => {
    expect(await flagsAfter(busyMs)).toEqual(expected)
  })

  it('lets a large heap grow less between two collections', async () => {
    expect(await flagsAfter([900, 900], 0, 1500)).toEqual(['--heap-growing-percent=25'])
  })

  it('does nothing where the heap has grown little', async () => {
    expect(await flagsAfter([900, ...quiet(40)], 20)).toEqual([])
  })

  it('sets no timer after it was ended', async () => {
    const clock = new VirtualClock()
    spareMemoryWhenIdle(clock, () => {})()
    expect(clock.nextMs).toBeUndefined()
  })
})
