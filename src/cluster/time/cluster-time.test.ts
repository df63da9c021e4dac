import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parseTime, realClock } from '../../base/clock.ts'
import { type ClusterTimeOptions, openClusterTime } from './cluster-time.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-time-'))
const mark = join(dataDir, 'clock')
afterEach(() => rmSync(mark, { force: true }))

const dayMs = 86_400_000
const open = (options: Partial<ClusterTimeOptions>) =>
  openClusterTime({ dataDir, inMemory: false, isNew: false, whenIdle: () => undefined, ...options })
const keep = (ms: number) => writeFileSync(mark, `${new Date(ms).toISOString()}\n`)
const kept = () => parseTime(readFileSync(mark, 'utf8').trim())

describe('openClusterTime()', () => {
  it('is the wall clock by default', () => {
    expect(open({}).clock).toBe(realClock)
    keep(realClock.now() - dayMs)
    expect(open({}).clock).toBe(realClock)
  })

  it('continues at its own time when that is ahead of the wall clock', () => {
    const aheadMs = realClock.now() + dayMs
    keep(aheadMs)
    const time = open({})
    expect(time.startMs).toBe(aheadMs)
    expect(time.adjustable?.speed).toBe(1)
    time.stop()
  })

  it.each<[name: string, options: Partial<ClusterTimeOptions>, markMs: number | undefined, startMs: number | undefined]>([
    ['at the start time of a new cluster', { isNew: true, startMs: 5000 }, undefined, 5000],
    ['at the mark, when that is later than the start time', { startMs: 5000 }, 9000, 9000],
    ['now, where there is something of the wall clock', { startMs: 5000 }, undefined, undefined],
    ['at the start time in memory, whatever was there', { inMemory: true, isNew: true, startMs: 5000 }, 9000, 5000],
  ])('starts %s', (_, options, markMs, startMs) => {
    if (markMs !== undefined) keep(markMs)
    const nowMs = realClock.now()
    const time = open({ isPaused: true, ...options })
    if (startMs === undefined) expect(time.startMs).toBeGreaterThanOrEqual(nowMs)
    else expect(time.startMs).toBe(startMs)
    time.stop()
  })

  it('reports the target before it advances, and the time that it reached', async () => {
    const time = open({ isNew: true, isPaused: true, startMs: 5000 })
    expect(kept()).toBe(7000)
    const step = time.adjustable!.stepBy(dayMs)
    time.clock.after(1000, () => {})
    await step
    expect(kept()).toBe(5000 + dayMs + 2000)
    time.stop()
    expect(kept()).toBe(5001 + dayMs)
  })

  it('refuses a mark that is no time', () => {
    writeFileSync(mark, 'noon')
    expect(() => open({})).toThrow('it does not contain a time')
  })
})
