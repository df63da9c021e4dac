import { describe, expect, it } from 'vitest'
import { kinds, leases, namespaces } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { type Clock, formatMicroTime } from '../../base/clock.ts'
import { seededRandom } from '../../base/random.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Client } from '../../client/client.ts'
import { createInProcessClient } from '../../cluster/in-process-client.ts'
import { wrapWrites } from '../../cluster/wrapped-calls.ts'
import { createRest } from '../../server/rest/create-rest.ts'
import { openMemoryStore } from '../../store/memory-store.ts'
import { type LeaderElection, startLeaderElection, timingsProblem } from './leader-election.ts'

const ref = { namespace: 'default', name: 'rollcall' }

async function openServer(seed = 11) {
  const clock = new VirtualClock()
  const random = seededRandom(seed)
  const rest = createRest({ store: openMemoryStore(), gates: defaultFeatureGates, clock, random })
  const client = createInProcessClient({ rest, kinds, name: 'tester' })
  await client.create(namespaces, undefined, { metadata: { name: 'default' } })
  const events: string[] = []
  const start = (identity: string, given: { readonly client?: Client; readonly clock?: Clock } = {}): LeaderElection =>
    startLeaderElection({
      client,
      clock,
      random,
      ...ref,
      ...given,
      identity,
      onStartedLeading: () => events.push(`${identity} leads`),
      onStoppedLeading: () => events.push(`${identity} stopped`),
    })
  const lease = async () => (await client.get(leases, ref)).spec!
  return { clock, client, events, start, lease }
}

/** A client whose requests fail while `isDown` returns true. */
const failing = (client: Client, isDown: () => boolean): Client => {
  const guard = <T>(run: () => Promise<T>) => (isDown() ? Promise.reject(new Error('connection refused')) : run())
  return { ...wrapWrites(client, guard), get: (...request) => guard(() => client.get(...request)) }
}

/** A process that can be suspended: its timers wait, and run as soon as it resumes. */
function suspendable(clock: VirtualClock) {
  let isSuspended = false
  const waiting: (() => void)[] = []
  return {
    clock: {
      now: () => clock.now(),
      after: (delayMs: number, run: () => void) => clock.after(delayMs, () => (isSuspended ? void waiting.push(run) : run())),
    } satisfies Clock,
    suspend() {
      isSuspended = true
    },
    resume() {
      isSuspended = false
      for (const run of waiting.splice(0)) clock.after(0, run)
    },
  }
}

describe('startLeaderElection()', () => {
  it('creates the Lease that client-go would create', async () => {
    const { clock, events, start, lease } = await openServer()
    const startedAt = formatMicroTime(clock.now())
    start('a')
    await clock.settle()
    expect(events).toEqual(['a leads'])
    expect(await lease()).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: startedAt,
      renewTime: startedAt,
      leaseTransitions: 0,
    })
  })

  it('renews every two seconds and keeps the time of acquisition', async () => {
    const { clock, start, lease } = await openServer()
    const leader = start('a')
    await clock.settle()
    const { acquireTime } = await lease()
    await clock.advance(60_000)
    expect(leader.isLeading()).toBe(true)
    const spec = await lease()
    expect(spec.acquireTime).toBe(acquireTime)
    expect(spec.renewTime).toBe(formatMicroTime(clock.now()))
  })

  it('makes a second candidate wait, and reports the leader', async () => {
    const { clock, events, start } = await openServer()
    start('a')
    await clock.settle()
    const standby = start('b')
    await clock.advance(120_000)
    expect(events).toEqual(['a leads'])
    expect(standby.isLeading()).toBe(false)
    expect(standby.leader).toBe('a')
  })

  it('hands over within a retry when the leader stops', async () => {
    const { clock, events, start, lease } = await openServer()
    const leader = start('a')
    await clock.settle()
    const standby = start('b')
    await clock.advance(10_000)
    await clock.runUntilSettled(leader.stop())
    expect((await lease()).holderIdentity).toBeUndefined()
    await clock.advance(2_000 * 2.2)
    expect(events).toEqual(['a leads', 'b leads'])
    expect(standby.isLeading()).toBe(true)
    expect((await lease()).leaseTransitions).toBe(1)
  })

  it('takes over within 20 seconds from a leader that died', async () => {
    const { clock, client, events, start } = await openServer()
    let isDead = false
    start('a', { client: failing(client, () => isDead) })
    await clock.settle()
    start('b')
    await clock.advance(30_000)
    isDead = true
    const diedAtMs = clock.now()
    expect(await clock.runUntil(() => events.includes('b leads'), diedAtMs + 20_000)).toBe(true)
  })

  it('takes over within 15 seconds and one attempt, whenever the leader dies (100 seeds)', async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { clock, client, events, start } = await openServer(seed)
      let isDead = false
      start('a', { client: failing(client, () => isDead) })
      await clock.settle()
      start('b')
      await clock.advance(20_000 + 30 * seed)
      isDead = true
      const diedAtMs = clock.now()
      const limitMs = diedAtMs + 15_000 + 2_000 * 2.2
      expect(await clock.runUntil(() => events.includes('b leads'), limitMs), `seed ${seed}`).toBe(true)
    }
  })

  it('counts the time of a holder from the response, not from the request', async () => {
    const { clock, client, events, start } = await openServer()
    let delayMs = 0
    const slow: Client = {
      ...client,
      async get(resource, target) {
        await new Promise<void>((resolve) => void clock.after(delayMs, resolve))
        return client.get(resource, target)
      },
    }
    let isDead = false
    start('a', { client: failing(client, () => isDead) })
    await clock.settle()
    delayMs = 7_000
    start('b', { client: slow })
    await clock.advance(7_000)
    // The renewal that it has observed now was sent a second ago.
    isDead = true
    delayMs = 0
    await clock.advance(14_900)
    expect(events).toEqual(['a leads', 'a stopped'])
    await clock.advance(10_000)
    expect(events).toEqual(['a leads', 'a stopped', 'b leads'])
  })

  it('steps down ten seconds after the last renewal that it sent, before another can take over', async () => {
    const { clock, client, events, start } = await openServer()
    let isDown = false
    const leader = start('a', { client: failing(client, () => isDown) })
    await clock.settle()
    await clock.advance(4_000)
    isDown = true
    await clock.advance(9_999)
    expect(leader.isLeading()).toBe(true)
    await clock.advance(1)
    expect(leader.isLeading()).toBe(false)
    expect(events).toEqual(['a leads', 'a stopped'])
  })

  it('steps down when a renewal is not answered', async () => {
    const { clock, client, events, start } = await openServer()
    let hangs = false
    const hanging = wrapWrites(client, (run) => (hangs ? new Promise(() => {}) : run()))
    const leader = start('a', { client: hanging })
    await clock.settle()
    hangs = true
    await clock.advance(10_000)
    expect(leader.isLeading()).toBe(false)
    expect(events).toEqual(['a leads', 'a stopped'])
  })

  it('is not leading when it wakes up after a suspension, before any timer has run', async () => {
    const { clock, start, events } = await openServer()
    const process = suspendable(clock)
    const leader = start('a', { clock: process.clock })
    await clock.settle()
    process.suspend()
    await clock.advance(60_000)
    expect(leader.isLeading()).toBe(false)
    process.resume()
    expect(leader.isLeading()).toBe(false)
    await clock.settle()
    expect(events).toEqual(['a leads', 'a stopped'])
  })

  it('does not count a renewal whose answer took longer than the deadline', async () => {
    const { clock, client, start, events } = await openServer()
    let delayMs = 0
    const slow = wrapWrites(client, async (run) => {
      const answer = await run()
      await new Promise<void>((resolve) => void clock.after(delayMs, resolve))
      return answer
    })
    const leader = start('a', { client: slow })
    await clock.settle()
    delayMs = 11_000
    await clock.advance(13_000)
    expect(leader.isLeading()).toBe(false)
    expect(events).toEqual(['a leads', 'a stopped'])
  })

  it('steps down at once when another holder has the Lease', async () => {
    const { clock, client, start, events } = await openServer()
    const leader = start('a')
    await clock.settle()
    await client.patch(leases, ref, 'merge', { spec: { holderIdentity: 'b' } })
    await clock.advance(4_000)
    expect(leader.isLeading()).toBe(false)
    expect(events).toEqual(['a leads', 'a stopped'])
  })

  it('creates the Lease again when it was deleted', async () => {
    const { clock, client, start, lease } = await openServer()
    const leader = start('a')
    await clock.settle()
    await client.delete(leases, ref)
    await clock.advance(5_000)
    expect(leader.isLeading()).toBe(true)
    expect((await lease()).holderIdentity).toBe('a')
  })

  it('never has two leaders, whatever fails, hangs or is suspended (200 seeds)', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { clock, client, start } = await openServer()
      const random = seededRandom(seed)
      const candidates: { readonly election: LeaderElection; readonly process: ReturnType<typeof suspendable> }[] = []
      for (const name of ['a', 'b', 'c']) {
        let downUntilMs = 0
        const process = suspendable(clock)
        const unreliable = wrapWrites(
          failing(client, () => {
            if (clock.now() >= downUntilMs && random.next() < 0.05) downUntilMs = clock.now() + random.next() * 30_000
            return clock.now() < downUntilMs
          }),
          async (run) => {
            const answer = await run()
            await new Promise<void>((resolve) => void process.clock.after(random.next() < 0.1 ? random.next() * 20_000 : 5, resolve))
            return answer
          },
        )
        candidates.push({ election: start(name, { client: unreliable, clock: process.clock }), process })
      }
      for (let step = 0; step < 120; step++) {
        const { process } = candidates[Math.floor(random.next() * candidates.length)]!
        if (random.next() < 0.1) process.suspend()
        else process.resume()
        await clock.advance(random.next() * 4_000)
        const leading = candidates.filter(({ election }) => election.isLeading())
        expect(leading.length, `seed ${seed}`).toBeLessThanOrEqual(1)
      }
    }
  })
})

describe('timingsProblem()', () => {
  it.each([
    ['the defaults', 15, 10, 2, undefined],
    ['a lease that ends with the deadline', 10, 10, 2, 'the lease duration must be greater than the renew deadline'],
    ['a deadline shorter than a jittered retry', 15, 2, 2, 'the renew deadline must be greater than 1.2 times the retry period'],
    ['a lease of less than a second', 0.9, 0.5, 0.1, 'the lease duration must be at least one second'],
    ['no retry period', 15, 10, 0, 'the retry period must be greater than zero'],
  ])('%s', (_name, lease, renew, retry, problem) => {
    expect(timingsProblem({ leaseDurationMs: lease * 1000, renewDeadlineMs: renew * 1000, retryPeriodMs: retry * 1000 })).toBe(problem)
  })
})
