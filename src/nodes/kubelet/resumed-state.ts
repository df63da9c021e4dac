// Restores the state of a pod from its status, after a restart of this process.
// Ours: a simulated node has no container runtime that would know the state.
import type { Container, ContainerStatus, Pod } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import { isFinished } from '../pod-predicates.ts'
import { noFiles } from '../shell/files.ts'
import { newContainer } from './container-sync.ts'
import type { ContainerState, Ended, PodState } from './pod-state.ts'
import { firstState } from './pod-sync.ts'
import { firstProbes } from './probes.ts'
import { startProgram } from './program.ts'
import { ephemeralOf, isEphemeral, type PodEnvironment, SyncContext } from './sync-context.ts'

export function resumedState(pod: Pod, nowMs: number, environment: PodEnvironment): PodState {
  const { status = {}, spec } = pod
  const first = firstState(pod, nowMs, environment)
  const isDone = isFinished(pod)
  if (status.startTime === undefined || (!status.containerStatuses && !isDone)) return first
  const sync = new SyncContext(pod, nowMs, environment, noFiles, undefined)
  const take = (containers: readonly Container[] | undefined, statuses: readonly ContainerStatus[] | undefined) => {
    const byName = new Map((statuses ?? []).map((one) => [one.name, one]))
    return (containers ?? []).map((container) => {
      const found = byName.get(container.name)
      return found === undefined ? newContainer : resumedContainer(sync, container, found)
    })
  }
  const startedAtMs = parseTime(status.startTime)
  const rejected =
    isDone && !status.containerStatuses && status.reason
      ? { reason: status.reason, message: withoutRejectionPrefix(status.message ?? '') }
      : undefined
  return {
    ...first,
    startedAtMs,
    sandboxAtMs: status.podIP ? startedAtMs : first.sandboxAtMs,
    initContainers: take(spec?.initContainers, status.initContainerStatuses),
    containers: take(spec?.containers, status.containerStatuses),
    ...(status.ephemeralContainerStatuses && {
      ephemeralContainers: take(spec && ephemeralOf(spec), status.ephemeralContainerStatuses),
    }),
    isDone,
    ...(rejected && { rejected }),
  }
}

const withoutRejectionPrefix = (message: string) => message.replace(/^Pod was rejected: /, '')
const timeOf = (text: string | undefined | null) => (text ? parseTime(text) : 0)

function endedOf(terminated: NonNullable<NonNullable<ContainerStatus['state']>['terminated']>, run: number): Ended {
  const { startedAt, finishedAt, exitCode = 0, reason = 'Error', message, containerID } = terminated
  return {
    at: 'ended',
    startedAtMs: timeOf(startedAt),
    finishedAtMs: timeOf(finishedAt),
    exitCode,
    reason,
    ...(message !== undefined && { message }),
    ...(containerID && { run }),
  }
}

function resumedContainer(
  sync: SyncContext,
  container: Container,
  { state, lastState, restartCount, started, ready }: ContainerStatus,
): ContainerState {
  const last = lastState?.terminated ? { last: endedOf(lastState.terminated, Math.max(0, restartCount - (state?.waiting ? 0 : 1))) } : {}
  const base = { ...newContainer, restartCount, ...last }
  if (state?.terminated) {
    const ended = endedOf(state.terminated, restartCount)
    const isOver =
      isEphemeral(sync.spec, container) ||
      sync.spec.restartPolicy === 'Never' ||
      (sync.spec.restartPolicy === 'OnFailure' && ended.exitCode === 0)
    return { ...base, now: isOver ? ended : { ...ended, restartAtMs: sync.nowMs } }
  }
  if (!state?.running) return base
  const startedAtMs = timeOf(state.running.startedAt)
  const begun = new SyncContext(sync.pod, startedAtMs, sync.environment, noFiles, undefined)
  const program = sync.work.isSpent ? undefined : startAgain(begun, container, restartCount)
  sync.work.add(begun.workUnits)
  if (program === undefined || !('process' in program)) return base
  const probes = firstProbes(container, sync.nowMs)
  return {
    ...base,
    now: {
      at: 'running',
      startedAtMs,
      process: program.process,
      image: container.image ?? '',
      isStarted: started ?? true,
      isReady: ready,
      ...probes,
      ...(probes.readiness && { readiness: { ...probes.readiness, passes: ready } }),
    },
  }
}

/** Undefined: it cannot be simulated. It then starts again, and fails again. */
function startAgain(sync: SyncContext, container: Container, run: number) {
  try {
    return startProgram(sync, container, run)
  } catch {
    return undefined
  }
}
