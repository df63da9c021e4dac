// One run: a cluster of its own, in virtual time, under one policy and one seed.

import { coreEvents, namespaces } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import {
  type Autoscale,
  type Change,
  type ClusterContent,
  startVirtualCluster,
  type VirtualCluster,
} from '../../cluster/virtual-cluster.ts'
import { usualStartMs, VirtualClock } from '../virtual-clock.ts'
import { mayShareBeginning } from './beginning.ts'
import { InputError } from './input-error.ts'
import { formatLength } from './lengths.ts'
import { type ActionType, allObjects, mostPods, type Plan, type PlannedAutoscaling, type PlannedStep } from './plan.ts'
import { TraceRecorder } from './record-trace.ts'
import type { Policy } from './result.ts'
import { applyObjects, runAction, type Stage } from './run-steps.ts'
import { TickingClock, tickFor } from './ticking-clock.ts'
import type { Trace } from './trace.ts'

export interface Run {
  readonly trace: Trace
  /** Why it had not settled when its time was over, or which Job failed, a line each. */
  readonly unrest?: readonly string[]
  /** What was not as a step of the plan expects it. */
  readonly breaches: readonly string[]
  /** The time of the cluster at which the trace begins. */
  readonly zeroMs: number
}

export interface RunOptions {
  readonly plan: Plan
  readonly policy: Policy
  readonly seed: number
  /** Called now and then with how far it has come, from 0 to 1. */
  onProgress?(share: number): void
  /** Whether its outcome is no longer wanted: then it rejects soon. */
  isGivenUp?(): boolean
  /** Every write of the run, also before the trace begins. */
  onWrite?(change: Change, nowMs: number): void
  /** Whether all is written that a cluster would write. Absent: where steps look at objects. What is measured does not depend on it. */
  readonly tellsAll?: boolean
  /** Whether the trace has events. Nothing else depends on it. Absent: it has. */
  readonly hasEvents?: boolean
}

const startUpLimitMs = 600_000
/** Rest counts when it lasts: what a step sets off may take a moment to show. */
const restMs = 1000
/** A node that is silent is noticed after 40 s, and its pods are given up 5 min later. */
const silentNodeMs = 420_000
const dayMs = 86_400_000
const usualIdleAfterMs = 600_000
/** The autoscaler looks at its nodes now and then, and lets their pods go first. */
const idleSlackMs = 120_000
const unseenTickMs = 10_000
/** About so many writes for each replica that is replaced: enough to tell how far it has come. */
const writesForEach = 18
const briefWritesForEach = 8
const toldEvery = 1024

const faultTypes = new Set<ActionType>(['evict', 'crash', 'drain', 'uncordon', 'node-down', 'node-up'])

export async function runOnce(options: RunOptions): Promise<Run> {
  const { plan, policy, seed, onProgress, onWrite, tellsAll = false, hasEvents = true } = options
  const manner = { tellsAll }
  const beginning = await readBeginning(plan, policy, manner)
  const started = await startRun({ plan, policy, seed, ...manner, hasEvents, beginning })
  const { clock, nodesClock, cluster, recorder, stage } = started
  let failure: Error | undefined
  const expected = Math.max(1, mostPods(plan)) * (reportsEssentialsOnly(plan, tellsAll) ? briefWritesForEach : writesForEach)
  let seen = 0
  const take = (change: Change) => {
    if (++seen % toldEvery === 0) onProgress?.(Math.min(0.99, seen / expected))
    onWrite?.(change, clock.now())
    recorder.take(change.kind.plural, change.verb, () => change.object, clock.now())
  }
  if (beginning !== undefined) for (const change of cluster.readAll()) take(change)
  cluster.onChange(take)

  try {
    await clock.runUntilSettled(cluster.startControllers(), startUpLimitMs)
    await clock.settle()
    const steps = plan.steps.filter(({ policies }) => policies === undefined || policies.includes(policy))
    const shownTickMs = tickFor(mostPods(plan))
    if (plan.steps.length === 0) {
      nodesClock.tickMs = shownTickMs
      recorder.begin(clock.now())
      await applyFirst(started, plan)
    } else {
      if (beginning === undefined) await comeUp(started, plan)
      await clock.advance(restMs)
      recorder.begin(clock.now())
      nodesClock.tickMs = shownTickMs
    }

    const zeroMs = clock.now()
    let left = steps.length
    let movedAtMs = zeroMs
    const play = async (step: PlannedStep) => {
      if (step.action.type !== 'check') recorder.step(step.text, faultTypes.has(step.action.type), clock.now())
      try {
        await runAction(stage, step.action)
      } catch (error) {
        failure ??=
          error instanceof InputError || step.place === undefined ? (error as Error) : new InputError((error as Error).message, step.place)
      }
      left--
      movedAtMs = Math.max(movedAtMs, clock.now() + (step.action.type === 'node-down' ? silentNodeMs : 0))
    }
    // At the same time: in the order of the plan.
    for (const step of steps) clock.after(step.atMs, () => void play(step))
    const limitMs = zeroMs + plan.withinMs
    const isOver = () => {
      if (options.isGivenUp?.()) failure ??= new Error('nobody wants to know any more')
      if (failure !== undefined) return true
      if (left > 0 || !recorder.isAtRest || clock.now() < movedAtMs + restMs) return false
      // A node that is left over is paid for until it goes.
      const { autoscale } = plan
      if (autoscale === undefined || recorder.nodeCount <= autoscale.min) return true
      return clock.now() >= recorder.changedAtMs + (autoscale.idleAfterMs ?? usualIdleAfterMs) + idleSlackMs
    }
    clock.after(restMs, () => {})
    const lastMs = Math.max(0, ...steps.map(({ atMs }) => atMs))
    clock.after(lastMs + restMs, () => {})
    let isAtRest = await clock.runUntil(isOver, limitMs)
    if (failure !== undefined) throw failure
    if (!isAtRest) {
      await clock.advanceTo(limitMs)
      isAtRest = isOver()
    }
    const trace = recorder.end(clock.now(), plan.title, policy)
    const unrest = isAtRest ? recorder.failedJobs : recorder.describeUnrest(clock.now(), `, after ${formatLength(plan.withinMs)}`)
    return { trace, breaches: stage.breaches, zeroMs, ...(unrest.length > 0 && { unrest }) }
  } finally {
    await clock.runUntilSettled(cluster.stop())
  }
}

interface Started {
  readonly clock: VirtualClock
  readonly nodesClock: TickingClock
  readonly recorder: TraceRecorder
  readonly cluster: VirtualCluster
  readonly stage: Stage
}

interface StartOptions extends Pick<RunOptions, 'plan' | 'policy' | 'seed' | 'tellsAll' | 'hasEvents'> {
  readonly beginning: Beginning | undefined
}

async function startRun({ plan, policy, seed, tellsAll, hasEvents, beginning }: StartOptions): Promise<Started> {
  const clock = new VirtualClock({ startMs: beginning?.atMs ?? usualStartMs, isClosed: true })
  const nodesClock = new TickingClock(clock)
  const recorder = new TraceRecorder()
  const cluster = await startVirtualCluster({
    clock,
    nodesClock,
    seed,
    gates: defaultFeatureGates,
    nodes: plan.nodes,
    ...(beginning && { content: beginning.content }),
    ...(plan.autoscale !== undefined && { autoscale: autoscaleOf(plan.nodes, plan.autoscale) }),
    // Only a node that can fall silent has to be heard of.
    heartbeats: hasNodeFaults(plan) ? { leaseMs: 10_000, statusMs: 300_000 } : { leaseMs: dayMs, statusMs: dayMs },
    isRecorded: (kind, reason) =>
      kind === 'Pod' ? reason === 'FailedMount' : toldAlways.has(reason) || (hasEvents === true && !podReasons.has(reason)),
    wrapClient: (client) => withEventsTo(recorder, client, clock),
    reportsEssentialsOnly: reportsEssentialsOnly(plan, tellsAll),
    onFailure: () => {},
  })
  return { clock, nodesClock, recorder, cluster, stage: { cluster, clock, recorder, policy, timing: plan.timing, breaches: [] } }
}

/** Where a quota refuses pods, how long one waits until the next try depends on every look. */
const reportsEssentialsOnly = (plan: Plan, tellsAll = false) => !tellsAll && !hasChecks(plan) && !hasQuota(plan)

/** Makes the objects of the plan. */
async function applyFirst({ clock, cluster, stage }: Started, plan: Plan): Promise<void> {
  await clock.runUntilSettled(createNamespaces(cluster.client, plan), plan.withinMs)
  await clock.runUntilSettled(applyObjects(stage, plan.objects), plan.withinMs)
}

/** Until everything is there. Nobody looks at how it came up: only that it did. */
async function comeUp(started: Started, plan: Plan): Promise<void> {
  started.nodesClock.tickMs = Math.max(tickFor(mostPods(plan)), unseenTickMs)
  await applyFirst(started, plan)
  await rest(started, plan)
}

/** From what has come up without a policy: now with the one of these runs. */
async function takeOver(started: Started, plan: Plan): Promise<void> {
  const { clock, stage } = started
  const deployments = plan.objects.filter(({ object }) => object.kind === 'Deployment')
  await clock.runUntilSettled(applyObjects(stage, deployments), plan.withinMs)
  await rest(started, plan)
}

async function rest({ clock, recorder }: Started, plan: Plan): Promise<void> {
  if (!(await clock.runUntil(() => recorder.isAtRest, clock.now() + plan.withinMs)))
    throw new InputError(
      `it never comes up, so there is nothing to change: ${recorder.describeUnrest(clock.now(), `, after ${formatLength(plan.withinMs)}`).join('; ')}`,
      plan.scenario ?? plan.objects[0]?.place,
    )
}

/** What the runs of a plan under one policy have in common: all that is there before the first step. */
interface Beginning {
  readonly content: ClusterContent
  readonly atMs: number
}

type Manner = Pick<RunOptions, 'tellsAll'>

/** By policy; under '' what has come up without one, from which the others go on. */
type Beginnings = Map<Policy | '', Promise<Beginning | undefined>>

const known = new WeakMap<Plan, Beginnings>()
/** No run has it: what is drawn later is drawn anew. */
const beginningSeed = 3_000_000_000

/** Undefined: each run has a beginning of its own. */
function readBeginning(plan: Plan, policy: Policy, manner: Manner): Promise<Beginning | undefined> {
  if (!mayShareBeginning(plan)) return Promise.resolve(undefined)
  const isUsual = !manner.tellsAll
  const beginnings: Beginnings = (isUsual && known.get(plan)) || new Map()
  if (isUsual) known.set(plan, beginnings)
  const remember = (name: Policy | '', make: () => Promise<Beginning | undefined>) => {
    const made = beginnings.get(name) ?? make()
    beginnings.set(name, made)
    return made
  }
  return remember(policy, async () => {
    const plain = await remember('', () => makeBeginning({ plan, policy: 'None', ...manner, beginning: undefined }, comeUp))
    return plain && makeBeginning({ plan, policy, ...manner, beginning: plain }, takeOver)
  })
}

/** Undefined: pods came and went meanwhile, so that a policy could have made a difference. */
async function makeBeginning(
  options: Omit<StartOptions, 'seed' | 'hasEvents'>,
  live: (started: Started, plan: Plan) => Promise<void>,
): Promise<Beginning | undefined> {
  const started = await startRun({ ...options, seed: beginningSeed, hasEvents: false })
  const { clock, cluster, recorder } = started
  const take = (change: Change) => recorder.take(change.kind.plural, change.verb, () => change.object, clock.now())
  if (options.beginning !== undefined) for (const change of cluster.readAll()) take(change)
  cluster.onChange(take)
  try {
    await clock.runUntilSettled(cluster.startControllers(), startUpLimitMs)
    await clock.settle()
    await live(started, options.plan)
    if (options.beginning === undefined) await clock.advance(restMs)
    return recorder.hasLostPods ? undefined : { content: cluster.readContent(), atMs: clock.now() }
  } finally {
    await clock.runUntilSettled(cluster.stop())
  }
}

/** The first group is the one that grows and shrinks. */
const autoscaleOf = (nodes: Plan['nodes'], { min, max, ...delays }: PlannedAutoscaling): Autoscale => ({
  groups: [{ node: nodes[0] ?? {}, min, max }],
  ...delays,
})

/** Steps that look at objects at a moment: somebody has thought of every write. */
const hasChecks = ({ steps }: Plan) => steps.some(({ action }) => action.type === 'check')

const hasQuota = (plan: Plan) => allObjects(plan).some(({ object }) => object.kind === 'ResourceQuota')

const hasNodeFaults = ({ steps }: Plan) => steps.some(({ action }) => action.type === 'node-down')

async function createNamespaces(client: Client, plan: Plan): Promise<void> {
  const objects = allObjects(plan)
  const own = new Set(objects.filter(({ object }) => object.kind === 'Namespace').map(({ object }) => object.metadata?.name))
  const names = new Set(objects.map(({ object }) => object.metadata?.namespace))
  for (const name of names) {
    if (name === undefined || own.has(name)) continue
    try {
      await client.create(namespaces, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error
    }
  }
}

/**
 * Events go to the trace and to nobody else: what is drawn for objects does not depend on whether somebody wants to read
 * them. Those about single pods would be half of all that is written.
 */
function withEventsTo(recorder: TraceRecorder, client: Client, clock: Clock): Client {
  const written = new Map<string, KubernetesObject>()
  const tell = (verb: 'create' | 'update', name: string, event: KubernetesObject) => {
    written.set(name, event)
    recorder.take(coreEvents.plural, verb, () => event as Stored<KubernetesObject>, clock.now())
    return Promise.resolve(event as never)
  }
  return {
    ...client,
    create(resource, namespace, object, options) {
      if (resource.plural !== coreEvents.plural) return client.create(resource, namespace, object, options)
      return tell('create', object.metadata?.name ?? '', object)
    },
    patch(resource, ref, type, patch, options) {
      if (resource.plural !== coreEvents.plural) return client.patch(resource, ref, type, patch, options)
      return tell('update', ref.name, { ...written.get(ref.name), ...(patch as object) })
    },
  }
}

/** They may be all that says why a workload has no pods. */
const toldAlways = new Set(['FailedCreate'])
/** Of ReplicaSets and other owners, about each pod that they make and remove. */
const podReasons = new Set(['SuccessfulCreate', 'SuccessfulDelete'])
