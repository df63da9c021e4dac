// The pod conditions that the kubelet sets.
// Kubernetes: pkg/kubelet/status.GeneratePodReadyCondition, GenerateContainersReadyCondition, GeneratePodInitializedCondition
// Kubernetes: pkg/kubelet/status.GeneratePodReadyToStartContainersCondition, updateLastTransitionTime

import { explicitNull } from '../../api/machinery/fields.ts'
import type { ContainerStatus, Pod, PodCondition } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { isSidecar } from '../pod-predicates.ts'
import type { Phase } from './pod-phase.ts'

interface ConditionValue {
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

const kubeletConditions = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'])
const conditionTrue: ConditionValue = { status: 'True' }
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
  const others = old.filter(({ type }) => !kubeletConditions.has(type))
  const containersReady = containersReadyValue(pod, phase, initStatuses, statuses)
  const values: readonly (readonly [string, ConditionValue])[] = [
    ['PodReadyToStartContainers', hasSandbox ? conditionTrue : { status: 'False' }],
    ['Initialized', initializedValue(pod, phase, initStatuses, statuses)],
    ['Ready', containersReady.status === 'True' ? readinessGatesValue(pod, others) : containersReady],
    ['ContainersReady', containersReady],
    ['PodScheduled', conditionTrue],
  ]
  return [
    ...others,
    ...values.map(([type, value]): PodCondition => {
      const before = old.find((one) => one.type === type)
      if (before !== undefined && isUnchanged(before, value, generation)) return before
      const isSame = before?.status === value.status && before.lastTransitionTime
      return {
        type,
        ...(generation !== undefined && { observedGeneration: generation }),
        status: value.status,
        lastProbeTime: explicitNull,
        lastTransitionTime: isSame ? before.lastTransitionTime! : formatTime(nowMs),
        ...(value.reason !== undefined && { reason: value.reason }),
        ...(value.message !== undefined && { message: value.message }),
      }
    }),
  ]
}

/** An unchanged condition keeps its identity, which makes comparing statuses cheap. */
const isUnchanged = (before: PodCondition, { status, reason, message }: ConditionValue, generation: number | undefined) =>
  before.status === status &&
  before.reason === reason &&
  before.message === message &&
  before.observedGeneration === generation &&
  before.lastProbeTime === null &&
  Boolean(before.lastTransitionTime)

function containersReadyValue(
  { spec }: Pod,
  phase: Phase,
  initStatuses: readonly ContainerStatus[],
  statuses: readonly ContainerStatus[],
): ConditionValue {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' }
  const unready: string[] = []
  for (const [index, container] of (spec?.initContainers ?? []).entries())
    if (isSidecar(container) && !initStatuses[index]?.ready) unready.push(container.name)
  for (const { name, ready } of statuses) if (!ready) unready.push(name)
  if (unready.length === 0) return conditionTrue
  return { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: ${listed(unready)}` }
}

function readinessGatesValue({ spec }: Pod, others: readonly PodCondition[]): ConditionValue {
  const messages: string[] = []
  for (const { conditionType } of spec?.readinessGates ?? []) {
    const found = others.find(({ type }) => type === conditionType)
    if (found === undefined) messages.push(`corresponding condition of pod readiness gate ${JSON.stringify(conditionType)} does not exist.`)
    else if (found.status !== 'True')
      messages.push(`the status of pod readiness gate ${JSON.stringify(conditionType)} is not "True", but ${found.status}`)
  }
  return messages.length === 0 ? conditionTrue : { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') }
}

function initializedValue(
  { spec }: Pod,
  phase: Phase,
  initStatuses: readonly ContainerStatus[],
  statuses: readonly ContainerStatus[],
): ConditionValue {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' }
  if (statuses.some(({ state }) => state?.running || state?.terminated)) return conditionTrue
  const incomplete = (spec?.initContainers ?? [])
    .filter((container, index) => (isSidecar(container) ? !initStatuses[index]?.started : !initStatuses[index]?.ready))
    .map(({ name }) => name)
  if (incomplete.length === 0) return conditionTrue
  return { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: ${listed(incomplete)}` }
}
