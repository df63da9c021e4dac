import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Node, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { ZoneQueues } from './zone-queues.ts'

const node = (name: string, zone: string) =>
  ({ metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } } }) as unknown as Stored<Node>

function open(onDue: (name: string, nowMs: number) => boolean) {
  let nowMs = 0
  const timers = new Set<{ atMs: number; run: () => void }>()
  const clock: Clock = {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  const queues = new ZoneQueues({ clock, onDue: async (name) => onDue(name, nowMs) })
  const pass = async (ms: number) => {
    const endMs = nowMs + ms
    for (;;) {
      const next = [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      nowMs = Math.max(nowMs, next.atMs)
      timers.delete(next)
      next.run()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
    nowMs = endMs
  }
  return { queues, pass }
}

const step = fc.oneof(
  fc.record({ do: fc.constantFrom('lost', 'ready'), node: fc.nat(11) }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.nat(25_000) }),
)

describe('ZoneQueues', () => {
  it('processes at most one node per zone in ten seconds, and none that is ready', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const lost = new Set<string>()
        const given: { readonly zone: number; readonly atMs: number }[] = []
        const zoneOf = (name: string) => Number(name.slice(1)) % 3
        const { queues, pass } = open((name, atMs) => {
          expect(lost.has(name)).toBe(true)
          given.push({ zone: zoneOf(name), atMs })
          return true
        })
        const count = (name: string) => queues.count(node(name, `z${zoneOf(name)}`), lost.has(name) ? 'Unknown' : 'True')
        for (let index = 0; index < 12; index++) count(`n${index}`)
        queues.nextDisruption()
        for (const one of steps) {
          if (one.do === 'pass') {
            await pass(one.ms)
            continue
          }
          const name = `n${one.node}`
          if (one.do === 'lost') lost.add(name)
          else lost.delete(name)
          count(name)
          if (lost.has(name)) queues.add(name)
          else queues.cancel(name)
          queues.nextDisruption()
          queues.pumpSoon()
        }
        await pass(1)
        for (const zone of [0, 1, 2]) {
          const times = given.filter((one) => one.zone === zone).map(({ atMs }) => atMs)
          for (const [index, atMs] of times.entries()) if (index > 0) expect(atMs - times[index - 1]!).toBeGreaterThanOrEqual(10_000)
        }
        await queues.stop()
      }),
      { numRuns: 150, seed: 1 },
    )
  })

  it('processes every node that stays lost', async () => {
    const given: string[] = []
    const { queues, pass } = open((name) => given.push(name) > 0)
    for (let index = 0; index < 10; index++) queues.count(node(`n${index}`, 'a'), index < 4 ? 'Unknown' : 'True')
    for (let index = 0; index < 4; index++) queues.add(`n${index}`)
    queues.nextDisruption()
    queues.pumpSoon()
    await pass(31_000)
    expect(given).toEqual(['n0', 'n1', 'n2', 'n3'])
  })

  it('retries failures', async () => {
    let tries = 0
    const { queues, pass } = open(() => ++tries > 1)
    queues.count(node('n', 'a'), 'Unknown')
    queues.count(node('m', 'b'), 'True')
    queues.add('n')
    queues.nextDisruption()
    queues.pumpSoon()
    await pass(60_000)
    expect(tries).toBe(2)
  })
})
