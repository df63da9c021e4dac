// Runs what a seed plans, with everything checked that must always hold, and makes a failure as short as it can.
import { isStatusError } from '../api/status-error.ts'
import type { Deployment, StatefulSet, Stored } from '../api/types.ts'
import type { TestCluster } from './cluster-api.ts'
import { findLeftBehind } from './invariants.ts'
import { planSwarm, type SwarmPlan, type SwarmStep, type WorkloadKind } from './swarm-plan.ts'
import { createCluster } from './testing.ts'

export interface SwarmResult {
  readonly plan: SwarmPlan
  readonly trace: readonly string[]
  /** Absent: all is well. */
  readonly failure?: string
}

export interface SwarmOptions {
  /** Stands between the plan and the run, for tests of the swarm itself. */
  afterStart?(cluster: TestCluster): Promise<void> | void
}

const apiVersions: Readonly<Record<WorkloadKind, string>> = {
  deployment: 'apps/v1',
  replicaset: 'apps/v1',
  statefulset: 'apps/v1',
  daemonset: 'apps/v1',
  job: 'batch/v1',
  cronjob: 'batch/v1',
}
const kindNames: Readonly<Record<WorkloadKind, string>> = {
  deployment: 'Deployment',
  replicaset: 'ReplicaSet',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
  job: 'Job',
  cronjob: 'CronJob',
}

export async function runSwarm(plan: SwarmPlan, { afterStart }: SwarmOptions = {}): Promise<SwarmResult> {
  const { seed, nodes, interleave, steps } = plan
  const cluster = await createCluster({ seed, nodes, interleave, heartbeat: '10m' })
  try {
    await afterStart?.(cluster)
    for (const step of steps) {
      await applyStep(cluster, step)
      await cluster.advance(step.thenMs)
    }
    await calm(cluster, nodes)
    // A creation that a quota refused is tried again after some minutes.
    const hadQuota = steps.some((step) => step.do === 'quota' && step.pods !== undefined)
    // An evicted pod is taken for gone for two minutes, and so is one that has its name meanwhile.
    const hadBudget = steps.some((step) => step.do === 'budget')
    await cluster.settle({ within: '6h', quiet: hadQuota ? '20m' : hadBudget ? '3m' : '1m' })
    const unfinished = await findUnfinished(cluster)
    return { plan, trace: cluster.trace(), ...(unfinished.length > 0 && { failure: unfinished.join('; ') }) }
  } catch (error) {
    return { plan, trace: cluster.trace(), failure: (error as Error).message }
  } finally {
    // What stopping finds wrong has been found before.
    await cluster.stop().catch(() => {})
  }
}

/** What people do may come too late, or be refused; that is no failure of the cluster. */
async function applyStep(cluster: TestCluster, step: SwarmStep): Promise<void> {
  try {
    await applyAction(cluster, step)
  } catch (error) {
    if (!['NotFound', 'TooManyRequests', 'Invalid', 'Conflict'].some((reason) => isStatusError(error, reason))) throw error
  }
}

async function applyAction(cluster: TestCluster, step: SwarmStep): Promise<void> {
  switch (step.do) {
    case 'apply': {
      const { kind, name, spec } = step
      await cluster.apply({ apiVersion: apiVersions[kind], kind: kindNames[kind], metadata: { name }, spec })
      return
    }
    case 'scale':
      return cluster.scale(step.kind, step.name, step.replicas)
    case 'image': {
      const patch = { spec: { template: { spec: { containers: [{ name: 'c', image: step.image }] } } } }
      await cluster.patch(step.kind, step.name, patch, { type: 'strategic' })
      return
    }
    case 'hold':
    case 'go on':
      return applyHold(cluster, step.kind, step.name, step.do === 'hold')
    case 'budget': {
      const spec = { maxUnavailable: step.maxUnavailable, selector: { matchLabels: { app: step.name } } }
      await cluster.apply({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: step.name }, spec })
      return
    }
    case 'quota':
      return applyQuota(cluster, step.pods)
    case 'delete':
      return cluster.delete(step.kind, step.name, { propagationPolicy: 'Background' })
    case 'delete pod':
    case 'evict pod': {
      const pods = await cluster.list('pod')
      const name = pods[step.pick % Math.max(1, pods.length)]?.metadata.name
      if (name === undefined) return
      return step.do === 'evict pod' ? cluster.evict(name) : cluster.delete('pod', name)
    }
    case 'restart controllers':
      await cluster.stopControllers()
      return cluster.startControllers()
    case 'crash controllers':
      await cluster.crashControllers()
      return cluster.startControllers()
    case 'fail writes':
      return cluster.failNextWrites(step.count, { applied: step.applied })
    case 'slow down':
      return cluster.delay({ calls: step.callsMs, watches: step.watchesMs })
    case 'stop node':
      return cluster.stopNode(step.name)
    case 'start node':
      return cluster.startNode(step.name)
  }
}

async function applyHold(cluster: TestCluster, kind: 'deployment' | 'job' | 'cronjob', name: string, isHeld: boolean): Promise<void> {
  await cluster.patch(kind, name, { spec: kind === 'deployment' ? { paused: isHeld } : { suspend: isHeld } })
}

/** More than there can be. */
const manyPods = 10_000

async function applyQuota(cluster: TestCluster, pods: number | undefined): Promise<void> {
  if (pods === undefined) return cluster.delete('resourcequota', 'limit')
  const spec = { hard: { pods: String(pods) } }
  await cluster.apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'limit' }, spec })
}

/** No more faults, and nothing in the way: from here on everything must come right by itself. */
async function calm(cluster: TestCluster, nodes: number): Promise<void> {
  // It goes on counting.
  if ((await cluster.list('resourcequota')).length > 0) await applyQuota(cluster, manyPods)
  for (const { metadata } of await cluster.list('cronjob')) await applyHold(cluster, 'cronjob', metadata.name, true)
  for (const { metadata } of await cluster.list('deployment')) await applyHold(cluster, 'deployment', metadata.name, false)
  for (const { metadata, spec } of await cluster.list('job'))
    if (spec?.suspend === true) await applyHold(cluster, 'job', metadata.name, false)
  cluster.failNextWrites(0)
  cluster.delay({ calls: 0, watches: 0 })
  for (let index = 1; index <= nodes; index++) cluster.startNode(`node-${index}`)
}

async function findUnfinished(cluster: TestCluster): Promise<string[]> {
  const found: string[] = []
  const check = (kind: string, { metadata, spec, status }: Stored<Deployment> | Stored<StatefulSet>) => {
    const wanted = spec?.replicas ?? 1
    const is = [status?.replicas ?? 0, status?.readyReplicas ?? 0, status?.updatedReplicas ?? 0]
    if (is.some((count) => count !== wanted))
      found.push(`${kind} ${metadata.name} is for ${wanted}, and has ${is[0]}, ${is[1]} ready, ${is[2]} updated`)
  }
  for (const deployment of await cluster.list('deployment')) check('Deployment', deployment)
  for (const { metadata, spec, status } of await cluster.list('replicaset'))
    if ((status?.readyReplicas ?? 0) !== (spec?.replicas ?? 1))
      found.push(`ReplicaSet ${metadata.name} is for ${spec?.replicas}, and has ${status?.readyReplicas ?? 0} ready`)
  for (const set of await cluster.list('statefulset')) check('StatefulSet', set)
  for (const { metadata, status } of await cluster.list('daemonset'))
    if (status?.numberReady !== status?.desiredNumberScheduled)
      found.push(`DaemonSet ${metadata.name} is ready on ${status?.numberReady} of ${status?.desiredNumberScheduled} nodes`)
  for (const { metadata, status } of await cluster.list('job'))
    if (!status?.conditions?.some(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True'))
      found.push(`Job ${metadata.name} has not ended: ${JSON.stringify(status)}`)
  const all = async (...kinds: readonly string[]) => (await Promise.all(kinds.map((kind) => cluster.list(kind)))).flat()
  const owned = await all('pod', 'replicaset', 'job', 'controllerrevision')
  found.push(...findLeftBehind(owned, await all('deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'cronjob')))
  return found
}

/** Leaves out every step without which it fails all the same. */
export async function shrinkSwarm(plan: SwarmPlan, options: SwarmOptions = {}): Promise<SwarmPlan> {
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
