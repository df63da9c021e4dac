// Plans preemption: which pods of lower priority to delete so that a pod fits.
// Kubernetes: pkg/scheduler/framework/plugins/defaultpreemption.DefaultPreemption.PodEligibleToPreemptOthers
// Kubernetes: pkg/scheduler/framework/plugins/defaultpreemption.DefaultPreemption.SelectVictimsOnNode
// Kubernetes: pkg/scheduler/framework/plugins/defaultpreemption.DefaultPreemption.GetOffsetAndNumCandidates
// Kubernetes: pkg/scheduler/framework/preemption.Evaluator.Preempt, Evaluator.findCandidates, Evaluator.DryRunPreemption
// Kubernetes: pkg/scheduler/framework/preemption.pickOneNodeForPreemption
// Kubernetes: pkg/scheduler/util.MoreImportantPod
import type { PodDisruptionBudget, Stored } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { ClusterState } from './cluster-state.ts'
import { splitByBudgets } from './disruption-budgets.ts'
import { filterNodeWithNominated, preFilter } from './filters.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'
import { notHelpful, noVictims, Reasons, type Refusal } from './refusals.ts'

export interface Preemption {
  readonly node: string
  /** The highest priority first. */
  readonly victims: readonly PodNeeds[]
}

interface NoPreemption {
  /** `preemption: …`, the end of the scheduling message. */
  readonly message: string
  /** The nomination of the pod no longer holds. */
  readonly clearsNomination: boolean
}

interface PreemptionOptions {
  readonly needs: PodNeeds
  /** Modified during planning and restored afterwards. */
  readonly state: ClusterState
  readonly refusals: ReadonlyMap<NodeState, Refusal>
  readonly budgets: Iterable<Stored<PodDisruptionBudget>>
  readonly random: Random
  readonly nowMs: number
}

interface Candidate extends Preemption {
  readonly violations: number
}

export function planPreemption(options: PreemptionOptions): Preemption | NoPreemption {
  const { needs, state, refusals, random, nowMs } = options
  const ineligible = ineligibleReason(options)
  if (ineligible !== undefined) return { message: `preemption: ${ineligible}`, clearsNomination: false }
  const potential = state.nodes.filter((node) => refusals.get(node)?.isResolvable)
  const reasons = new Reasons()
  const candidates: Candidate[] = []
  const start = potential.length === 0 ? 0 : Math.floor(random.next() * potential.length)
  const wanted = Math.max(100, Math.floor(potential.length / 10))
  const budgets = [...options.budgets]
  for (let i = 0; i < potential.length; i++) {
    const node = potential[(start + i) % potential.length]!
    const found = selectVictims(needs, node, state, budgets, nowMs)
    if ('victims' in found) candidates.push(found)
    else reasons.add(found.reasons)
    if (candidates.length >= wanted && candidates.some(({ violations }) => violations === 0)) break
  }
  if (candidates.length > 0) return pickCandidate(candidates, nowMs)
  reasons.add([notHelpful], state.nodes.length - potential.length)
  return { message: `preemption: ${reasons.message(state.nodes.length)}`, clearsNomination: true }
}

/** While victims of this pod are terminating, no further preemption. */
function ineligibleReason({ needs, state, refusals }: PreemptionOptions): string | undefined {
  if (needs.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.'
  const name = state.nominationOf(needs.uid)
  const node = name === undefined ? undefined : state.node(name)
  if (node === undefined || refusals.get(node)?.isResolvable === false) return undefined
  for (const { needs: other } of node.pods.values())
    if (other.priority < needs.priority && isPreempted(other)) return 'not eligible due to a terminating pod on the nominated node.'
  return undefined
}

function isPreempted({ pod: { metadata, status } }: PodNeeds): boolean {
  if (metadata.deletionTimestamp === undefined) return false
  const condition = status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  return condition?.status === 'True' && condition.reason === 'PreemptionByScheduler'
}

/** The fewest victims of the lowest priority: remove all candidates, then restore one after the other as long as the pod still fits. */
function selectVictims(
  needs: PodNeeds,
  node: NodeState,
  state: ClusterState,
  budgets: readonly Stored<PodDisruptionBudget>[],
  nowMs: number,
): Candidate | { readonly reasons: readonly string[] } {
  if (!node.hasLowerPriority(needs.priority)) return { reasons: [noVictims] }
  const lowerPriority = Array.from(node.pods.values(), (placed) => placed.needs).filter(({ priority }) => priority < needs.priority)
  const filter = () => filterNodeWithNominated(needs, node, preFilter(needs, state), state)
  for (const { uid } of lowerPriority) state.remove(uid)
  const refusal = filter()
  if (refusal !== undefined) {
    for (const other of lowerPriority) state.place(other, node.name)
    return { reasons: refusal.reasons }
  }
  lowerPriority.sort((a, b) => byImportance(a, b, nowMs))
  const { violating, allowed } = splitByBudgets(lowerPriority, budgets)
  const victims: PodNeeds[] = []
  let violations = 0
  const isVictim = (other: PodNeeds): boolean => {
    state.place(other, node.name)
    if (filter() === undefined) return false
    state.remove(other.uid)
    victims.push(other)
    return true
  }
  for (const other of violating) if (isVictim(other)) violations++
  for (const other of allowed) isVictim(other)
  for (const other of victims) state.place(other, node.name)
  victims.sort((a, b) => byImportance(a, b, nowMs))
  return { node: node.name, victims, violations }
}

const startedMs = ({ pod }: PodNeeds, nowMs: number) => (pod.status?.startTime ? parseTime(pod.status.startTime) : nowMs)

/** Of equal priorities, the pod that has run longer is more important. */
const byImportance = (a: PodNeeds, b: PodNeeds, nowMs: number) =>
  b.priority - a.priority || startedMs(a, nowMs) - startedMs(b, nowMs) || (a.uid < b.uid ? -1 : 1)

/**
 * Prefers, in this order: fewer violated budgets, a lower highest priority, a lower sum of priorities, fewer victims, and later
 * start times.
 */
function pickCandidate(candidates: readonly Candidate[], nowMs: number): Candidate {
  const ranked = candidates.map((candidate) => ({ candidate, rank: rankOf(candidate, nowMs) }))
  return ranked.reduce((best, other) => (isLess(other.rank, best.rank) ? other : best)).candidate
}

// Makes every priority positive, so that more victims have a higher sum, also with negative priorities.
const priorityOffset = 2 ** 31

function rankOf({ victims, violations }: Candidate, nowMs: number): readonly number[] {
  const highest = victims[0]!.priority
  const sum = victims.reduce((total, { priority }) => total + priority + priorityOffset, 0)
  const earliest = Math.min(...victims.filter(({ priority }) => priority === highest).map((victim) => startedMs(victim, nowMs)))
  return [violations, highest, sum, victims.length, -earliest]
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!
  return false
}
