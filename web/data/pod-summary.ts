// The summary of a pod that the page keeps in place of the object, computed once for each change.
import { milliValue, parseQuantity, wholeValue } from '../../src/base/quantity.ts'
import { type ContainerStatus, controllerOf, type Pod } from './objects.ts'

/**
 * In stacking order, as in the reports of simulations. A `lost` pod is on a node that does not report; whether it runs is not known. A
 * `waiting` pod has a scheduling gate, and takes no room. A finished pod (Succeeded or Failed) has no state: it holds nothing.
 */
export const podStates = ['ready', 'starting', 'pending', 'lost', 'terminating', 'waiting'] as const
export type PodState = (typeof podStates)[number]
export type PodCounts = Readonly<Record<PodState, number>>

export const noPods = (): Record<PodState, number> => ({ ready: 0, starting: 0, pending: 0, lost: 0, terminating: 0, waiting: 0 })

/** The gate of `rollcall pacer`. */
export const pacerGate = 'rollcall.dev/pacer'

/** Of a pod that is replaced before its eviction. */
const replacingKey = 'rollcall.dev/eviction-replacing'

export interface PodEntry {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** The uid of its controller; empty without one. */
  readonly owner: string
  readonly state: PodState | undefined
  /** Its state and its trouble by themselves, whatever its node is. */
  readonly ownState: PodState | undefined
  readonly ownTrouble: string | undefined
  /** When it entered that state, as the page saw it. Undefined: before the page was opened. */
  readonly sinceMs: number | undefined
  /** `controller-revision-hash`, for owners whose pods have several revisions. */
  readonly hash: string
  readonly node: string
  readonly createdMs: number
  /** When its grace period ends. */
  readonly graceEndMs: number
  readonly graceSeconds: number
  readonly gates: readonly string[]
  /** Why it is not ready, for states in which the reason does not change with time. */
  readonly reason: string
  /** A problem that keeps it from becoming ready: `Unschedulable`, `CrashLoopBackOff`. */
  readonly trouble: string | undefined
  /** Its node does not report, or was deleted. */
  readonly isOnLostNode: boolean
  readonly restarts: number
  readonly cpu: number
  readonly memory: number
}

export function stateOf({ metadata, spec, status }: Pod): PodState | undefined {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined
  if (metadata.deletionTimestamp !== undefined) return 'terminating'
  if ((spec?.schedulingGates?.length ?? 0) > 0) return 'waiting'
  if (spec?.nodeName === undefined || spec.nodeName === '') return 'pending'
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ? 'ready' : 'starting'
}

export function entryOf(pod: Pod, sinceMs: number | undefined): Omit<PodEntry, 'isOnLostNode'> {
  const { metadata, spec, status } = pod
  const state = stateOf(pod)
  const trouble = state === 'pending' || state === 'starting' ? troubleOf(pod) : undefined
  const containers = spec?.containers ?? []
  return {
    uid: metadata.uid,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    owner: controllerOf(pod)?.uid ?? '',
    state,
    ownState: state,
    ownTrouble: trouble,
    sinceMs,
    hash: metadata.labels?.['controller-revision-hash'] ?? '',
    node: spec?.nodeName ?? '',
    createdMs: Date.parse(metadata.creationTimestamp ?? '') || 0,
    graceEndMs: Date.parse(metadata.deletionTimestamp ?? '') || 0,
    graceSeconds: metadata.deletionGracePeriodSeconds ?? 0,
    gates: (spec?.schedulingGates ?? []).map(({ name }) => name),
    reason: staticReason(pod, state),
    trouble,
    restarts: (status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    cpu: containers.reduce((sum, { resources }) => sum + cores(resources?.requests?.['cpu']), 0),
    memory: containers.reduce((sum, { resources }) => sum + bytes(resources?.requests?.['memory']), 0),
  }
}

/** The entry of a pod as its node leaves it. A terminating pod stays until its kubelet reports that it has terminated. */
export function onNode(entry: Omit<PodEntry, 'isOnLostNode'>, isOnLostNode: boolean): PodEntry {
  const { ownState, ownTrouble, node } = entry
  if (!isOnLostNode || ownState === undefined) return { ...entry, isOnLostNode: false, state: ownState, trouble: ownTrouble }
  return { ...entry, isOnLostNode, state: ownState === 'terminating' ? ownState : 'lost', trouble: `lost node ${node}` }
}

const quantityOf = (text = '0') => parseQuantity(text) ?? parseQuantity('0')!
export const cores = (text?: string): number => milliValue(quantityOf(text)) / 1000
export const bytes = (text?: string): number => wholeValue(quantityOf(text))

const unscheduledOf = ({ status }: Pod) =>
  status?.conditions?.find(({ type, status: value }) => type === 'PodScheduled' && value === 'False')
const containersOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
]
const normalWaits = ['ContainerCreating', 'PodInitializing']
const waitOf = ({ state }: ContainerStatus) => {
  const waiting = state?.['waiting']
  return waiting?.reason === undefined || normalWaits.includes(waiting.reason) ? undefined : waiting
}

function troubleOf(pod: Pod): string | undefined {
  const unscheduled = unscheduledOf(pod)
  if (unscheduled?.reason === 'Unschedulable') return 'Unschedulable'
  for (const one of containersOf(pod)) {
    const waiting = waitOf(one)
    if (waiting !== undefined) return waiting.reason
  }
  return undefined
}

function staticReason(pod: Pod, state: PodState | undefined): string {
  if (state === undefined) return pod.status?.phase === 'Failed' ? (pod.status.reason ?? 'Failed') : 'Completed'
  if (state === 'pending') {
    const unscheduled = unscheduledOf(pod)
    return unscheduled === undefined ? 'Waits for the scheduler' : (unscheduled.message ?? unscheduled.reason ?? 'Unschedulable')
  }
  if (state === 'ready' && (controllerOf(pod)?.kind === 'Deployment' || pod.metadata.annotations?.[replacingKey] !== undefined))
    return 'To be evicted, when its replacement is available'
  if (state !== 'starting') return ''
  const problem = containersOf(pod).map(problemOf)
  return problem.find((one) => one !== undefined) ?? (pod.status?.phase === 'Running' ? 'Running, not ready' : 'Starting')
}

function problemOf(container: ContainerStatus): string | undefined {
  const waiting = waitOf(container)
  if (waiting !== undefined) return `${waiting.reason} (${container.name})${waiting.message ? `: ${waiting.message}` : ''}`
  const ended = container.state?.['terminated']
  return ended?.reason !== undefined && ended.reason !== 'Completed' ? `${ended.reason} (${container.name})` : undefined
}

/** The deletion started `grace` before deletionTimestamp. */
export const terminatingForMs = ({ graceEndMs, graceSeconds }: PodEntry, nowMs: number): number =>
  graceEndMs === 0 ? 0 : Math.max(0, nowMs - (graceEndMs - graceSeconds * 1000))

/** Times of deletions are whole seconds. */
const toleranceMs = 2000

/** Still terminating, though its grace period has ended. */
export const isOverdue = ({ state, graceEndMs }: PodEntry, nowMs: number): boolean =>
  state === 'terminating' && nowMs > graceEndMs + toleranceMs

/** Why a pod is not ready. `terminating` are the names of the terminating pods of its workload, the longest terminating first. */
export function reasonOf(entry: PodEntry, nowMs: number, terminating: readonly string[]): string {
  if (entry.state === 'waiting') return describeGates(entry.gates, terminating)
  if (entry.state === 'lost') return `Its node ${entry.node} is lost: whether it runs is not known`
  if (entry.state !== 'terminating') return entry.reason
  const seconds = Math.round(terminatingForMs(entry, nowMs) / 1000)
  const { graceSeconds: grace } = entry
  const lost = entry.isOnLostNode ? `, on the lost node ${entry.node}: it stays until the node returns or is deleted` : ''
  return isOverdue(entry, nowMs)
    ? `Terminating for ${seconds}s, ${seconds - grace}s beyond its grace period of ${grace}s${lost}`
    : `Terminating for ${seconds}s of ${grace}s${lost}`
}

const shownNames = 2

/** Which gates hold a pod, and for what: the pacer waits for terminating pods, others are not known. */
function describeGates(gates: readonly string[], terminating: readonly string[]): string {
  const others = gates.filter((name) => name !== pacerGate)
  const parts = others.map((name) => `gate ${name}, until its owner removes it`)
  if (gates.includes(pacerGate)) parts.unshift(`gate ${pacerGate}, ${forWhom(terminating)}`)
  return `Held by ${parts.join('; ')}`
}

function forWhom(terminating: readonly string[]): string {
  if (terminating.length === 0) return 'until the pacer admits it: there is no room under the cap, or no pacer runs'
  const names = terminating.slice(0, shownNames).join(', ')
  const more = terminating.length - shownNames
  return `until ${terminating.length === 1 ? 'a terminating pod has' : `one of ${terminating.length} terminating pods has`} terminated: ${names}${more > 0 ? ` and ${more} more` : ''}`
}
