import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../base/random.ts'
import type { TestCluster } from '../library/cluster-api.ts'
import { checkSeed, runSwarm } from './swarm.ts'
import { endlessDelay, planSwarm, type SwarmAction, type SwarmPlan, type SwarmStep } from './swarm-plan.ts'
import { Draws, drawSpec } from './swarm-specs.ts'

// `rollcall swarm` tries thousands of seeds; these few find a mistake early.
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

  // Pods that never end or never start are left as they are: the swarm then asks of each rollout that it has completed, or has
  // passed its deadline and says what it waits for.
  const stuckSeeds = seeds.map((seed) => 1000 + seed)
  it(`finds every rollout completed or past its deadline in ${stuckSeeds.length} runs`, {
    timeout: 60_000 + seeds.length * 5000,
  }, async () => {
    const failed: string[] = []
    for (const seed of stuckSeeds) {
      const { failure } = await runSwarm({ ...planSwarm(seed), releasesPods: false })
      if (failure !== undefined) failed.push(failure)
    }
    expect(failed).toEqual([])
  })

  const step = (action: SwarmAction, thenMs = 30_000): SwarmStep => ({ ...action, thenMs })
  const web = (spec: object) =>
    step({
      do: 'apply',
      kind: 'deployment',
      name: 'web',
      spec: { ...drawSpec.deployment(new Draws(seededRandom(1)), 'web').spec, ...spec },
    })
  const stuck: SwarmPlan = {
    seed: 1,
    nodes: 1,
    interleave: false,
    releasesPods: false,
    steps: [
      web({ replicas: 2, progressDeadlineSeconds: 30, podReplacementPolicy: 'TerminationComplete', terminatingAsActive: null }),
      step({ do: 'stick pod', pick: 0, isDeleted: false }),
      step({ do: 'scale', kind: 'deployment', name: 'web', replicas: 1 }),
      step({ do: 'image', kind: 'deployment', name: 'web', image: 'app:2', startDelay: endlessDelay }),
    ],
  }

  it('accepts a rollout that has passed its deadline, and not one that has none', async () => {
    expect((await runSwarm(stuck)).failure).toBeUndefined()
    const [first, ...others] = stuck.steps
    const endless = { ...stuck, steps: [web({ replicas: 2, progressDeadlineSeconds: 2_147_483_647 }), ...others] }
    expect(first).toBeDefined()
    expect((await runSwarm(endless)).failure).toMatch(/^Deployment web is for 1, and has .*; Progressing is undefined/)
  })

  it('reduces a failure to the steps that it needs, and prints how to replay it', async () => {
    const plan = planSwarm(30)
    expect(plan.steps.length).toBeGreaterThan(3)
    // No controller runs, whatever the steps are.
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
