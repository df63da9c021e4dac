import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { differencesBetween } from '../record/compared-measures.ts'
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

const measureRun = async (plan: Plan, policy: Policy, isExact: boolean, seed = 1) =>
  ({ measures: measureTrace((await runOnce({ plan: { ...plan, isExact }, policy, seed })).trace).measures }) as Outcome

describe('an approximate run', () => {
  it.each<[number, Policy]>([
    [120, 'None'],
    [120, 'TerminationComplete'],
    [250, 'None'],
  ])('of %i replicas under %s is within 2 percent of the exact one', { timeout: 60_000 }, async (replicas, policy) => {
    const plan = await planOf(replicas)
    const differences = differencesBetween(await measureRun(plan, policy, true), await measureRun(plan, policy, false))
    expect(differences).toHaveLength(6)
    expect(differences.filter(({ error }) => Math.abs(error) > 0.02)).toEqual([])
  })

  it.each<[number, Policy]>([
    [120, 'None'],
    [120, 'TerminationComplete'],
    [250, 'TerminationComplete'],
  ])('of %i replicas that take seconds under %s is within 4 percent of the exact one', { timeout: 60_000 }, async (replicas, policy) => {
    const plan = await planOf(replicas, 1, quick)
    const differences = differencesBetween(await measureRun(plan, policy, true), await measureRun(plan, policy, false))
    expect(differences).toHaveLength(6)
    expect(differences.filter(({ error }) => Math.abs(error) > 0.04)).toEqual([])
  })

  it('with random times is on average neither longer nor shorter than the exact one', { timeout: 120_000 }, async () => {
    const plan = await planOf(120, 1, { startup: '5s±2s', stop: '8s±4s' })
    const seeds = [1, 2, 3, 4]
    const mean = async (isExact: boolean) => {
      const outcomes = await Promise.all(seeds.map((seed) => measureRun(plan, 'TerminationComplete', isExact, seed)))
      return outcomes.reduce((sum, { measures }) => sum + measures.podSeconds, 0) / seeds.length
    }
    expect(Math.abs((await mean(false)) / (await mean(true)) - 1)).toBeLessThan(0.02)
  })

  it('says what is approximated', async () => {
    expect(approximationsOf(await planOf(100))).toEqual([])
    expect(approximationsOf(await planOf(120))).toEqual(['pods change on a grid of 250ms (--exact: on none)'])
    expect(approximationsOf({ ...(await planOf(120)), isExact: true })).toEqual([])
  })
})
