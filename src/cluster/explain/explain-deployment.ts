// What a Deployment waits for, and what happens next: by the planner of the Deployment controller, from the objects of any cluster. Pure.
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, DeploymentPodReplacementPolicy, Node, Pod, PodDisruptionBudget, ReplicaSet, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { groupBy } from '../../base/maps.ts'
import { planDeployment } from '../../controllers/deployment/plan/deployment.ts'
import { describeReasons, type PlanReasons } from '../../controllers/deployment/plan/reasons.ts'
import { sortSets } from '../../controllers/deployment/plan/replica-sets.ts'
import type { DeploymentSnapshot } from '../../controllers/deployment/plan/snapshot.ts'
import { sortUncounted } from '../../controllers/deployment/plan/strays.ts'
import { isTerminal } from '../../controllers/shared/plan/pod-state.ts'
import { causeOfPod, type PodCause } from './pod-cause.ts'

export interface ExplainSource {
  readonly deployment: Stored<Deployment>
  /** All of these are those of its namespace, and all nodes. */
  readonly replicaSets: readonly Stored<ReplicaSet>[]
  readonly pods: readonly Stored<Pod>[]
  readonly budgets: readonly Stored<PodDisruptionBudget>[]
  readonly nodes: readonly Stored<Node>[]
  readonly gates: FeatureGates
  readonly nowMs: number
}

export interface Explanation {
  readonly format: 'rollcall.explain/1'
  readonly kind: 'Deployment'
  readonly namespace: string
  readonly name: string
  readonly explainedAt: string
  /** Whether nothing is left to do. */
  readonly isComplete: boolean
  /** In one line. */
  readonly cause: string
  /** What its controller was called when it last wrote the status. */
  readonly controller?: string
  readonly reasons: PlanReasons
  /** The same as a sentence. */
  readonly account: string
  /** The next writes of the Deployment controller. */
  readonly next: readonly string[]
  /** Where the Deployment has no policy: what it would do with TerminationComplete, or how many pods the pacer would admit now. */
  readonly underTerminationComplete?: { readonly account: string; readonly next: readonly string[]; readonly admittedByPacer: number }
  /** The pods that it waits for, and why. */
  readonly pods: readonly PodCause[]
  /** Budgets that allow no eviction now. */
  readonly budgets: readonly string[]
  /** Why ReplicaSets could not create or delete pods. */
  readonly refusals: readonly string[]
}

export function explainDeployment(source: ExplainSource): Explanation {
  const { deployment, nowMs, gates } = source
  const { namespace = '', name } = deployment.metadata
  const snapshot = snapshotOf(source)
  const plan = planDeployment(snapshot, nowMs)
  const reasons = plan.reasons!
  const own = [...snapshot.replicaSets.flatMap(({ metadata }) => snapshot.podsOf(metadata.uid) as readonly Stored<Pod>[])]
  const strays = snapshot.strays as readonly Stored<Pod>[]
  const nodes = new Map(source.nodes.map((node) => [node.metadata.name, node]))
  const podSource = {
    nodeOf: (pod: Pod) => nodes.get(pod.spec?.nodeName ?? ''),
    minReadySeconds: deployment.spec?.minReadySeconds ?? 0,
    nowMs,
  }
  const causes = [...own, ...strays].filter((pod) => !isTerminal(pod)).flatMap((pod) => causeOfPod(pod, podSource) ?? [])
  const pods = [...causes].sort((a, b) => rank(a) - rank(b) || (a.pod < b.pod ? -1 : 1))
  const refusals = refusalsOf(snapshot)
  const budgets = blockingBudgets(source, own)
  const next = nextOf(plan)
  const found = { plan, reasons, snapshot, pods, refusals, budgets, drained: drainedNodes(source, own) }
  const controller = statusManager(deployment)
  const other = reasons.policy === undefined && gates.DeploymentPodReplacementPolicy ? underTerminationComplete(snapshot, nowMs) : undefined
  return {
    format: 'rollcall.explain/1',
    kind: 'Deployment',
    namespace,
    name,
    explainedAt: formatTime(nowMs),
    isComplete: isSettled(found),
    cause: causeOf(found),
    ...(controller !== undefined && { controller }),
    reasons,
    account: describeReasons(reasons),
    next,
    ...(other !== undefined && { underTerminationComplete: other }),
    pods,
    budgets,
    refusals,
  }
}

const rank = ({ state }: PodCause) => (state === 'terminating' ? 0 : 1)

function snapshotOf({ deployment, replicaSets, pods, gates }: ExplainSource): DeploymentSnapshot {
  const own = replicaSets.filter((set) => controllerOf(set)?.uid === deployment.metadata.uid)
  const byOwner = groupBy(pods, (pod) => controllerOf(pod)?.uid)
  const uids = new Set(replicaSets.map(({ metadata }) => metadata.uid))
  const podsOf = (uid: string) => byOwner.get(uid) ?? []
  return {
    deployment,
    replicaSets: own,
    podsOf,
    podCountOf: (uid) => podsOf(uid).length,
    deletedPodsOf: (uid) => podsOf(uid).filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
    ...sortUncounted(
      deployment,
      pods.filter((pod) => !uids.has(controllerOf(pod)?.uid ?? '')),
    ),
    gates,
    countTerminatingPods: own.some(({ status }) => status?.terminatingReplicas === undefined),
  }
}

type Plan = ReturnType<typeof planDeployment>

const nextOf = ({ actions, reasons }: Plan): readonly string[] => actions.flatMap((action) => nextText(action, reasons) ?? [])

function nextText(action: Plan['actions'][number], reasons: PlanReasons | undefined): string | undefined {
  if (action.action === 'update-deployment') return 'roll the template back'
  const { metadata, spec } = action.replicaSet
  const name = metadata?.name ?? ''
  if (action.action === 'create-set') return `create ReplicaSet ${name} with ${spec?.replicas ?? 1} replicas`
  if (action.action === 'delete-set') return `delete ReplicaSet ${name}, which is beyond revisionHistoryLimit`
  const size = reasons?.sizes.find((one) => one.name === name)
  return size && `scale ReplicaSet ${name} from ${size.before} to ${size.after}`
}

function underTerminationComplete(snapshot: DeploymentSnapshot, nowMs: number): Explanation['underTerminationComplete'] {
  const policy: DeploymentPodReplacementPolicy = 'TerminationComplete'
  const deployment = { ...snapshot.deployment, spec: { ...snapshot.deployment.spec!, podReplacementPolicy: policy } }
  const plan = planDeployment({ ...snapshot, deployment }, nowMs)
  if (plan.reasons === undefined) return undefined
  const { replicas, surge } = plan.reasons
  const existing = snapshot.replicaSets.flatMap(({ metadata }) => snapshot.podsOf(metadata.uid))
  const admitted = [...existing, ...snapshot.strays].filter((pod) => !isTerminal(pod) && (pod.spec?.schedulingGates ?? []).length === 0)
  const admittedByPacer = Math.max(0, replicas + surge - admitted.length)
  return { account: describeReasons(plan.reasons), next: nextOf(plan), admittedByPacer }
}

/** The conditions of ReplicaSets that could not create or delete pods, such as those of a quota. */
const refusalsOf = ({ replicaSets }: DeploymentSnapshot): readonly string[] =>
  replicaSets.flatMap(({ metadata, status }) => {
    const failure = status?.conditions?.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')
    return failure === undefined ? [] : [`ReplicaSet ${metadata.name}: ${failure.reason ?? 'failure'}: ${failure.message ?? ''}`]
  })

function blockingBudgets({ deployment, budgets }: ExplainSource, pods: readonly Stored<Pod>[]): readonly string[] {
  return budgets.flatMap(({ metadata, spec, status }) => {
    const requirements = selectorRequirements(spec?.selector)
    const isBlocking = metadata.namespace === deployment.metadata.namespace && status?.disruptionsAllowed === 0
    if (!isBlocking || requirements === undefined || !pods.some((pod) => matchesLabels(requirements, pod.metadata.labels))) return []
    return [
      `PodDisruptionBudget ${metadata.name} allows no eviction now: ${status.currentHealthy} of ${status.expectedPods} pods are healthy, and ${status.desiredHealthy} must be`,
    ]
  })
}

/** Nodes that are cordoned and still have pods of the Deployment. */
const drainedNodes = ({ nodes }: ExplainSource, pods: readonly Stored<Pod>[]): readonly string[] =>
  nodes
    .filter(({ spec, metadata }) => spec?.unschedulable === true && pods.some((pod) => pod.spec?.nodeName === metadata.name))
    .map(({ metadata }) => metadata.name)

/** The field manager that wrote the status last. */
function statusManager({ metadata: { managedFields = [] } }: Stored<Deployment>): string | undefined {
  const writers = managedFields.filter(({ subresource }) => subresource === 'status')
  return writers.sort((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1))[0]?.manager
}

interface Found {
  readonly plan: Plan
  readonly reasons: PlanReasons
  readonly snapshot: DeploymentSnapshot
  readonly pods: readonly PodCause[]
  readonly refusals: readonly string[]
  readonly budgets: readonly string[]
  readonly drained: readonly string[]
}

function isRolledOut({ snapshot: { deployment, replicaSets }, reasons }: Found): boolean {
  const { newSet, oldSets } = sortSets(deployment, replicaSets)
  return newSet !== undefined && newSet.spec?.replicas === reasons.replicas && oldSets.every(({ spec }) => spec?.replicas === 0)
}

const isSettled = (found: Found): boolean => isRolledOut(found) && found.pods.length === 0 && found.refusals.length === 0

const maxNamed = 2

function listed(pods: readonly PodCause[]): string {
  const named = pods.slice(0, maxNamed).map(({ pod, because }) => `${pod} (${because.join('; ')})`)
  return `${named.join(', ')}${pods.length > maxNamed ? ` and ${pods.length - maxNamed} more` : ''}`
}

const podsText = (count: number, kind: string) => `${count} ${kind} ${count === 1 ? 'pod' : 'pods'}`

/** The first cause that keeps the Deployment from being complete; for a complete one, what else stands out. */
function causeOf(found: Found): string {
  const { plan, reasons, snapshot, pods, refusals, budgets, drained } = found
  const { metadata, status } = snapshot.deployment
  const terminating = pods.filter(({ state }) => state === 'terminating')
  const unavailable = pods.filter(({ state }) => state === 'unavailable')
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
    return `the Deployment controller has not observed generation ${metadata.generation} yet (it has observed ${status?.observedGeneration ?? 0})`
  if (reasons.isPaused && !isRolledOut(found)) return `it is paused in the middle of a rollout: kubectl rollout resume continues it`
  if (refusals.length > 0) return refusals[0]!
  if (plan.wait?.deletedSet !== undefined)
    return `it waits for the deletion of ReplicaSet ${plan.wait.deletedSet}${terminating.length > 0 ? `, which waits for ${listed(terminating)}` : ''}`
  const scale = reasons.scale === 'pending' ? `a scale to ${reasons.replicas} is pending: ` : ''
  if (plan.wait !== undefined || (!isRolledOut(found) && terminating.length > 0 && nextOf(plan).length === 0 && unavailable.length === 0))
    return `${scale}it waits for ${podsText(terminating.length, 'terminating')}: ${listed(terminating)}`
  if (unavailable.length > 0) return `${scale}it waits for ${podsText(unavailable.length, 'unavailable')}: ${listed(unavailable)}`
  if (nextOf(plan).length > 0) return `${scale}it is about to ${nextOf(plan).join(', ')}`
  const complete = reasons.isPaused ? 'it is complete and paused' : 'it is complete'
  if (terminating.length > 0)
    return `${complete}; ${podsText(terminating.length, 'terminating')} still ${terminating.length === 1 ? 'exists' : 'exist'}: ${listed(terminating)}`
  if (budgets.length > 0) return `${complete}; ${drained.length > 0 ? `the drain of node ${drained.join(', ')} waits: ` : ''}${budgets[0]}`
  return complete
}
