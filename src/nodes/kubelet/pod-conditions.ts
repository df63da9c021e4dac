// The pod conditions that the kubelet sets.
import type { ContainerStatus, Pod, PodCondition } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { Phase } from './pod-phase.ts'
import { isSidecar } from './sync-context.ts'

interface Verdict {
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

const own = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'])
const holds: Verdict = { status: 'True' }
const listed = (names: readonly string[]) => `[${names.join(' ')}]`

export function nextConditions(
  pod: Pod,
  phase: Phase,
  hasSandbox: boolean,
  initStatuses: readonly ContainerStatus[],
  statuses: readonly ContainerStatus[],
  generation: number | undefined,
  nowMs: number,
): PodCondition[] {
  const old = pod.status?.conditions ?? []
  const others = old.filter(({ type }) => !own.has(type))
  const containersReady = judgeContainers(pod, phase, initStatuses, statuses)
  const verdicts: readonly (readonly [string, Verdict])[] = [
    ['PodReadyToStartContainers', hasSandbox ? holds : { status: 'False' }],
    ['Initialized', judgeInit(pod, phase, initStatuses, statuses)],
    ['Ready', containersReady.status === 'True' ? judgeGates(pod, others) : containersReady],
    ['ContainersReady', containersReady],
    ['PodScheduled', holds],
  ]
  return [
    ...others,
    ...verdicts.map(([type, verdict]): PodCondition => {
      const before = old.find((one) => one.type === type)
      if (before !== undefined && isSaid(before, verdict, generation)) return before
      const isSame = before?.status === verdict.status && before.lastTransitionTime
      return {
        type,
        ...(generation !== undefined && { observedGeneration: generation }),
        status: verdict.status,
        lastProbeTime: null as unknown as string,
        lastTransitionTime: isSame ? before.lastTransitionTime! : formatTime(nowMs),
        ...(verdict.reason !== undefined && { reason: verdict.reason }),
        ...(verdict.message !== undefined && { message: verdict.message }),
      }
    }),
  ]
}

/** An unchanged condition keeps its identity, which makes comparing statuses cheap. */
const isSaid = (before: PodCondition, { status, reason, message }: Verdict, generation: number | undefined) =>
  before.status === status &&
  before.reason === reason &&
  before.message === message &&
  before.observedGeneration === generation &&
  before.lastProbeTime === null &&
  Boolean(before.lastTransitionTime)

function judgeContainers(
  { spec }: Pod,
  phase: Phase,
  initStatuses: readonly ContainerStatus[],
  statuses: readonly ContainerStatus[],
): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' }
  const unready: string[] = []
  for (const [index, container] of (spec?.initContainers ?? []).entries())
    if (isSidecar(container) && !initStatuses[index]?.ready) unready.push(container.name)
  for (const { name, ready } of statuses) if (!ready) unready.push(name)
  if (unready.length === 0) return holds
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: ${listed(unready)}` }
}

function judgeGates({ spec }: Pod, others: readonly PodCondition[]): Verdict {
  const messages: string[] = []
  for (const { conditionType } of spec?.readinessGates ?? []) {
    const found = others.find(({ type }) => type === conditionType)
    if (found === undefined) messages.push(`corresponding condition of pod readiness gate ${JSON.stringify(conditionType)} does not exist.`)
    else if (found.status !== 'True')
      messages.push(`the status of pod readiness gate ${JSON.stringify(conditionType)} is not "True", but ${found.status}`)
  }
  return messages.length === 0 ? holds : { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') }
}

function judgeInit({ spec }: Pod, phase: Phase, initStatuses: readonly ContainerStatus[], statuses: readonly ContainerStatus[]): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' }
  if (statuses.some(({ state }) => state?.running || state?.terminated)) return holds
  const incomplete = (spec?.initContainers ?? [])
    .filter((container, index) => (isSidecar(container) ? !initStatuses[index]?.started : !initStatuses[index]?.ready))
    .map(({ name }) => name)
  if (incomplete.length === 0) return holds
  return { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: ${listed(incomplete)}` }
}
