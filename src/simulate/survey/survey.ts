// Which rollouts of a cluster overshoot: every workload is restarted in a simulation of its own, on the nodes and beside the pods that the
// cluster has now. The cluster is only read.
import { daemonSets, deployments, statefulSets } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { defined } from '../../base/defined.ts'
import { messageOf } from '../../base/error-message.ts'
import { milliValue, parseQuantity } from '../../base/quantity.ts'
import type { Client } from '../../client/client.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import { LiveObjectReader, type LiveObjects } from '../live/live-object-reader.ts'
import { InputError } from '../rollout/input-error.ts'
import { makePlan, type PlanRequest } from '../rollout/make-plan.ts'
import type { Plan, Target } from '../rollout/plan.ts'
import type { Measures, Series } from '../rollout/result.ts'
import type { RunAnswer } from '../rollout/run-task.ts'
import { type Job, type RunTasksOptions, runEach } from '../rollout/run-tasks.ts'
import { isNeighbourPod } from '../rollout/workload-kinds.ts'
import { createScopeClient } from './scope-client.ts'

export interface SurveyedWorkload extends Target {
  readonly cap: number
  readonly peakPods: number
  readonly peakOverCap: number
  /** Pods beyond the cap, times the seconds for which they are there. */
  readonly podSecondsOverCap: number
  /** What an autoscaler would add at most. Absent: the nodes could not be read. */
  readonly nodesAdded?: number
  readonly nodeMinutesAdded?: number
  /** Of these nodes. Absent: no price is given. */
  readonly cost?: number
  readonly availableAfterMs?: number
  readonly lowestAvailability?: number
  /** Why it does not complete. */
  readonly stuck?: readonly string[]
}

export interface Survey {
  readonly format: 'rollcall.survey/1'
  /** The furthest over its cap first: by pods over the cap and time, then by nodes. */
  readonly workloads: readonly SurveyedWorkload[]
  /** Workloads that cannot be simulated, and why. */
  readonly failed: readonly (Target & { readonly reason: string })[]
  /** What was read, assumed and left out. */
  readonly notes: readonly string[]
}

interface SurveyRequest extends Pick<PlanRequest, 'startup' | 'stop' | 'timing' | 'within' | 'seed'> {
  readonly client: Client
  readonly server: string
  /** Undefined: all. */
  readonly namespace: string | undefined
  readonly now: string
  /** Of one node for an hour. */
  readonly nodePrice?: number | undefined
}

const surveyedKinds: readonly Kind[] = [deployments, statefulSets, daemonSets]
/** More nodes than this hardly change where the pods of one workload find room. */
const maxNodes = 60
const maxAddedNodes = 1000

export async function surveyCluster(request: SurveyRequest, options: RunTasksOptions = {}): Promise<Survey> {
  const client = createScopeClient(request.client, request.namespace)
  const found = (await Promise.all(surveyedKinds.map((kind) => listWorkloads(client, request, kind)))).flat()
  const running = found.filter(({ object }) => (object as { readonly spec?: { readonly replicas?: number } }).spec?.replicas !== 0)
  if (running.length === 0) {
    const where = request.namespace === undefined ? '' : ` in namespace ${request.namespace}`
    throw new InputError(`There are no workloads with pods${where}: no Deployment, StatefulSet or DaemonSet.`)
  }
  const failed: (Target & { readonly reason: string })[] = []
  const jobs: (Job & { readonly target: Target })[] = []
  const learned = new Set<Target>()
  const notes = new Set<string>()
  for (const { kind, object } of running) {
    const { name, namespace = '' } = object.metadata
    const target = { kind: kind.kind, namespace, name }
    try {
      const reader = new LiveObjectReader(client, request.server)
      await reader.readWorkloads(`${kind.kind.toLowerCase()}/${name}`, namespace)
      await reader.readNodes(true)
      await reader.readQuotas()
      const live = reader.result(request.now)
      if (Object.keys(live.timings).length > 0) learned.add(target)
      for (const note of live.notes) if (note.startsWith('without ')) notes.add(note)
      jobs.push({
        target,
        plan: await planRestart(request, live),
        task: { policy: 'None', seed: request.seed ?? 1, isDrawn: true, isTraced: false },
      })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      failed.push({ ...target, reason: messageOf(error) })
    }
  }
  const workloads: SurveyedWorkload[] = []
  await runEach(
    jobs,
    options,
    (index, answer) => workloads.push(surveyed(jobs[index]!.target, jobs[index]!.plan, answer, request.nodePrice)),
    (index, error) => {
      if (!(error instanceof InputError)) throw error
      failed.push({ ...jobs[index]!.target, reason: error.message.replace(`${error.place?.source}: `, '') })
    },
  )
  const idle = found.length - running.length
  return {
    format: 'rollcall.survey/1',
    workloads: workloads.sort(byOvershoot),
    failed,
    notes: [
      `the cluster is as it was at ${request.now}`,
      ...startNote(request, learned.size, jobs.length),
      ...stopNote(request),
      ...(idle === 0
        ? []
        : [`${idle} of the workloads ${idle === 1 ? 'has' : 'have'} no replicas, and ${idle === 1 ? 'is' : 'are'} left out`]),
      ...notes,
    ],
  }
}

const startNote = ({ startup }: SurveyRequest, learned: number, all: number): string[] =>
  startup !== undefined
    ? []
    : [
        `pods of ${learned} of ${all} workloads take as long to start as those of the cluster did${learned < all ? ', others 5s±2s and the delays of their probes' : ''} (--startup)`,
      ]

const stopNote = ({ stop, timing }: SurveyRequest): string[] =>
  stop !== undefined || timing !== undefined
    ? []
    : [
        'pods stop a second after a preStop hook that only sleeps, and otherwise within a third of their grace period (--stop, or --timing with a file of rollcall record -A --learn)',
      ]

async function listWorkloads(client: Client, { server, namespace }: SurveyRequest, kind: Kind) {
  try {
    const { items } = await client.list(kind, namespace === undefined ? {} : { namespace })
    // Objects that a controller created belong to another workload.
    return items
      .filter(({ metadata }) => controllerOf({ metadata }) === undefined)
      .map((object): { kind: Kind; object: Stored<KubernetesObject> } => ({ kind, object }))
  } catch (error) {
    throw new InputError(
      isStatusError(error) ? `Cannot read ${kind.plural}: ${error.message}` : `Cannot read from ${server}: ${messageOf(error)}`,
    )
  }
}

async function planRestart(request: SurveyRequest, live: Omit<LiveObjects, 'hasPolicies'>): Promise<Plan> {
  const { startup, stop, timing, within, seed } = request
  const nodes = live.nodes && nearestNodes(live.nodes, live)
  const kept = new Set(nodes?.map(({ nodeName }) => nodeName))
  const isKept = (object: KubernetesObject) =>
    !isNeighbourPod(object) || kept.has((object as { readonly spec?: { readonly nodeName?: string } }).spec?.nodeName)
  const plan = await makePlan({
    given: live.sources.filter(({ objects }) => objects.every(isKept)),
    givenNodes: nodes,
    givenTimings: live.timings,
    inProgress: live.inProgress,
    files: [],
    to: ['restart'],
    scale: [],
    policies: 'None',
    ...defined({ startup, stop, timing, within, seed }),
    faults: [],
    expect: [],
    command: '',
  })
  if (nodes === undefined || live.newNode === undefined) return plan
  return {
    ...plan,
    nodes: [{ ...live.newNode, name: 'added', count: 0 }, ...nodes],
    autoscale: { min: 0, max: maxAddedNodes, others: nodes.length },
  }
}

/** Of many nodes, those that have pods of the workload, and those with the most room. */
function nearestNodes(nodes: readonly NodeGroup[], { ownNodes }: Pick<LiveObjects, 'ownNodes'>): readonly NodeGroup[] {
  if (nodes.length <= maxNodes) return nodes
  const own = nodes.filter(({ nodeName }) => ownNodes.has(nodeName ?? ''))
  const others = nodes.filter(({ nodeName }) => !ownNodes.has(nodeName ?? ''))
  const cpuOf = ({ cpu = '0' }: NodeGroup) => milliValue(parseQuantity(cpu) ?? { nano: 0n, format: 'DecimalSI' })
  return [...own, ...others.sort((a, b) => cpuOf(b) - cpuOf(a)).slice(0, Math.max(0, maxNodes - own.length))]
}

function surveyed(target: Target, { autoscale }: Plan, answer: RunAnswer, nodePrice: number | undefined): SurveyedWorkload {
  const { measures, series } = answer.measured as { readonly measures: Measures; readonly series: Series }
  const { cap, peakPods, peakOverCap, peakNodes, nodeMinutes, availableAfterMs, lowestAvailability } = measures
  const before = autoscale?.others
  const nodeMinutesAdded = before === undefined ? undefined : Math.max(0, nodeMinutes - (before * answer.endMs) / 60_000)
  return {
    ...target,
    cap,
    peakPods,
    peakOverCap,
    podSecondsOverCap: podSecondsOverCap(series),
    ...(before !== undefined && { nodesAdded: peakNodes - before }),
    ...defined({
      nodeMinutesAdded,
      cost: nodePrice === undefined || nodeMinutesAdded === undefined ? undefined : (nodeMinutesAdded / 60) * nodePrice,
      availableAfterMs,
      lowestAvailability,
      stuck: answer.unrest,
    }),
  }
}

/** Pods that wait for the pacer take no room. */
export function podSecondsOverCap({ times, layers, cap }: Series): number {
  const shown = layers.filter(({ state }) => state !== 'waiting')
  let sum = 0
  for (const [index, atMs] of times.entries()) {
    const over = shown.reduce((pods, { values }) => pods + values[index]!, 0) - cap[index]!
    sum += (Math.max(0, over) * ((times[index + 1] ?? atMs) - atMs)) / 1000
  }
  return sum
}

const byOvershoot = (a: SurveyedWorkload, b: SurveyedWorkload): number =>
  b.podSecondsOverCap - a.podSecondsOverCap ||
  (b.nodesAdded ?? 0) - (a.nodesAdded ?? 0) ||
  Number(b.stuck !== undefined) - Number(a.stuck !== undefined) ||
  b.peakPods - a.peakPods ||
  (nameOf(a) < nameOf(b) ? -1 : 1)

export const nameOf = ({ kind, namespace, name }: Target): string => `${kind.toLowerCase()}/${namespace}/${name}`
