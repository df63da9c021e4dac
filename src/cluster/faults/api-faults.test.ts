import { describe, expect, it } from 'vitest'
import { pods } from '../../api/kinds.ts'
import { realClock } from '../../base/clock.ts'
import { seededRandom } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { type ApiFault, ApiFaults, withApiFaults } from './api-faults.ts'

const refusing = (more: Partial<ApiFault> = {}): ApiFault => ({ delayMs: 0, code: 503, share: 1, ...more })

describe('ApiFaults', () => {
  for (const [name, fault, isMet] of [
    ['all requests', {}, true],
    ['those of a verb', { verbs: ['get', 'create'] }, true],
    ['not those of other verbs', { verbs: ['list'] }, false],
    ['those of a kind', { plurals: ['pods'] }, true],
    ['not those of other kinds', { plurals: ['jobs'] }, false],
    ['those of a client, by how its name begins', { agents: ['kubectl'] }, true],
    ['not those of other clients', { agents: ['helm'] }, false],
    ['no share of them', { share: 0 }, false],
  ] as const)
    it(`meets ${name}`, () => {
      const faults = new ApiFaults(seededRandom(1))
      faults.add(refusing(fault))
      expect(faults.judge({ verb: 'create', plural: 'pods', agent: 'kubectl/v1.36' })?.error?.status.code).toBe(isMet ? 503 : undefined)
    })

  it('affects about the requested share', () => {
    const faults = new ApiFaults(seededRandom(1))
    faults.add(refusing({ share: 0.1 }))
    const met = Array.from({ length: 2000 }, () => faults.judge({ verb: 'get', plural: 'pods', agent: 'x' })).filter(
      (fault) => fault !== undefined,
    )
    expect(met.length).toBeGreaterThan(150)
    expect(met.length).toBeLessThan(250)
  })

  for (const [code, reason] of [
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
  ] as const)
    it(`refuses with ${code}`, () => {
      const faults = new ApiFaults(seededRandom(1))
      faults.add(refusing({ code }))
      const error = faults.judge({ verb: 'get', plural: 'pods', agent: 'x' })?.error
      expect(error?.status).toMatchObject({ code, reason })
      expect([faults.hasRefused(error), faults.hasRefused(new Error('x')), faults.hasRefused('x')]).toEqual([true, false, false])
    })

  it('adds delays up, and ends with the fault', () => {
    const faults = new ApiFaults(seededRandom(1))
    const slow = { delayMs: 20, share: 1 }
    faults.add(slow)
    faults.add({ delayMs: 30, share: 1 })
    expect(faults.judge({ verb: 'get', plural: 'pods', agent: 'x' })).toEqual({ delayMs: 50 })
    faults.delete(slow)
    expect(faults.judge({ verb: 'get', plural: 'pods', agent: 'x' })).toEqual({ delayMs: 30 })
  })
})

describe('withApiFaults()', () => {
  it('refuses calls and watches in this process, and lets others through', async () => {
    const faults = new ApiFaults(seededRandom(1))
    const inner = { get: async () => 'got', watch: () => () => {} } as unknown as Client
    const client = withApiFaults(inner, 'kubelet', faults, realClock)
    expect(await client.get(pods, { name: 'a' })).toBe('got')
    faults.add(refusing({ agents: ['kubelet'] }))
    await expect(client.get(pods, { name: 'a' })).rejects.toThrow('unable to handle the request')
    const ended = new Promise((resolve) => client.watch(pods, { resourceVersion: '1' }, { onEvents() {}, onEnd: resolve }))
    expect(String(await ended)).toContain('unable to handle the request')
  })
})
