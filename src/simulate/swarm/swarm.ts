// Runs what a seed plans, with everything checked that must always hold, and makes a failure as short as it can.
import type { TestCluster } from '../library/cluster-api.ts'
import { createCluster } from '../library/test-cluster.ts'
import { findGated, findUnfinished } from './swarm-outcome.ts'
import { planSwarm, type SwarmPlan } from './swarm-plan.ts'
import { applyStep, calm } from './swarm-steps.ts'

interface SwarmResult {
  readonly plan: SwarmPlan
  readonly trace: readonly string[]
  /** Absent: all is well. */
  readonly failure?: string
}

/** For tests of the swarm itself. */
interface SwarmOptions {
  /** Stands between the plan and the run. */
  afterStart?(cluster: TestCluster): Promise<void> | void
}

/** No object of a cluster this small is written this often at one time, unless the writes never end. */
const maxWritesAtOnce = 500
/** The maximum time to settle. */
const maxWrites = 20_000

export async function runSwarm(plan: SwarmPlan, { afterStart }: SwarmOptions = {}): Promise<SwarmResult> {
  const { seed, nodes, interleave, steps, releasesPods, hasPacer } = plan
  const cluster = await createCluster({
    seed,
    nodes,
    interleave,
    heartbeat: '10m',
    maxWritesAtOnce,
    ...(hasPacer && { pacer: 'all' as const }),
  })
  try {
    await afterStart?.(cluster)
    for (const step of steps) {
      await applyStep(cluster, step)
      await cluster.advance(step.thenMs)
    }
    await calm(cluster, plan)
    // A creation that a quota refused is tried again after some minutes.
    const hadQuota = steps.some((step) => step.do === 'quota' && step.pods !== undefined)
    // An evicted pod is taken for gone for two minutes, and so is one that has its name meanwhile.
    const hadBudget = steps.some((step) => step.do === 'budget')
    // Deadlines, at most 200 s, must have passed where something never ends.
    const quiet = hadQuota ? '20m' : !releasesPods ? '4m' : hadBudget ? '3m' : '1m'
    await cluster.settle({ within: '6h', quiet, maxWrites })
    const unfinished = [...(await findUnfinished(cluster, { mayWait: !releasesPods })), ...(await findGated(cluster))]
    return { plan, trace: cluster.trace(), ...(unfinished.length > 0 && { failure: unfinished.join('; ') }) }
  } catch (error) {
    return { plan, trace: cluster.trace(), failure: (error as Error).message }
  } finally {
    // What stopping finds wrong has been found before.
    await cluster.stop().catch(() => {})
  }
}

/** Leaves out every step without which it fails all the same. */
async function shrinkSwarm(plan: SwarmPlan, options: SwarmOptions = {}): Promise<SwarmPlan> {
  let shortest = plan
  for (let at = plan.steps.length - 1; at >= 0; at--) {
    const shorter = { ...shortest, steps: shortest.steps.filter((_, index) => index !== at) }
    if ((await runSwarm(shorter, options)).failure !== undefined) shortest = shorter
  }
  return shortest
}

/** One seed, as a test wants it. Rejects with the failure, the shortest way to it, and the command that replays it. */
export async function checkSeed(seed: number, options: SwarmOptions = {}): Promise<SwarmResult> {
  const result = await runSwarm(planSwarm(seed), options)
  if (result.failure === undefined) return result
  const shortest = await shrinkSwarm(result.plan, options)
  const steps = shortest.steps.map((step) => `\n  ${JSON.stringify(step)}`).join('')
  throw new Error(
    `Seed ${seed} fails: ${result.failure}\nThe shortest way to a failure, with ${shortest.nodes} nodes:${steps}\n` +
      `Replay it with: rollcall swarm --seed ${seed}`,
  )
}

/** What a seed plans, step by step, and whether it passes: for the same reasons as in `checkSeed`. */
export async function replaySeed(seed: number, options: SwarmOptions = {}): Promise<Omit<SwarmResult, 'plan'>> {
  const { trace } = await runSwarm(planSwarm(seed), options)
  const failure = await checkSeed(seed, options).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { trace, ...(failure !== undefined && { failure }) }
}
