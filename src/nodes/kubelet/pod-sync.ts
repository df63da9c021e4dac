// Syncs a pod on its node: (state, pod, now) → new state, events, output, and when to sync again. One call applies everything that
// is due at `now`.
// Kubernetes: pkg/kubelet.Kubelet.SyncPod, Kubelet.SyncTerminatingPod, Kubelet.SyncTerminatedPod
// Kubernetes: pkg/kubelet/kuberuntime.kubeGenericRuntimeManager.computePodActions, kubeGenericRuntimeManager.computeInitContainerActions
// Kubernetes: pkg/kubelet/kuberuntime.kubeGenericRuntimeManager.SyncPod
// Kubernetes: pkg/kubelet/status.manager.TerminatePod

import type { Container, Pod } from '../../api/types.ts'
import { backoffMs } from '../../base/backoff.ts'
import { isFinished, isSidecar } from '../pod-predicates.ts'
import { type FileTree, noFiles } from '../shell/files.ts'
import { stopContainer, stopSooner } from './container-stop.ts'
import { newContainer, syncContainer } from './container-sync.ts'
import { delayMs } from './pod-settings.ts'
import type { ContainerState, PodState, Stopping } from './pod-state.ts'
import { deadlineMessage } from './pod-status.ts'
import { mountError } from './provided-files.ts'
import { type ContainerOutput, ephemeralOf, type PodEnvironment, type PodEvent, SyncContext } from './sync-context.ts'

/** The result of a sync, without the status to report. */
export interface SyncResult {
  readonly state: PodState
  readonly events: readonly PodEvent[]
  readonly output: readonly ContainerOutput[]
  /** Images that were pulled. */
  readonly pulled: readonly string[]
  /** The files of the node, including what was written. */
  readonly hostFiles: FileTree
  /** The work units that the code of the pod used. */
  readonly workUnits: number
  /** When to sync again if nothing else changes. */
  readonly requeueAtMs?: number
}

export function firstState(pod: Pod, nowMs: number, environment: Pick<PodEnvironment, 'salt' | 'timing'>): PodState {
  return {
    startedAtMs: nowMs,
    sandboxAtMs: nowMs + delayMs(pod, 'start', environment, '', 0),
    initContainers: (pod.spec?.initContainers ?? []).map(() => newContainer),
    containers: (pod.spec?.containers ?? []).map(() => newContainer),
    isDone: false,
    files: noFiles,
  }
}

export function rejectedState(nowMs: number, reason: string, message: string): PodState {
  return {
    startedAtMs: nowMs,
    sandboxAtMs: nowMs,
    rejected: { reason, message },
    initContainers: [],
    containers: [],
    isDone: true,
    files: noFiles,
  }
}

export function syncPod(state: PodState, pod: Pod, nowMs: number, environment: PodEnvironment): SyncResult {
  const sync = new SyncContext(pod, nowMs, environment, state.files, state.stopping)
  const next = state.isDone ? state : nextState(sync, state)
  return {
    state: next,
    events: sync.events,
    output: sync.output,
    pulled: sync.pulled,
    hostFiles: sync.files.host,
    workUnits: sync.workUnits,
    ...(sync.requeueAtMs !== undefined && !next.isDone && { requeueAtMs: sync.requeueAtMs }),
  }
}

function nextState(sync: SyncContext, state: PodState): PodState {
  const { spec, nowMs } = sync
  sync.stopping = nextStopping(sync, state)
  const stopping = sync.stopping
  let { initContainers, containers } = state
  let ephemerals = ephemeralStates(sync, state)
  if (stopping === undefined && nowMs < state.sandboxAtMs) {
    sync.requestSync(state.sandboxAtMs)
    return state
  }
  if (stopping === undefined && isNew(state)) {
    const error = mountError(spec, sync.environment)
    if (error !== undefined) return failMount(sync, state, error)
  }
  const initSpecs = spec.initContainers ?? []
  let isInitialized = true
  if (stopping === undefined) {
    initContainers = mapIfChanged(initContainers, (container, index) => {
      const next = syncContainer(sync, initSpecs[index]!, container, isInitialized || hasRun(container))
      isInitialized &&= letsNextStart(initSpecs[index]!, next)
      return next
    })
    // A container that has started once keeps running while a sidecar restarts.
    containers = mapIfChanged(containers, (container, index) =>
      syncContainer(sync, spec.containers[index]!, container, isInitialized || hasRun(container)),
    )
    const isOver = isFailedInit(initSpecs, initContainers) || containers.every(isFinal)
    if (!isOver) {
      ephemerals = mapIfChanged(ephemerals, (container, index) => syncContainer(sync, ephemeralOf(spec)[index]!, container, true))
      return withContainers(state, sync, initContainers, containers, ephemerals)
    }
    if (![...initContainers, ...containers, ...ephemerals].some(isRunning))
      return { ...withContainers(state, sync, initContainers, containers, ephemerals), isDone: true }
    sync.stopping = { cause: 'completed', sinceMs: nowMs, killAtMs: nowMs + sync.graceMs() }
  }
  const { cause } = sync.stopping!
  if (cause === 'deleted' && isDeletedOnArrival(sync, state)) {
    initContainers = mapIfChanged(initContainers, notStarted)
    containers = mapIfChanged(containers, notStarted)
    ephemerals = mapIfChanged(ephemerals, notStarted)
  }
  const byMs = (state.stopping?.killAtMs ?? 0) - sync.stopping!.killAtMs
  containers = mapIfChanged(containers, (container, index) => nextStopped(sync, spec.containers[index]!, container, byMs))
  ephemerals = mapIfChanged(ephemerals, (container, index) => nextStopped(sync, ephemeralOf(spec)[index]!, container, byMs))
  // Sidecars stop after the containers, in reverse order of their start.
  let mayStop = !containers.some(isRunning)
  const stopped = initContainers.slice()
  for (let index = initContainers.length - 1; index >= 0; index--) {
    const container = initContainers[index]!
    stopped[index] =
      isSidecar(initSpecs[index]!) && !mayStop
        ? syncContainer(sync, initSpecs[index]!, container, false)
        : nextStopped(sync, initSpecs[index]!, container, byMs)
    if (isRunning(stopped[index]!)) mayStop = false
    if (isRunning(stopped[index]!)) sync.requestSync(sync.stopping!.killAtMs > nowMs ? sync.stopping!.killAtMs : nowMs + 1000)
  }
  const isDone = !containers.some(isRunning) && !stopped.some(isRunning) && !ephemerals.some(isRunning)
  if (
    isDone &&
    cause === 'deleted' &&
    initSpecs.every((container, index) => isSidecar(container) || letsNextStart(container, stopped[index]!))
  )
    containers = containers.map((container) => markLost(container, nowMs))
  const next = withContainers(state, sync, stopped, containers, ephemerals)
  return next.isDone === isDone ? next : { ...next, isDone }
}

/**
 * A pod that is deleted at the moment at which its node admits it terminates at once, as in the kubelet: no container has started. The
 * result must not depend on whether a sync happened in between, or on which statuses the node reports. Only a pod that takes no time to
 * become ready has started: its status is reported in any case.
 */
const isDeletedOnArrival = ({ nowMs }: SyncContext, { startedAtMs, stopping, containers }: PodState) =>
  stopping === undefined && startedAtMs === nowMs && !containers.every(isReady)

/** What has ended stays so: it was reported. */
const notStarted = (state: ContainerState): ContainerState => (state.now.at === 'running' ? { ...state, now: newContainer.now } : state)

const mountLimits = { firstMs: 500, maxMs: 122_000 }

const isNew = ({ initContainers, containers }: PodState) =>
  initContainers.every((one) => one === newContainer) && containers.every((one) => one === newContainer)

/** Retried with exponential back-off. Without its volumes a pod has no sandbox. */
function failMount(sync: SyncContext, state: PodState, error: string): PodState {
  const { mountFailures = 0 } = state
  sync.record('Warning', 'FailedMount', error)
  const sandboxAtMs = sync.nowMs + backoffMs(mountFailures + 1, mountLimits)
  sync.requestSync(sandboxAtMs)
  return { ...state, sandboxAtMs, mountFailures: mountFailures + 1 }
}

const noContainers: readonly ContainerState[] = []

/** Including those that were added since the last sync. */
function ephemeralStates({ spec }: SyncContext, { ephemeralContainers: known = noContainers }: PodState): readonly ContainerState[] {
  const specs = ephemeralOf(spec)
  return specs.length > known.length ? specs.map((_, index) => known[index] ?? newContainer) : known
}

function withContainers(
  state: PodState,
  sync: SyncContext,
  initContainers: PodState['initContainers'],
  containers: PodState['containers'],
  ephemerals: readonly ContainerState[],
): PodState {
  const { stopping, files } = sync
  if (
    initContainers === state.initContainers &&
    containers === state.containers &&
    ephemerals === (state.ephemeralContainers ?? noContainers) &&
    stopping === state.stopping &&
    files.pod === state.files
  )
    return state
  const ephemeralContainers = ephemerals.length > 0 && { ephemeralContainers: ephemerals }
  return { ...state, initContainers, containers, ...ephemeralContainers, files: files.pod, ...(stopping !== undefined && { stopping }) }
}

/** Returns the same list if no item has changed. */
function mapIfChanged(
  list: readonly ContainerState[],
  next: (one: ContainerState, index: number) => ContainerState,
): readonly ContainerState[] {
  let changed: ContainerState[] | undefined
  for (let index = 0; index < list.length; index++) {
    const one = next(list[index]!, index)
    if (one !== list[index]) {
      changed ??= list.slice()
      changed[index] = one
    }
  }
  return changed ?? list
}

/** Whether the pod has to terminate, and by when. A later deletion with a shorter grace period moves the time forward. */
function nextStopping(sync: SyncContext, state: PodState): Stopping | undefined {
  const { spec, nowMs } = sync
  const { metadata } = sync.pod
  const { stopping } = state
  if (metadata?.deletionTimestamp) {
    const graceMs = sync.graceMs(metadata.deletionGracePeriodSeconds)
    if (stopping?.cause !== 'deleted') {
      const killAtMs = Math.min(nowMs + graceMs, stopping?.killAtMs ?? Number.POSITIVE_INFINITY)
      return { cause: 'deleted', sinceMs: nowMs, killAtMs }
    }
    const sooner = Math.max(stopping.sinceMs + graceMs, nowMs)
    return sooner < stopping.killAtMs ? { ...stopping, killAtMs: sooner } : stopping
  }
  if (stopping !== undefined) return stopping
  // Another writer has set a final phase: stop what runs.
  if (isFinished(sync.pod)) return { cause: 'completed', sinceMs: nowMs, killAtMs: nowMs + sync.graceMs() }
  if (spec.activeDeadlineSeconds === undefined) return undefined
  const deadlineMs = state.startedAtMs + spec.activeDeadlineSeconds * 1000
  if (deadlineMs > nowMs) {
    sync.requestSync(deadlineMs)
    return undefined
  }
  sync.record('Normal', 'DeadlineExceeded', deadlineMessage)
  return { cause: 'deadline', sinceMs: nowMs, killAtMs: nowMs + sync.graceMs() }
}

/** `byMs`: by how much the grace period was shortened. */
function nextStopped(sync: SyncContext, container: Container, state: ContainerState, byMs: number): ContainerState {
  const { killAtMs } = sync.stopping!
  const { now } = state
  if (now.at !== 'running') return now.at === 'ended' && now.restartAtMs !== undefined ? { ...state, now: withoutRestart(now) } : state
  if (now.stop === undefined) {
    if (!sync.mayBegin()) return state
    sync.record('Normal', 'Killing', `Stopping container ${container.name}`, container)
    return syncContainer(sync, container, { ...state, now: stopContainer(sync, container, now, 'pod', killAtMs) }, false)
  }
  const sooner = byMs > 0 ? stopSooner(state, byMs, sync.nowMs) : undefined
  return syncContainer(sync, container, sooner === undefined ? state : { ...state, now: sooner }, false)
}

function withoutRestart({ restartAtMs: _, ...ended }: Extract<ContainerState['now'], { at: 'ended' }>) {
  return ended
}

/** A container that never started before its pod terminated, as the kubelet reports it. */
function markLost(state: ContainerState, nowMs: number): ContainerState {
  if (state.now.at === 'ended') return state
  return {
    ...state,
    now: {
      at: 'ended',
      startedAtMs: 0,
      finishedAtMs: state.last === undefined ? 0 : nowMs,
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
      message: 'The container could not be located when the pod was terminated',
    },
  }
}

const isRunning = ({ now }: ContainerState) => now.at === 'running'
const isReady = ({ now }: ContainerState) => now.at === 'running' && now.isReady
const hasRun = ({ now, last }: ContainerState) => now.at !== 'waiting' || last !== undefined
const isFinal = ({ now }: ContainerState) => now.at === 'ended' && now.restartAtMs === undefined

/** A sidecar must have started, any other init container must have succeeded. */
function letsNextStart(container: Container, { now }: ContainerState): boolean {
  if (isSidecar(container)) return now.at === 'running' && now.isStarted
  return now.at === 'ended' && now.exitCode === 0
}

function isFailedInit(specs: readonly Container[], states: readonly ContainerState[]): boolean {
  return states.some((state, index) => !isSidecar(specs[index]!) && isFinal(state) && state.now.at === 'ended' && state.now.exitCode !== 0)
}
