// One run: a new cluster in virtual time, with one policy and one seed.

import { coreEvents, namespaces } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { defaultStartMs, VirtualClock } from '../../base/virtual-clock.ts'
import type { Client } from '../../client/client.ts'
import { type Autoscale, type Change, startVirtualCluster, type VirtualCluster } from '../../cluster/virtual-cluster.ts'
import { describeRefusals } from './drain-nodes.ts'
import { InputError } from './input-error.ts'
import { formatLength } from './lengths.ts'
import { LoadedRun } from './load/loaded-run.ts'
import { type ActionType, allObjects, defaultWithinMs, maxPods, type Plan, type PlannedAutoscaling, type PlannedStep } from './plan.ts'
import { TraceRecorder } from './record-trace.ts'
import { isPaced, type Policy } from './result.ts'
import { applyObjects, runAction, type Stage } from './run-steps.ts'
import { tickOf } from './timer-tick.ts'
import type { Trace } from './trace.ts'
import { isWorkload } from './workload-kinds.ts'

export interface Run {
  readonly trace: Trace
  /** Why it had not settled in time, or which Job failed. */
  readonly unrest?: readonly string[]
  /** Checks of the plan that failed. */
  readonly breaches: readonly string[]
  /** The cluster time at which the trace starts. */
  readonly zeroMs: number
}

export interface RunOptions {
  readonly plan: Plan
  readonly policy: Policy
  readonly seed: number
  /** Called from time to time with the progress, from 0 to 1. */
  onProgress?(share: number): void
  /** Whether the run is cancelled: then it rejects soon. */
  isCancelled?(): boolean
  /** Called for every write of the run, also before the trace starts. */
  onWrite?(change: Change, nowMs: number): void
}

const startUpLimitMs = 600_000
/** A settled state counts when it lasts: the effects of a step may take a moment. */
const settledMs = 1000
/** A node without heartbeats is noticed after 50 s, and its pods are evicted 5 min later. */
const lostNodeMs = 420_000
const dayMs = 86_400_000
const defaultIdleAfterMs = 600_000
/** The autoscaler checks its nodes from time to time, and evicts their pods first. */
const idleSlackMs = 120_000
/** The approximate number of writes for each replaced replica, for the progress. */
const writesPerReplica = 15
const progressEvery = 1024

const faultTypes = new Set<ActionType>(['evict', 'crash', 'drain', 'drain-nodes', 'uncordon', 'node-down', 'node-up'])

export async function runOnce(options: RunOptions): Promise<Run> {
  const { plan, policy, onProgress, onWrite } = options
  const started = await startRun(options)
  const { clock, cluster, recorder, stage, load } = started
  let failure: Error | undefined
  const expected = Math.max(1, maxPods(plan)) * writesPerReplica
  let seen = 0
  cluster.onChange((change) => {
    if (++seen % progressEvery === 0) onProgress?.(Math.min(0.99, seen / expected))
    onWrite?.(change, clock.now())
    load.take(change)
    recorder.take(change.kind.plural, change.verb, () => change.object, clock.now())
  })

  try {
    await startParts(started, policy)
    const steps = plan.steps.filter(({ policies }) => policies === undefined || policies.includes(policy))
    // Jobs end: what happens to their pods has to happen while they run.
    if (plan.steps.length === 0 || hasOnlyJobs(plan)) {
      recorder.begin(clock.now())
      load.begin(recorder)
      await applyFirst(started, plan)
    } else {
      await comeUp(started, plan)
      await clock.advance(settledMs)
      recorder.begin(clock.now())
      load.begin(recorder)
    }

    const zeroMs = clock.now()
    let left = steps.length
    const underWay = new Set<PlannedStep>()
    let movedAtMs = zeroMs
    const play = async (step: PlannedStep) => {
      if (step.action.type !== 'check') recorder.step(step.text, faultTypes.has(step.action.type), clock.now())
      underWay.add(step)
      try {
        await runAction(stage, step.action)
      } catch (error) {
        const hasPlace = error instanceof InputError && error.place !== undefined
        failure ??= hasPlace || step.place === undefined ? (error as Error) : new InputError((error as Error).message, step.place)
      }
      left--
      underWay.delete(step)
      movedAtMs = Math.max(movedAtMs, clock.now() + (step.action.type === 'node-down' ? lostNodeMs : 0))
    }
    // Steps at the same time run in the order of the plan.
    for (const step of steps) clock.after(step.atMs, () => void play(step))
    const limitMs = zeroMs + plan.withinMs
    const isOver = () => {
      if (options.isCancelled?.()) failure ??= new Error('the run was cancelled')
      if (failure !== undefined) return true
      if (left > 0 || !recorder.isSettled || !load.isSteady || clock.now() < movedAtMs + settledMs) return false
      // An unneeded node costs until it is removed.
      const { autoscale } = plan
      if (autoscale === undefined || recorder.nodeCount <= autoscale.min + (autoscale.others ?? 0)) return true
      return clock.now() >= recorder.changedAtMs + (autoscale.idleAfterMs ?? defaultIdleAfterMs) + idleSlackMs
    }
    clock.after(settledMs, () => {})
    const lastMs = Math.max(0, ...steps.map(({ atMs }) => atMs))
    clock.after(lastMs + settledMs, () => {})
    let isSettled = await clock.runUntil(isOver, limitMs)
    if (failure !== undefined) throw failure
    if (!isSettled) {
      await clock.advanceTo(limitMs)
      isSettled = isOver()
    }
    const recorded = recorder.end(clock.now(), plan.title, policy)
    const trace: Trace = plan.autoscale === undefined ? recorded : { ...recorded, hasAutoscaledNodes: true }
    const when = `, after ${formatLength(plan.withinMs)}`
    const why = describeRefusals(stage.refusals)
    const refused = [...underWay].map(({ text }) => `"${text}" has not ended${when}: ${why}`)
    const unrest = isSettled ? recorder.failedJobs : [...recorder.describeUnsettled(clock.now(), when), ...refused]
    return { trace, breaches: stage.breaches, zeroMs, ...(unrest.length > 0 && { unrest }) }
  } finally {
    await clock.runUntilSettled(cluster.stop())
  }
}

interface Started {
  readonly clock: VirtualClock
  readonly recorder: TraceRecorder
  readonly cluster: VirtualCluster
  readonly stage: Stage
  readonly load: LoadedRun
}

async function startRun({ plan, policy, seed }: RunOptions): Promise<Started> {
  const clock = new VirtualClock({ startMs: defaultStartMs, isClosed: true })
  const recorder = new TraceRecorder()
  const load = new LoadedRun(plan.loads ?? [], clock)
  const cluster = await startVirtualCluster({
    clock,
    timerTickMs: tickOf(plan),
    ...(isPaced(policy) && { pacerAdmission: 'all' as const }),
    seed,
    gates: defaultFeatureGates,
    nodes: plan.nodes,
    ...(plan.autoscale !== undefined && { autoscale: autoscaleOf(plan.nodes, plan.autoscale) }),
    // Only nodes that may fail need heartbeats.
    heartbeats: hasNodeFaults(plan) ? { leaseMs: 10_000, statusMs: 300_000 } : { leaseMs: dayMs, statusMs: dayMs },
    isRecorded: (kind, reason) => (kind === 'Pod' ? reason === 'FailedMount' : !podReasons.has(reason)),
    wrapClient: (client) => withEventsTo(recorder, client, clock),
    usage: load.usage,
    onFailure: () => {},
  })
  const { timing, timings, autoscaled = [] } = plan
  const stage = { cluster, clock, recorder, policy, timing, ...(timings && { timings }), autoscaled, breaches: [], refusals: new Map() }
  return { clock, recorder, cluster, load, stage }
}

async function startParts({ clock, cluster }: Started, policy: Policy): Promise<void> {
  await clock.runUntilSettled(cluster.startControllers(), startUpLimitMs)
  if (isPaced(policy)) await clock.runUntilSettled(cluster.startPacer().synced, startUpLimitMs)
  await clock.settle()
}

/** How long the objects may take to become available before the change. `--within` is about the change, which may be much shorter. */
const comeUpLimitMs = ({ withinMs }: Plan) => Math.max(withinMs, defaultWithinMs)

/** Creates the objects of the plan. */
async function applyFirst({ clock, cluster, stage }: Started, plan: Plan): Promise<void> {
  await clock.runUntilSettled(createNamespaces(cluster.client, plan), comeUpLimitMs(plan))
  await clock.runUntilSettled(applyObjects(stage, plan.objects), comeUpLimitMs(plan))
}

/** Creates the objects, and waits until all are available. This phase is not measured. */
async function comeUp(started: Started, plan: Plan): Promise<void> {
  await applyFirst(started, plan)
  const { clock, recorder, load } = started
  const limitMs = comeUpLimitMs(plan)
  if (!(await clock.runUntil(() => recorder.isSettled && load.isSteady, clock.now() + limitMs)))
    throw new InputError(
      `it never becomes available, so there is nothing to change: ${recorder.describeUnsettled(clock.now(), `, after ${formatLength(limitMs)}`).join('; ')}`,
      plan.scenario ?? plan.objects[0]?.place,
    )
}

/** The autoscaler scales the first group. */
const autoscaleOf = (nodes: Plan['nodes'], { min, max, others: _, ...delays }: PlannedAutoscaling): Autoscale => ({
  groups: [{ node: nodes[0] ?? {}, min, max }],
  ...delays,
})

const hasOnlyJobs = ({ objects }: Plan) => objects.filter(isWorkload).every(({ object }) => object.kind === 'Job')

const hasNodeFaults = ({ steps }: Plan) => steps.some(({ action }) => action.type === 'node-down')

async function createNamespaces(client: Client, plan: Plan): Promise<void> {
  const objects = allObjects(plan)
  const own = new Set(objects.filter(({ object }) => object.kind === 'Namespace').map(({ object }) => object.metadata?.name))
  const names = new Set(objects.map(({ object }) => object.metadata?.namespace))
  for (const name of names) {
    if (name === undefined || own.has(name)) continue
    await ignoring('AlreadyExists', client.create(namespaces, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  }
}

/**
 * Events go to the trace, not to the store: random choices must not depend on whether events are recorded. Events about single
 * pods would be half of all writes.
 */
function withEventsTo(recorder: TraceRecorder, client: Client, clock: Clock): Client {
  const written = new Map<string, KubernetesObject>()
  const record = (verb: 'create' | 'update', name: string, event: KubernetesObject) => {
    written.set(name, event)
    recorder.take(coreEvents.plural, verb, () => event as Stored<KubernetesObject>, clock.now())
    return Promise.resolve(event as never)
  }
  return {
    ...client,
    create(resource, namespace, object, options) {
      if (resource.plural !== coreEvents.plural) return client.create(resource, namespace, object, options)
      return record('create', object.metadata?.name ?? '', object)
    },
    patch(resource, ref, type, patch, options) {
      if (resource.plural !== coreEvents.plural) return client.patch(resource, ref, type, patch, options)
      return record('update', ref.name, { ...written.get(ref.name), ...(patch as object) })
    },
  }
}

/** Events of owners about each pod that they create and delete. */
const podReasons = new Set(['SuccessfulCreate', 'SuccessfulDelete'])
