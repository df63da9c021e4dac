// What an object waits for, as data and in one line: the part that all kinds share.
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type {
  ControllerRevision,
  CoreEvent,
  KubernetesObject,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  Stored,
} from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import type { PlanReasons } from '../../controllers/deployment/plan/reasons.ts'
import { evictionMarksOf } from '../../controllers/eviction/plan/eviction-marks.ts'
import { describeEviction } from '../../controllers/eviction/plan/evictions.ts'
import { causeOfPod, type PodCause } from './pod-cause.ts'
import { newestWarning } from './warnings.ts'

/** What surrounds the explained object. The lists are those of its namespace, and all nodes; what may not be read is empty. */
export interface Surroundings {
  readonly pods: readonly Stored<Pod>[]
  readonly replicaSets: readonly Stored<ReplicaSet>[]
  readonly revisions: readonly Stored<ControllerRevision>[]
  readonly claims: readonly Stored<PersistentVolumeClaim>[]
  readonly budgets: readonly Stored<PodDisruptionBudget>[]
  readonly nodes: readonly Stored<Node>[]
  /** Events of type Warning. */
  readonly warnings: readonly Stored<CoreEvent>[]
  readonly gates: FeatureGates
  readonly nowMs: number
}

export interface Explanation {
  readonly format: 'rollcall.explain/1'
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly explainedAt: string
  /** Whether nothing is left to do. */
  readonly isComplete: boolean
  /** In one line. */
  readonly cause: string
  /** What its controller was called when it last wrote the status. */
  readonly controller?: string
  /** Of a Deployment: the numbers of `account`. */
  readonly reasons?: PlanReasons
  /** The counts that decide, as a sentence. */
  readonly account: string
  /** The next writes of its controller. */
  readonly next: readonly string[]
  /** Where a Deployment has no policy: what it would do with TerminationComplete, or how many pods the pacer would admit now. */
  readonly underTerminationComplete?: { readonly account: string; readonly next: readonly string[]; readonly admittedByPacer: number }
  /** The pods that it waits for, and why. */
  readonly pods: readonly PodCause[]
  /** Evictions that wait until their pods are replaced. */
  readonly evictions: readonly string[]
  /** Budgets that allow no eviction now. */
  readonly budgets: readonly string[]
  /** Why pods could not be created or deleted. */
  readonly refusals: readonly string[]
}

/** What the planner of a kind says. */
export interface Facts {
  readonly kind: string
  readonly object: Stored<KubernetesObject>
  /** That of its status. Absent for kinds whose controllers do not report it. */
  readonly observedGeneration?: number
  readonly account: string
  readonly next: readonly string[]
  /** The pods of the object that have not ended, and those that have and keep its controller from replacing them. */
  readonly own: readonly Stored<Pod>[]
  readonly minReadySeconds: number
  readonly refusals: readonly string[]
  /** Why its controller does nothing, or waits for something other than pods. */
  readonly halt?: string
  /** What all of it is for, such as `a scale to 3 is pending: `. */
  readonly purpose?: string
  /** Whether the next step waits for terminating pods. */
  waitsForTerminating(found: FoundPods): boolean
  /** When nothing is left to do, such as `it is complete`. */
  readonly complete: string
  /** Whether the pods and refusals do not decide that something is left to do. */
  readonly isDone: boolean
}

interface FoundPods {
  readonly terminating: readonly PodCause[]
  readonly unavailable: readonly PodCause[]
}

export function explanationOf(facts: Facts, surroundings: Surroundings): Explanation {
  const { kind, object, account, next, refusals, isDone } = facts
  const { namespace = '', name } = object.metadata
  const { own } = facts
  const found = findPods(own, facts.minReadySeconds, surroundings)
  const evictions = waitingEvictions(name, own)
  const budgets = blockingBudgets(surroundings, own)
  const controller = statusManager(object)
  return {
    format: 'rollcall.explain/1',
    kind,
    namespace,
    name,
    explainedAt: formatTime(surroundings.nowMs),
    isComplete: isDone && found.terminating.length + found.unavailable.length + refusals.length === 0,
    cause: causeOf(facts, found, [...evictions, ...budgets], drainedNodes(surroundings, own)),
    ...(controller !== undefined && { controller }),
    account,
    next,
    pods: [...found.terminating, ...found.unavailable],
    evictions,
    budgets,
    refusals,
  }
}

/** The first cause that keeps the object from being complete; for a complete one, what else stands out. */
function causeOf(facts: Facts, found: FoundPods, blocking: readonly string[], drained: readonly string[]): string {
  const { kind, object, observedGeneration, halt, refusals, next, complete, purpose = '' } = facts
  const { generation = 0 } = object.metadata
  if (observedGeneration !== undefined && observedGeneration < generation)
    return `the ${kind} controller has not observed generation ${generation} yet (it has observed ${observedGeneration})`
  if (halt !== undefined) return halt
  if (refusals.length > 0) return refusals[0]!
  const { terminating, unavailable } = found
  if (terminating.length > 0 && facts.waitsForTerminating(found))
    return `${purpose}it waits for ${podsText(terminating.length, 'terminating')}: ${listed(terminating)}`
  if (unavailable.length > 0) return `${purpose}it waits for ${podsText(unavailable.length, 'unavailable')}: ${listed(unavailable)}`
  if (next.length > 0) return `${purpose}it is about to ${next.join(', ')}`
  if (terminating.length > 0)
    return `${complete}; ${podsText(terminating.length, 'terminating')} still ${terminating.length === 1 ? 'exists' : 'exist'}: ${listed(terminating)}`
  if (blocking.length > 0)
    return `${complete}; ${drained.length > 0 ? `the drain of node ${drained.join(', ')} waits: ` : ''}${blocking[0]}`
  return complete
}

function findPods(own: readonly Stored<Pod>[], minReadySeconds: number, { nodes, warnings, nowMs }: Surroundings): FoundPods {
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]))
  const source = {
    nodeOf: (pod: Pod) => byName.get(pod.spec?.nodeName ?? ''),
    warningOf: (pod: Stored<Pod>) => newestWarning(warnings, pod.metadata.uid),
    minReadySeconds,
    nowMs,
  }
  const causes = own.flatMap((pod) => causeOfPod(pod, source) ?? []).sort((a, b) => (a.pod < b.pod ? -1 : 1))
  return {
    terminating: causes.filter(({ state }) => state === 'terminating'),
    unavailable: causes.filter(({ state }) => state === 'unavailable'),
  }
}

export const podsText = (count: number, kind = ''): string => `${count} ${kind}${kind && ' '}${count === 1 ? 'pod' : 'pods'}`

export const staysText = (count: number): string => `${podsText(count, 'older')} ${count === 1 ? 'stays' : 'stay'}`

const maxNamed = 2

export function listed(pods: readonly PodCause[]): string {
  const named = pods.slice(0, maxNamed).map(({ pod, because }) => `${pod} (${because.join('; ')})`)
  return `${named.join(', ')}${pods.length > maxNamed ? ` and ${pods.length - maxNamed} more` : ''}`
}

const maxWrites = 3

/** `create pod web-1, create pod web-2`, or, of many: `create 7 pods`. */
export const writesText = (verb: string, names: readonly string[]): readonly string[] =>
  names.length > maxWrites ? [`${verb} ${names.length} pods`] : names.map((name) => `${verb} pod ${name}`)

/** Pods that Rollcall's controllers, or the pacer, replace before they are evicted. */
const waitingEvictions = (name: string, pods: readonly Stored<Pod>[]): readonly string[] =>
  pods.flatMap((pod) => {
    const { requestedMs, replacing, answer } = evictionMarksOf(pod)
    if (requestedMs === undefined || answer !== undefined || pod.metadata.deletionTimestamp !== undefined) return []
    return [`the eviction of pod ${pod.metadata.name} is ${describeEviction(replacing !== undefined, name)}`]
  })

function blockingBudgets({ budgets }: Surroundings, pods: readonly Stored<Pod>[]): readonly string[] {
  return budgets.flatMap(({ metadata, spec, status }) => {
    const requirements = selectorRequirements(spec?.selector)
    if (status?.disruptionsAllowed !== 0 || requirements === undefined) return []
    const isOurs = (pod: Stored<Pod>) => pod.metadata.namespace === metadata.namespace && matchesLabels(requirements, pod.metadata.labels)
    if (!pods.some(isOurs)) return []
    return [
      `PodDisruptionBudget ${metadata.name} allows no eviction now: ${status.currentHealthy} of ${status.expectedPods} pods are healthy, and ${status.desiredHealthy} must be`,
    ]
  })
}

/** Nodes that are cordoned and still have such pods. */
const drainedNodes = ({ nodes }: Surroundings, pods: readonly Stored<Pod>[]): readonly string[] =>
  nodes
    .filter(({ spec, metadata }) => spec?.unschedulable === true && pods.some((pod) => pod.spec?.nodeName === metadata.name))
    .map(({ metadata }) => metadata.name)

/** The field manager that wrote the status last. */
function statusManager({ metadata: { managedFields = [] } }: Stored<KubernetesObject>): string | undefined {
  const writers = managedFields.filter(({ subresource }) => subresource === 'status')
  return writers.sort((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1))[0]?.manager
}
