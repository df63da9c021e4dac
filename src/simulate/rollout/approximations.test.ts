import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { differencesBetween } from '../record/compared-measures.ts'
import { compareRollout, planRollout } from '../swarm/swarm-rollout.ts'
import { approximationsOf } from './approximations.ts'
import { makePlan } from './make-plan.ts'
import { measureTrace } from './measure.ts'
import type { Plan } from './plan.ts'
import type { Outcome, Policy } from './result.ts'
import { runOnce } from './run-once.ts'

const web = fileURLToPath(new URL('../../../examples/simulate/web.yaml', import.meta.url))
// Off the grid, and without a spread: which pod gets a longer time is random, not approximate.
const slow = { startup: '20370ms', stop: '40610ms' }
const quick = { startup: '3170ms', stop: '5410ms' }
const planOf = (replicas: number, runs = 1, times = slow) =>
  makePlan({
    files: [web],
    to: ['image=example/web:2'],
    scale: [],
    ...times,
    faults: [],
    runs,
    expect: [],
    command: '',
  }).then((plan) => ({
    ...plan,
    objects: plan.objects.map((one) => ({
      ...one,
      object: { ...one.object, spec: { ...(one.object as { spec?: object }).spec, replicas } },
    })),
    nodes: [{ count: 10, cpu: '64', memory: '256Gi', pods: 250 }],
  }))

const withStartup = (plan: Plan, startup: string): Plan => ({ ...plan, timing: { ...plan.timing, startup } })

const measureRun = async (plan: Plan, policy: Policy, isExact: boolean, seed = 1) =>
  ({ measures: measureTrace((await runOnce({ plan, policy, seed, isExact })).trace).measures }) as Outcome

describe('an approximate run', () => {
  it.each<[number, Policy]>([
    [60, 'None'],
    [60, 'TerminationComplete'],
    [250, 'None'],
  ])('of %i replicas under %s is within 2 percent of the exact one', { timeout: 60_000 }, async (replicas, policy) => {
    const plan = await planOf(replicas)
    const differences = differencesBetween(await measureRun(plan, policy, true), await measureRun(plan, policy, false))
    expect(differences).toHaveLength(6)
    expect(differences.filter(({ error }) => Math.abs(error) > 0.02)).toEqual([])
  })

  it.each<[number, Policy]>([
    [60, 'None'],
    [60, 'TerminationComplete'],
    [250, 'TerminationComplete'],
  ])('of %i replicas that take seconds under %s is within 4 percent of the exact one', { timeout: 60_000 }, async (replicas, policy) => {
    const plan = await planOf(replicas, 1, quick)
    const differences = differencesBetween(await measureRun(plan, policy, true), await measureRun(plan, policy, false))
    expect(differences).toHaveLength(6)
    expect(differences.filter(({ error }) => Math.abs(error) > 0.04)).toEqual([])
  })

  it('with random times is on average neither longer nor shorter than the exact one', { timeout: 60_000 }, async () => {
    const plan = await planOf(40, 1, { startup: '5s±2s', stop: '8s±4s' })
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
    const mean = async (isExact: boolean) => {
      const outcomes = await Promise.all(seeds.map((seed) => measureRun(plan, 'TerminationComplete', isExact, seed)))
      return outcomes.reduce((sum, { measures }) => sum + measures.podSeconds, 0) / seeds.length
    }
    expect(Math.abs((await mean(false)) / (await mean(true)) - 1)).toBeLessThan(0.02)
  })

  it('says what is approximated', async () => {
    expect(approximationsOf(await planOf(10), false)).toEqual([])
    expect(approximationsOf(await planOf(60, 5), true)).toEqual([
      'pods change on a grid of 250ms',
      'nodes report only the pod states that other components act on',
      'all runs start with the same pods on the same nodes',
    ])
  })
})

describe('compareRollout()', () => {
  it('finds no difference in random rollouts', async () => {
    for (const seed of [10, 20, 30]) expect(await compareRollout(seed)).toBeUndefined()
  })

  it('finds no difference where pods are deleted at the moment at which they are created', async () => {
    expect(await compareRollout(1_004_040)).toBeUndefined()
  })

  it('finds no difference where random choices decide on the time: exact runs take 93 s or 96 s', async () => {
    expect(await compareRollout(1_006_280)).toBeUndefined()
  })

  it('finds a difference from all exact runs', async () => {
    const slower: typeof runOnce = (options) => runOnce(options.isExact ? options : { ...options, plan: withStartup(options.plan, '40s') })
    expect(await compareRollout(30, { run: slower })).toMatch(
      /^rollcall simulate differs from the exact run under \S+: availableAfterMs \d+/,
    )
  })

  it('plans the same for a seed, and other rollouts for others', () => {
    expect(planRollout(7)).toEqual(planRollout(7))
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => JSON.stringify(planRollout(seed).plan.objects))).size).toBe(8)
  })
})
