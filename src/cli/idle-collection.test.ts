import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../base/virtual-clock.ts'
import { collectWhenIdle } from './idle-collection.ts'

/** `busyMs`: the processor time in each second. The heap grows by `grownMb` in each of them, and a collection empties it. */
async function collectionsAfter(busyMs: readonly number[], grownMb = 60): Promise<string[]> {
  const clock = new VirtualClock()
  const calls: string[] = []
  let usedMs = 0
  let heapMb = 0
  const stop = collectWhenIdle(clock, () => void calls.push('release'), {
    cpuMs: () => usedMs,
    heapBytes: () => heapMb * 1e6,
    collect() {
      calls.push('collect')
      heapMb = 0
    },
  })
  for (const ms of busyMs) {
    usedMs += ms
    if (ms > 1) heapMb += grownMb
    await clock.advance(1000)
  }
  stop()
  return calls
}

describe('collectWhenIdle()', () => {
  const idle = (seconds: number) => Array.from({ length: seconds }, () => 1)
  const once = ['release', 'collect']

  it.each([
    ['does nothing while there is work', [900, 150, 300], []],
    ['does nothing in a short pause', [900, 1, 900, 1, 900], []],
    ['releases caches and collects after two idle seconds', [900, 1, 1, 1], once],
    ['collects once for each load', [900, ...idle(40), 900, ...idle(40)], [...once, ...once]],
  ])('%s', async (_, busyMs, expected) => {
    expect(await collectionsAfter(busyMs)).toEqual(expected)
  })

  it('does nothing where the heap has grown little', async () => {
    expect(await collectionsAfter([900, ...idle(40)], 20)).toEqual([])
  })

  it('sets no timer after it was ended', async () => {
    const clock = new VirtualClock()
    collectWhenIdle(clock, () => {})()
    expect(clock.nextMs).toBeUndefined()
  })
})
