import { describe, expect, it } from 'vitest'
import type { TestCluster } from './cluster-api.ts'
import { checkSeed, runSwarm } from './swarm.ts'
import { planSwarm } from './swarm-plan.ts'

// Thousands are tried with `rollcall swarm`; these are to tell early.
const seeds = Array.from({ length: 24 }, (_, index) => index + 1)

describe('swarm', () => {
  it(`holds what must hold under ${seeds.length} seeds`, { timeout: 60_000 + seeds.length * 5000 }, async () => {
    const failed: string[] = []
    for (const seed of seeds)
      await checkSeed(seed).catch((error: Error) => {
        failed.push(error.message)
      })
    expect(failed).toEqual([])
  })

  it('cuts a failure down to what it takes, and tells how to replay it', async () => {
    const plan = planSwarm(30)
    expect(plan.steps.length).toBeGreaterThan(3)
    // Nobody works, whatever the steps are.
    const sabotage = { afterStart: (cluster: TestCluster) => cluster.stopControllers() }
    const message = await checkSeed(30, sabotage).then(
      () => 'all is well',
      (error: Error) => error.message,
    )
    expect(message).toMatch(/^Seed 30 fails: /)
    expect(message).toMatch(/Replay it with: rollcall swarm --seed 30$/)
    expect(message.split('\n').filter((line) => line.startsWith('  {"do":'))).toEqual([expect.stringContaining('"do":"apply"')])
  })

  it('gives the same trace for the same seed, and another for another', async () => {
    const traceOf = async (seed: number) => (await runSwarm(planSwarm(seed))).trace
    expect(await traceOf(3)).toEqual(await traceOf(3))
    expect(await traceOf(3)).not.toEqual(await traceOf(4))
  })
})
