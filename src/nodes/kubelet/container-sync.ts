// Syncs one container: image pull, start, run, exit and restart.
// Kubernetes: pkg/kubelet/kuberuntime.kubeGenericRuntimeManager.startContainer, kubeGenericRuntimeManager.doBackOff
// Kubernetes: pkg/kubelet/images.imageManager.EnsureImageExists, imageManager.pullImage
// Kubernetes: pkg/kubelet/container.ShouldContainerBeRestarted

import { isRestarted } from '../../api/kinds/core/pod/validation/status.ts'
import type { Container } from '../../api/types.ts'
import { backoffMs } from '../../base/backoff.ts'
import { formatGoDuration } from '../../base/duration.ts'
import { messageOf } from '../../base/error-message.ts'
import { isSidecar } from '../pod-predicates.ts'
import { readFile } from '../shell/files.ts'
import { isDue, killProcess, type Output, type Process, runProcess, terminateProcess } from '../shell/process.ts'
import { stopContainer } from './container-stop.ts'
import { parseImageName, pullError } from './image-name.ts'
import { defaultCrashExitCode, faultOf } from './pod-faults.ts'
import { annotationOf, delayMs } from './pod-settings.ts'
import type { ContainerState, ContainerStop, Ended, Running, Waiting } from './pod-state.ts'
import { firstProbes, nextProbes } from './probes.ts'
import { fileKeyOf, runHook, startProgram } from './program.ts'
import { hashString } from './seeded-hash.ts'
import { isEphemeral, longNameOf, type SyncContext } from './sync-context.ts'

const firstBackOffMs = 10_000
const maxBackOffMs = 300_000
const backOffResetMs = 600_000
/** How long a container shows ErrImagePull before it shows ImagePullBackOff. */
const pullErrorShownMs = 1000
/** More changes than this at one time indicate a loop in the container's script. */
const maxChanges = 64

export const newContainer: ContainerState = { now: { at: 'waiting' }, restartCount: 0, pullFailures: 0 }

/** Applies everything that is due. `mayStart`: the containers before it allow it to start. An error fails only this container. */
export function syncContainer(sync: SyncContext, container: Container, state: ContainerState, mayStart: boolean): ContainerState {
  try {
    return nextChanges(sync, container, state, mayStart)
  } catch (error) {
    return failContainer(sync, container, state, error)
  }
}

function failContainer(sync: SyncContext, container: Container, state: ContainerState, error: unknown): ContainerState {
  const message = `cannot simulate the container: ${messageOf(error).slice(0, 1024)}`
  sync.record('Warning', 'Failed', `Error: ${message}`, container)
  const { now, last } = state
  const run = now.at === 'running' || last === undefined ? state.restartCount : (last.run ?? state.restartCount) + 1
  const startedAtMs = now.at === 'running' ? now.startedAtMs : 0
  const ended: Ended = { at: 'ended', startedAtMs, finishedAtMs: sync.nowMs, exitCode: 128, reason: 'ContainerCannotRun', message, run }
  return afterEnd(sync, container, { ...state, restartCount: run }, ended)
}

function nextChanges(sync: SyncContext, container: Container, state: ContainerState, mayStart: boolean): ContainerState {
  let current = state
  for (let changes = 0; changes < maxChanges; changes++) {
    const next = nextChange(sync, container, current, mayStart)
    if (next === current) return current
    current = next
  }
  sync.requestSync(sync.nowMs + 1000)
  return current
}

function nextChange(sync: SyncContext, container: Container, state: ContainerState, mayStart: boolean): ContainerState {
  const { now } = state
  switch (now.at) {
    case 'running':
      return nextRunning(sync, container, state, now)
    case 'ended':
      if (now.restartAtMs === undefined || !mayStart) return state
      if (now.restartAtMs > sync.nowMs) return waitUntil(sync, now.restartAtMs, state)
      if (!sync.mayBegin()) return state
      return pullOrStart(sync, container, { ...state, last: now })
    case 'waiting':
      if (!mayStart) return state
      if (now.dueMs !== undefined && now.dueMs > sync.nowMs) return waitUntil(sync, now.dueMs, state)
      if (!sync.mayBegin()) return state
      if (now.reason === 'ErrImagePull') return backOffPull(sync, container, state, now)
      return now.isPulling ? finishPull(sync, container, state) : pullOrStart(sync, container, state)
  }
}

function waitUntil(sync: SyncContext, atMs: number, state: ContainerState): ContainerState {
  sync.requestSync(atMs)
  return state
}

const waiting = (state: ContainerState, more: Omit<Waiting, 'at'>): ContainerState => ({ ...state, now: { at: 'waiting', ...more } })

function pullOrStart(sync: SyncContext, container: Container, state: ContainerState): ContainerState {
  const { nowMs, environment } = sync
  const image = container.image ?? ''
  if (parseImageName(image) === undefined) {
    const message = `Failed to apply default image tag ${JSON.stringify(image)}: couldn't parse image name ${JSON.stringify(image)}: invalid reference format`
    sync.record('Warning', 'InspectFailed', message, container)
    sync.record('Warning', 'Failed', 'Error: InvalidImageName', container)
    return waiting(state, { reason: 'InvalidImageName', message, dueMs: nowMs + maxBackOffMs })
  }
  const error = pullError(image, environment.images)
  const isNeverPulled = container.imagePullPolicy === 'Never'
  if (error !== undefined && isNeverPulled) {
    const message = `Container image ${JSON.stringify(image)} is not present with pull policy of Never`
    sync.record('Warning', 'ErrImageNeverPull', message, container)
    sync.record('Warning', 'Failed', 'Error: ErrImageNeverPull', container)
    return waiting(state, { reason: 'ErrImageNeverPull', message, dueMs: nowMs + firstBackOffMs })
  }
  if (error !== undefined) {
    sync.record('Normal', 'Pulling', `Pulling image ${JSON.stringify(image)}`, container)
    sync.record('Warning', 'Failed', `Failed to pull image ${JSON.stringify(image)}: ${error}`, container)
    sync.record('Warning', 'Failed', 'Error: ErrImagePull', container)
    const nextPullMs = nowMs + backoffMs(state.pullFailures + 1, { firstMs: firstBackOffMs, maxMs: maxBackOffMs })
    const failed = { ...state, pullFailures: state.pullFailures + 1 }
    return waiting(failed, { reason: 'ErrImagePull', message: error, dueMs: nowMs + pullErrorShownMs, nextPullMs })
  }
  // With the policy Never, the image counts as present on the node.
  if (isNeverPulled || (container.imagePullPolicy !== 'Always' && environment.isImagePresent(image))) {
    const message = `Container image ${JSON.stringify(image)} already present on machine and can be accessed by the pod`
    sync.record('Normal', 'Pulled', message, container)
    return startContainer(sync, container, state)
  }
  sync.record('Normal', 'Pulling', `Pulling image ${JSON.stringify(image)}`, container)
  const pullMs = pullTimeOf(sync, container, state)
  if (pullMs > 0) return waiting(state, { isPulling: true, dueMs: nowMs + pullMs })
  return finishPull(sync, container, state)
}

function pullTimeOf({ pod, environment }: SyncContext, container: Container, state: ContainerState): number {
  return delayMs(pod, 'pull', environment, container.name, state.restartCount)
}

function finishPull(sync: SyncContext, container: Container, state: ContainerState): ContainerState {
  const image = container.image ?? ''
  const took = formatGoDuration(pullTimeOf(sync, container, state))
  const size = 1_000_000 + (hashString(image) % 100_000_000)
  const message = `Successfully pulled image ${JSON.stringify(image)} in ${took} (${took} including waiting). Image size: ${size} bytes.`
  sync.record('Normal', 'Pulled', message, container)
  sync.pulled.push(image)
  return startContainer(sync, container, state)
}

function backOffPull(sync: SyncContext, container: Container, state: ContainerState, { message, nextPullMs }: Waiting): ContainerState {
  const text = `Back-off pulling image ${JSON.stringify(container.image)}`
  sync.record('Normal', 'BackOff', text, container)
  sync.record('Warning', 'Failed', 'Error: ImagePullBackOff', container)
  return waiting(state, { reason: 'ImagePullBackOff', message: `${text}: ErrImagePull: ${message}`, dueMs: nextPullMs! })
}

function startContainer(sync: SyncContext, container: Container, state: ContainerState): ContainerState {
  const { nowMs } = sync
  // Any earlier run makes this one a restart.
  const restartCount = state.last === undefined ? state.restartCount : (state.last.run ?? state.restartCount) + 1
  const fresh = { ...state, restartCount, pullFailures: 0 }
  const started = startProgram(sync, container, restartCount)
  if ('configError' in started) {
    sync.record('Warning', 'Failed', `Error: ${started.configError}`, container)
    return waiting(state, { reason: 'CreateContainerConfigError', message: started.configError, dueMs: nowMs + firstBackOffMs })
  }
  sync.record('Normal', 'Created', 'Container created', container)
  if ('startError' in started) {
    sync.record('Warning', 'Failed', `Error: ${started.startError}`, container)
    const ended: Ended = {
      at: 'ended',
      startedAtMs: 0,
      finishedAtMs: nowMs,
      exitCode: 128,
      reason: 'StartError',
      message: started.startError,
      run: restartCount,
    }
    return afterEnd(sync, container, fresh, ended)
  }
  sync.record('Normal', 'Started', 'Container started', container)
  // Starts the log of the new run.
  if (restartCount > 0) sync.output.push({ container: container.name, run: restartCount, output: [] })
  const now: Running = {
    at: 'running',
    startedAtMs: nowMs,
    process: runPostStart(sync, container, started.process),
    image: container.image ?? '',
    isStarted: container.startupProbe === undefined,
    isReady: false,
    ...firstProbes(container, nowMs),
  }
  return { ...fresh, now }
}

/** A failed postStart hook kills the container. */
function runPostStart(sync: SyncContext, container: Container, process: Process): Process {
  const command = container.lifecycle?.postStart?.exec?.command
  if (command === undefined || runHook(sync, container, command).exitCode === 0) return process
  sync.record('Warning', 'FailedPostStartHook', 'PostStartHook failed', container)
  sync.record('Normal', 'Killing', 'FailedPostStartHook', container)
  return killProcess(process, sync.nowMs)
}

function nextRunning(sync: SyncContext, container: Container, state: ContainerState, running: Running): ContainerState {
  const { nowMs } = sync
  const crash = faultOf(sync, 'crash', container.name)
  if (crash !== undefined) return terminate(sync, container, state, running, crash.exitCode ?? defaultCrashExitCode, nowMs)
  if (running.stop !== undefined) {
    const { isHung = false } = running.stop
    if (faultOf(sync, 'hang', container.name) !== undefined)
      return isHung ? state : { ...state, now: { ...running, stop: { ...running.stop, isHung: true } } }
    // The fault ended after the grace period had passed.
    if (isHung && running.stop.killAtMs <= nowMs) return terminate(sync, container, state, running, defaultCrashExitCode, nowMs)
    if (isHung) return { ...state, now: { ...running, stop: withoutHang(running.stop) } }
  }
  let now = isDue(running.process, nowMs) ? continueProcess(sync, container, state, running) : running
  const { exit: ended } = now.process
  if (ended !== undefined) return terminate(sync, container, state, now, ended.code, ended.atMs)
  if (now.stop === undefined && now.image !== container.image && sync.stopping === undefined) {
    sync.record('Normal', 'Killing', `Container ${container.name} definition changed, will be restarted`, container)
    now = stopContainer(sync, container, now, 'changed', nowMs + sync.graceMs())
  }
  if (now.stop === undefined) now = nextProbes(sync, container, state, now)
  if (now.stop !== undefined) {
    const { signalAtMs, isSignalled, killAtMs } = now.stop
    if (!isSignalled && signalAtMs <= nowMs) {
      const process = signalStop(sync, container, state, now, Math.max(signalAtMs, now.startedAtMs))
      return { ...state, now: { ...now, process, stop: { ...now.stop, isSignalled: true } } }
    }
    const { exit } = killAtMs <= nowMs ? killProcess(now.process, killAtMs) : now.process
    if (exit !== undefined) return terminate(sync, container, state, now, exit.code, exit.atMs)
    sync.requestSync(isSignalled ? killAtMs : Math.min(signalAtMs, killAtMs))
  }
  if (now.process.nextMs !== undefined) sync.requestSync(now.process.nextMs)
  return now === running ? state : { ...state, now }
}

function continueProcess(sync: SyncContext, container: Container, state: ContainerState, running: Running): Running {
  const { process, files, output } = runProcess(running.process, sync.files, sync.nowMs, sync.work)
  sync.files = files
  sync.print(container, state, output)
  const withLastOutput = withOutput(container, running, output)
  return process === withLastOutput.process ? withLastOutput : { ...withLastOutput, process }
}

function withoutHang({ isHung: _, ...stop }: ContainerStop): ContainerStop {
  return stop
}

/** How much of the log may become the termination message (FallbackToLogsOnError). */
const maxLastLines = 80
const maxLastCharacters = 2048

function withOutput({ terminationMessagePolicy }: Container, running: Running, output: readonly Output[]): Running {
  if (terminationMessagePolicy !== 'FallbackToLogsOnError' || output.length === 0) return running
  const text = (running.lastOutput ?? '') + output.map((piece) => piece.text).join('')
  const lines = text.slice(-maxLastCharacters).split('\n')
  return { ...running, lastOutput: lines.slice(-maxLastLines - 1).join('\n') }
}

function signalStop({ pod, environment }: SyncContext, container: Container, state: ContainerState, { process }: Running, atMs: number) {
  const stopMs = delayMs(pod, 'stop', environment, container.name, state.restartCount)
  return terminateProcess(process, atMs, stopMs, annotationOf(pod, 'stop-delay', container.name) !== undefined)
}

function terminate(
  sync: SyncContext,
  container: Container,
  state: ContainerState,
  running: Running,
  code: number,
  atMs: number,
): ContainerState {
  const written = readFile(sync.files, fileKeyOf(container, container.terminationMessagePath ?? '/dev/termination-log'))
  const note = written || (code === 0 ? undefined : running.lastOutput?.trimEnd())
  const ended: Ended = {
    at: 'ended',
    startedAtMs: running.startedAtMs,
    finishedAtMs: Math.max(atMs, running.startedAtMs),
    exitCode: code,
    reason: code === 0 ? 'Completed' : (annotationOf(sync.pod, 'exit-reason', container.name) ?? 'Error'),
    run: state.restartCount,
    ...(note !== undefined && note !== '' && { message: note.slice(0, 4096) }),
  }
  return afterEnd(sync, container, state, ended, running.stop?.cause === 'changed')
}

function mayRestart({ spec }: SyncContext, container: Container, exitCode: number): boolean {
  // An init container that has succeeded is not restarted, whatever the policy.
  if (isEphemeral(spec, container)) return false
  if (exitCode === 0 && !isSidecar(container) && spec.initContainers?.includes(container)) return false
  return isRestarted(container, spec, exitCode)
}

/** Whether and when the container restarts: at once after its first exit, then with exponential back-off. */
function afterEnd(sync: SyncContext, container: Container, state: ContainerState, ended: Ended, isChanged = false): ContainerState {
  if (sync.stopping !== undefined || (!isChanged && !mayRestart(sync, container, ended.exitCode))) return { ...state, now: ended }
  const { finishedAtMs } = ended
  // With a new image the container restarts at once, so that only the new run is reported.
  if (isChanged) return { ...state, now: { ...ended, restartAtMs: finishedAtMs } }
  const { backOff } = state
  if (backOff === undefined || finishedAtMs - backOff.atMs > backOffResetMs) {
    const restartAtMs = finishedAtMs + delayMs(sync.pod, 'start', sync.environment, container.name, state.restartCount + 1)
    return { ...state, now: { ...ended, restartAtMs }, backOff: { delayMs: firstBackOffMs, atMs: restartAtMs } }
  }
  const dueMs = finishedAtMs + backOff.delayMs
  const name = longNameOf(sync.pod)
  sync.record('Warning', 'BackOff', `Back-off restarting failed container ${container.name} in pod ${name}`, container)
  return {
    ...state,
    last: ended,
    backOff: { delayMs: Math.min(backOff.delayMs * 2, maxBackOffMs), atMs: dueMs },
    now: {
      at: 'waiting',
      reason: 'CrashLoopBackOff',
      message: `back-off ${formatGoDuration(backOff.delayMs)} restarting failed container=${container.name} pod=${name}`,
      dueMs,
    },
  }
}
