// The status that the kubelet reports for a pod.
// Kubernetes: pkg/kubelet.Kubelet.generateAPIPodStatus, Kubelet.convertStatusToAPIStatus, Kubelet.convertToAPIContainerStatuses
// Kubernetes: pkg/kubelet.activeDeadlineHandler.ShouldEvict
// Kubernetes: pkg/kubelet/status.mergePodStatus
import { explicitNull } from '../../api/machinery/fields.ts'
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus, Writable } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { isSidecar } from '../pod-predicates.ts'
import { imageIdOf, parseImageName } from './image-name.ts'
import { nextConditions } from './pod-conditions.ts'
import { phaseOf } from './pod-phase.ts'
import type { ContainerState, Ended, PodState } from './pod-state.ts'
import { digestOf } from './seeded-hash.ts'
import { ephemeralOf, type PodEnvironment } from './sync-context.ts'

export const deadlineMessage = 'Pod was active on the node longer than the specified deadline'

export function nextStatus(state: PodState, pod: Pod, nowMs: number, { hostIp, podIp }: PodEnvironment): PodStatus {
  const old = pod.status ?? {}
  const generation = observedGeneration(state, pod)
  const startTime = old.startTime ?? formatTime(state.startedAtMs)
  if (state.rejected !== undefined) {
    const { reason, message } = state.rejected
    return {
      ...(generation !== undefined && { observedGeneration: generation }),
      phase: 'Failed',
      ...(old.conditions && { conditions: old.conditions }),
      message: `Pod was rejected: ${message}`,
      reason,
      startTime,
      ...(old.qosClass !== undefined && { qosClass: old.qosClass }),
    }
  }
  const spec = pod.spec!
  // Succeeded and Failed are final.
  const phase = old.phase === 'Succeeded' || old.phase === 'Failed' ? old.phase : phaseOf(state, spec)
  const hasSandbox = nowMs >= state.sandboxAtMs && !state.isDone
  const hasInit = (spec.initContainers?.length ?? 0) > 0
  const statuses = state.containers.map((one, index) =>
    reuseIfSame(old.containerStatuses?.[index], containerStatus(pod, spec.containers[index]!, one, hasInit, false)),
  )
  const initStatuses = state.initContainers.map((one, index) =>
    reuseIfSame(old.initContainerStatuses?.[index], containerStatus(pod, spec.initContainers![index]!, one, hasInit, true)),
  )
  const address = spec.hostNetwork ? hostIp : hasSandbox ? podIp : old.podIP
  const reason =
    state.stopping?.cause === 'deadline'
      ? { message: deadlineMessage, reason: 'DeadlineExceeded' }
      : phase === old.phase
        ? { ...(old.message !== undefined && { message: old.message }), ...(old.reason !== undefined && { reason: old.reason }) }
        : {}
  const { nominatedNodeName, qosClass, resize, resourceClaimStatuses } = old
  const ephemerals = state.ephemeralContainers ? ephemeralStatuses(pod, state.ephemeralContainers) : old.ephemeralContainerStatuses
  // In the field order of the server. Fields of other writers are kept.
  const status: Writable<PodStatus> = {}
  if (generation !== undefined) status.observedGeneration = generation
  status.phase = phase
  status.conditions = nextConditions(pod, phase, hasSandbox, initStatuses, statuses, generation, nowMs) as Writable<PodCondition>[]
  Object.assign(status, reason)
  if (nominatedNodeName !== undefined) status.nominatedNodeName = nominatedNodeName
  status.hostIP = hostIp
  status.hostIPs = reuseIfSame(old.hostIPs, [{ ip: hostIp }]) as { ip: string }[]
  if (address !== undefined && address !== '') {
    status.podIP = address
    status.podIPs = reuseIfSame(old.podIPs, [{ ip: address }]) as { ip: string }[]
  }
  status.startTime = startTime
  if (hasInit) status.initContainerStatuses = initStatuses as Writable<ContainerStatus>[]
  status.containerStatuses = statuses as Writable<ContainerStatus>[]
  if (qosClass !== undefined) status.qosClass = qosClass
  if (ephemerals !== undefined) status.ephemeralContainerStatuses = ephemerals as Writable<ContainerStatus>[]
  if (resize !== undefined) status.resize = resize
  if (resourceClaimStatuses !== undefined)
    status.resourceClaimStatuses = resourceClaimStatuses as NonNullable<Writable<PodStatus>['resourceClaimStatuses']>
  return status as PodStatus
}

/** Reuses the part that was reported before if it is equal: the server compares by identity first. */
const reuseIfSame = <T extends object>(before: T | undefined, now: T): T =>
  before !== undefined && isSameStatus(now, before) ? before : now

/** Ephemeral containers are never ready, and do not affect the phase. */
function ephemeralStatuses(pod: Pod, states: readonly ContainerState[]): ContainerStatus[] {
  const specs = ephemeralOf(pod.spec!)
  return states.map((one, index) => ({ ...containerStatus(pod, specs[index]!, one, false, false), ready: false }))
}

/** The generation of a deletion is acknowledged when the pod has terminated, not by a separate update. */
function observedGeneration({ isDone }: PodState, { metadata, status }: Pod): number | undefined {
  return metadata?.deletionTimestamp && !isDone ? status?.observedGeneration : metadata?.generation
}

/** Depends only on the pod uid, the container and the run. */
const containerIdOf = (pod: Pod, container: Container, run: number) =>
  `containerd://${digestOf(`${pod.metadata?.uid}/${container.name}/${run}`)}`

function terminated(pod: Pod, container: Container, { startedAtMs, finishedAtMs, exitCode, reason, message, run }: Ended) {
  return {
    terminated: {
      exitCode,
      reason,
      ...(message !== undefined && { message }),
      startedAt: startedAtMs === 0 ? explicitNull : formatTime(startedAtMs),
      finishedAt: finishedAtMs === 0 ? explicitNull : formatTime(finishedAtMs),
      ...(run !== undefined && { containerID: containerIdOf(pod, container, run) }),
    },
  }
}

function containerStatus(pod: Pod, container: Container, state: ContainerState, hasInit: boolean, isInit: boolean): ContainerStatus {
  const { now, last, restartCount } = state
  const { image = '', name } = container
  const run = now.at === 'running' ? restartCount : now.at === 'ended' ? now.run : last?.run
  const mustEnd = isInit && !isSidecar(container)
  const isReady = mustEnd ? now.at === 'ended' && now.exitCode === 0 : now.at === 'running' && now.isReady
  return {
    name,
    state:
      now.at === 'running'
        ? { running: { startedAt: formatTime(now.startedAtMs) } }
        : now.at === 'ended'
          ? terminated(pod, container, now)
          : {
              waiting: {
                reason: now.reason ?? (hasInit ? 'PodInitializing' : 'ContainerCreating'),
                ...(now.message !== undefined && now.reason !== undefined && { message: now.message }),
              },
            },
    lastState: last === undefined ? {} : terminated(pod, container, last),
    ready: isReady,
    restartCount,
    image: run === undefined ? image : (parseImageName(image)?.full ?? image),
    imageID: run === undefined ? '' : imageIdOf(image),
    ...(run !== undefined && { containerID: containerIdOf(pod, container, run) }),
    started: now.at === 'running' && now.isStarted,
    ...(run !== undefined && container.resources?.requests !== undefined && { allocatedResources: container.resources.requests }),
    ...(run !== undefined && { resources: container.resources ?? {} }),
    ...(container.volumeMounts?.length && { volumeMounts: mountStatuses(container) }),
  }
}

function mountStatuses({ volumeMounts = [] }: Container) {
  return volumeMounts.map(({ name, mountPath, readOnly }) => ({
    name,
    mountPath,
    ...(readOnly && { readOnly, recursiveReadOnly: 'Disabled' }),
  }))
}

// Compares statuses as the API server stores them: absent, null, empty and zero values are equal, because the server omits or adds
// such fields depending on the kind.
// Kubernetes: pkg/kubelet/status.isPodStatusByKubeletEqual, normalizeStatus

export function isSameStatus(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return isEmptyValue(a) && isEmptyValue(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return isEmptyValue(a) && isEmptyValue(b)
    for (let at = 0; at < a.length; at++) if (!isSameStatus(a[at], b[at])) return false
    return true
  }
  const left = a as Readonly<Record<string, unknown>>
  const right = b as Readonly<Record<string, unknown>>
  for (const field in left) if (!isSameStatus(left[field], Object.hasOwn(right, field) ? right[field] : undefined)) return false
  for (const field in right) if (!Object.hasOwn(left, field) && !isEmptyValue(right[field])) return false
  return true
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  for (const field in value) if (!isEmptyValue((value as Readonly<Record<string, unknown>>)[field])) return false
  return true
}
