// Why a workload is not complete: what its pods, its conditions and its events say. Pure.

import type { ContainerStatus, Pod, Stored } from '../../api/types.ts'
import { addCount } from '../../base/maps.ts'
import { isAllAvailable } from './completion.ts'
import { formatLength } from './lengths.ts'
import type { TracedWorkload } from './trace.ts'

interface StuckWorkload {
  readonly workload: TracedWorkload
  /** Those of all its revisions. */
  readonly pods: readonly Stored<Pod>[]
  /** The last warning about each pod (by uid), and about the workload itself (by its uid), where there was one. */
  readonly warnings: ReadonlyMap<string, string>
  /** `OnDelete`: pods are replaced when a user deletes them. */
  readonly updateStrategy?: string
}

const maxReasons = 5
const maxMessage = 300

/** The state of the workload in one line, then a line for each reason, the one that most pods have first. */
export function stuckReasons(stuck: StuckWorkload, nowMs: number): string[] {
  const { workload, pods, warnings, updateStrategy } = stuck
  const refused = workload.conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')?.message
  const own = refused ?? warnings.get(workload.uid)
  const reasons = new Map<string, number>()
  for (const pod of pods) {
    const reason = reasonOf(pod, warnings.get(pod.metadata.uid), nowMs)
    if (reason !== undefined) addCount(reasons, withoutName(reason, pod), 1)
  }
  const sorted = [...reasons].sort(([, a], [, b]) => b - a)
  const more = sorted.length - maxReasons
  return [
    `${stateOf(workload)}${isAllAvailable(workload) ? terminatingAmong(pods) : ''}`,
    ...(own === undefined ? [] : [`pods are refused: ${shortened(own)}`]),
    ...(updateStrategy === 'OnDelete' && workload.updatedReplicas < workload.replicas
      ? ['its update strategy is OnDelete: an old pod is replaced when it is deleted']
      : []),
    ...sorted.slice(0, maxReasons).map(([text, count]) => `${count === 1 ? '1 pod' : `${count} pods`}: ${shortened(text)}`),
    ...(more > 0 ? [`${more} more reasons`] : []),
  ]
}

function stateOf({ kind, namespace, name, replicas, updatedReplicas, availableReplicas }: TracedWorkload): string {
  if (kind === 'Job') return `${kind} ${namespace}/${name} has not ended`
  const updated = updatedReplicas < replicas ? `, ${updatedReplicas} updated` : ''
  return `${kind} ${namespace}/${name} has ${availableReplicas} of ${replicas} replicas available${updated}`
}

/** What a Deployment waits for that has all of its replicas. */
function terminatingAmong(pods: readonly Stored<Pod>[]): string {
  const count = pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod)).length
  return count === 0 ? '' : ` and ${count === 1 ? '1 pod' : `${count} pods`} terminating`
}

const hasEnded = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

/** Undefined: the pod is ready, or has ended. */
function reasonOf(pod: Stored<Pod>, warning: string | undefined, nowMs: number): string | undefined {
  const { metadata, spec, status } = pod
  if (hasEnded(pod)) return undefined
  if (metadata.deletionTimestamp !== undefined) {
    const overdueMs = nowMs - Date.parse(metadata.deletionTimestamp)
    const held = metadata.finalizers?.length ? `, held by its finalizers ${metadata.finalizers.join(', ')}` : ''
    return overdueMs > 0 ? `still terminating ${formatLength(overdueMs)} after its grace period${held}` : `terminating${held}`
  }
  const conditionOf = (name: string) => status?.conditions?.find(({ type }) => type === name)
  const scheduled = conditionOf('PodScheduled')
  if (scheduled?.status === 'False') return `${scheduled.reason ?? 'Unschedulable'}: ${scheduled.message ?? ''}`
  if (conditionOf('Ready')?.status === 'True') return undefined
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  for (const { name, state, lastState } of containers) {
    const { waiting } = state ?? {}
    if (waiting?.reason === undefined || isUsual(waiting.reason)) continue
    const { exitCode, reason } = lastState?.terminated ?? {}
    const ended = exitCode === undefined ? '' : ` (it last ended with exit code ${exitCode}${reason ? `, ${reason}` : ''})`
    return `${waiting.reason}: container ${name}: ${waiting.message ?? ''}${ended}`
  }
  if (warning !== undefined) return warning
  if (spec?.nodeName === undefined) return 'not scheduled yet'
  const unready = containers.find((one) => one.state?.running !== undefined && !one.ready)
  return unready === undefined ? 'starting' : `container ${unready.name} is running and not ready${probesOf(spec, unready)}`
}

/** A container that just has not been started yet. */
const isUsual = (reason: string) => reason === 'ContainerCreating' || reason === 'PodInitializing'

function probesOf(spec: NonNullable<Pod['spec']>, { name }: ContainerStatus): string {
  const container = [...(spec.initContainers ?? []), ...spec.containers].find((one) => one.name === name)
  const probes = (['startupProbe', 'readinessProbe'] as const).filter((probe) => container?.[probe] !== undefined)
  return probes.length === 0 ? '' : `: its ${probes.join(' or ')} has not succeeded`
}

/** Pods with the same reason then have the same text. */
const withoutName = (text: string, { metadata: { name, namespace = '', uid } }: Stored<Pod>) =>
  text.replaceAll(`${name}_${namespace}(${uid})`, 'the pod').replaceAll(uid, '…').replaceAll(name, 'the pod')

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/:$/, '')
  return line.length > maxMessage ? `${line.slice(0, maxMessage - 1)}…` : line
}
