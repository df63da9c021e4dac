// The life of one container: image, start, run, end, and start again.

import { isRestarted } from '../../api/kinds/core/pod/validation/status.ts'
import type { Container } from '../../api/types.ts'
import { readFile } from '../shell/files.ts'
import { isDue, killProcess, type Output, type Process, runProcess, terminateProcess } from '../shell/process.ts'
import { formatDuration } from './duration.ts'
import { hashText } from './identity.ts'
import { parseImageName, pullError } from './images.ts'
import { faultOf, usualCrashCode } from './pod-faults.ts'
import { firstProbes, nextProbes } from './probes.ts'
import { fileKeyOf, runHook, startProgram } from './program.ts'
import { annotationOf, settingMs } from './settings.ts'
import type { ContainerState, ContainerStop, Ended, Running, Waiting } from './state.ts'
import { stopContainer } from './stop.ts'
import { isEphemeral, isSidecar, longNameOf, type Turn } from './turn.ts'

const firstBackOffMs = 10_000
const longestBackOffMs = 300_000
const backOffForgottenMs = 600_000
/** How long a failed pull is shown as such before it is shown as being waited for. */
const pullErrorShownMs = 1000
/** After so many changes at one moment it is somebody's endless loop. */
const mostChanges = 64

export const newContainer: ContainerState = { now: { at: 'waiting' }, restartCount: 0, pullFailures: 0 }

/** Everything that has become due. `mayStart`: its turn has come. Whatever the container is made of, only the container fails. */
export function nextContainer(turn: Turn, container: Container, state: ContainerState, mayStart: boolean): ContainerState {
  try {
    return nextChanges(turn, container, state, mayStart)
  } catch (error) {
    return failContainer(turn, container, state, error)
  }
}

function failContainer(turn: Turn, container: Container, state: ContainerState, error: unknown): ContainerState {
  const message = `cannot simulate the container: ${error instanceof Error ? error.message.slice(0, 1024) : 'unknown error'}`
  turn.record('Warning', 'Failed', `Error: ${message}`, container)
  const { now, last } = state
  const run = now.at === 'running' || last === undefined ? state.restartCount : (last.run ?? state.restartCount) + 1
  const startedAtMs = now.at === 'running' ? now.startedAtMs : 0
  const ended: Ended = { at: 'ended', startedAtMs, finishedAtMs: turn.nowMs, exitCode: 128, reason: 'ContainerCannotRun', message, run }
  return afterEnd(turn, container, { ...state, restartCount: run }, ended)
}

function nextChanges(turn: Turn, container: Container, state: ContainerState, mayStart: boolean): ContainerState {
  let current = state
  for (let changes = 0; changes < mostChanges; changes++) {
    const next = nextChange(turn, container, current, mayStart)
    if (next === current) return current
    current = next
  }
  turn.wake(turn.nowMs + 1000)
  return current
}

function nextChange(turn: Turn, container: Container, state: ContainerState, mayStart: boolean): ContainerState {
  const { now } = state
  switch (now.at) {
    case 'running':
      return nextRunning(turn, container, state, now)
    case 'ended':
      if (now.againMs === undefined || !mayStart) return state
      if (now.againMs > turn.nowMs) return waitUntil(turn, now.againMs, state)
      if (!turn.mayBegin()) return state
      return begin(turn, container, { ...state, last: now })
    case 'waiting':
      if (!mayStart) return state
      if (now.dueMs !== undefined && now.dueMs > turn.nowMs) return waitUntil(turn, now.dueMs, state)
      if (!turn.mayBegin()) return state
      if (now.reason === 'ErrImagePull') return backOffPull(turn, container, state, now)
      return now.isPulling ? finishPull(turn, container, state) : begin(turn, container, state)
  }
}

function waitUntil(turn: Turn, atMs: number, state: ContainerState): ContainerState {
  turn.wake(atMs)
  return state
}

const waiting = (state: ContainerState, more: Omit<Waiting, 'at'>): ContainerState => ({ ...state, now: { at: 'waiting', ...more } })

function begin(turn: Turn, container: Container, state: ContainerState): ContainerState {
  const { nowMs, surroundings } = turn
  const image = container.image ?? ''
  if (parseImageName(image) === undefined) {
    const message = `Failed to apply default image tag ${JSON.stringify(image)}: couldn't parse image name ${JSON.stringify(image)}: invalid reference format`
    turn.record('Warning', 'InspectFailed', message, container)
    turn.record('Warning', 'Failed', 'Error: InvalidImageName', container)
    return waiting(state, { reason: 'InvalidImageName', message, dueMs: nowMs + longestBackOffMs })
  }
  const error = pullError(image, surroundings.images)
  const isNeverPulled = container.imagePullPolicy === 'Never'
  if (error !== undefined && isNeverPulled) {
    const message = `Container image ${JSON.stringify(image)} is not present with pull policy of Never`
    turn.record('Warning', 'ErrImageNeverPull', message, container)
    turn.record('Warning', 'Failed', 'Error: ErrImageNeverPull', container)
    return waiting(state, { reason: 'ErrImageNeverPull', message, dueMs: nowMs + firstBackOffMs })
  }
  if (error !== undefined) {
    turn.record('Normal', 'Pulling', `Pulling image ${JSON.stringify(image)}`, container)
    turn.record('Warning', 'Failed', `Failed to pull image ${JSON.stringify(image)}: ${error}`, container)
    turn.record('Warning', 'Failed', 'Error: ErrImagePull', container)
    const pullAgainMs = nowMs + Math.min(firstBackOffMs * 2 ** state.pullFailures, longestBackOffMs)
    const failed = { ...state, pullFailures: state.pullFailures + 1 }
    return waiting(failed, { reason: 'ErrImagePull', message: error, dueMs: nowMs + pullErrorShownMs, pullAgainMs })
  }
  // Whoever forbids to pull has put the image there.
  if (isNeverPulled || (container.imagePullPolicy !== 'Always' && surroundings.isImagePresent(image))) {
    const message = `Container image ${JSON.stringify(image)} already present on machine and can be accessed by the pod`
    turn.record('Normal', 'Pulled', message, container)
    return launch(turn, container, state)
  }
  turn.record('Normal', 'Pulling', `Pulling image ${JSON.stringify(image)}`, container)
  const pullMs = pullTimeOf(turn, container, state)
  if (pullMs > 0) return waiting(state, { isPulling: true, dueMs: nowMs + pullMs })
  return finishPull(turn, container, state)
}

function pullTimeOf({ pod, surroundings }: Turn, container: Container, state: ContainerState): number {
  return settingMs(pod, 'pull-delay', surroundings.salt, container.name, state.restartCount, surroundings.timing.pull)!
}

function finishPull(turn: Turn, container: Container, state: ContainerState): ContainerState {
  const image = container.image ?? ''
  const took = formatDuration(pullTimeOf(turn, container, state))
  const size = 1_000_000 + (hashText(image) % 100_000_000)
  const message = `Successfully pulled image ${JSON.stringify(image)} in ${took} (${took} including waiting). Image size: ${size} bytes.`
  turn.record('Normal', 'Pulled', message, container)
  turn.pulled.push(image)
  return launch(turn, container, state)
}

function backOffPull(turn: Turn, container: Container, state: ContainerState, { message, pullAgainMs }: Waiting): ContainerState {
  const text = `Back-off pulling image ${JSON.stringify(container.image)}`
  turn.record('Normal', 'BackOff', text, container)
  turn.record('Warning', 'Failed', 'Error: ImagePullBackOff', container)
  return waiting(state, { reason: 'ImagePullBackOff', message: `${text}: ErrImagePull: ${message}`, dueMs: pullAgainMs! })
}

function launch(turn: Turn, container: Container, state: ContainerState): ContainerState {
  const { nowMs } = turn
  // Whatever ran before makes this one a restart.
  const restartCount = state.last === undefined ? state.restartCount : (state.last.run ?? state.restartCount) + 1
  const fresh = { ...state, restartCount, pullFailures: 0 }
  const started = startProgram(turn, container, restartCount)
  if ('configError' in started) {
    turn.record('Warning', 'Failed', `Error: ${started.configError}`, container)
    return waiting(state, { reason: 'CreateContainerConfigError', message: started.configError, dueMs: nowMs + firstBackOffMs })
  }
  turn.record('Normal', 'Created', 'Container created', container)
  if ('startError' in started) {
    turn.record('Warning', 'Failed', `Error: ${started.startError}`, container)
    const ended: Ended = {
      at: 'ended',
      startedAtMs: 0,
      finishedAtMs: nowMs,
      exitCode: 128,
      reason: 'StartError',
      message: started.startError,
      run: restartCount,
    }
    return afterEnd(turn, container, fresh, ended)
  }
  turn.record('Normal', 'Started', 'Container started', container)
  // What is printed from here on belongs to another log.
  if (restartCount > 0) turn.output.push({ container: container.name, run: restartCount, output: [] })
  const now: Running = {
    at: 'running',
    startedAtMs: nowMs,
    process: runPostStart(turn, container, started.process),
    image: container.image ?? '',
    isStarted: container.startupProbe === undefined,
    isReady: false,
    ...firstProbes(container, nowMs),
  }
  return { ...fresh, now }
}

/** A hook that fails takes the container with it. */
function runPostStart(turn: Turn, container: Container, process: Process): Process {
  const command = container.lifecycle?.postStart?.exec?.command
  if (command === undefined || runHook(turn, container, command).exitCode === 0) return process
  turn.record('Warning', 'FailedPostStartHook', 'PostStartHook failed', container)
  turn.record('Normal', 'Killing', 'FailedPostStartHook', container)
  return killProcess(process, turn.nowMs)
}

function nextRunning(turn: Turn, container: Container, state: ContainerState, running: Running): ContainerState {
  const { nowMs } = turn
  const crash = faultOf(turn, 'crash', container.name)
  if (crash !== undefined) return endOf(turn, container, state, running, crash.exitCode ?? usualCrashCode, nowMs)
  if (running.stop !== undefined) {
    const { isHung = false } = running.stop
    if (faultOf(turn, 'hang', container.name) !== undefined)
      return isHung ? state : { ...state, now: { ...running, stop: { ...running.stop, isHung: true } } }
    // It was let go after its time.
    if (isHung && running.stop.killAtMs <= nowMs) return endOf(turn, container, state, running, usualCrashCode, nowMs)
    if (isHung) return { ...state, now: { ...running, stop: withoutHang(running.stop) } }
  }
  let now = isDue(running.process, nowMs) ? runOn(turn, container, state, running) : running
  const { exit: ended } = now.process
  if (ended !== undefined) return endOf(turn, container, state, now, ended.code, ended.atMs)
  if (now.stop === undefined && now.image !== container.image && turn.stopping === undefined) {
    turn.record('Normal', 'Killing', `Container ${container.name} definition changed, will be restarted`, container)
    now = stopContainer(turn, container, now, 'changed', nowMs + (turn.spec.terminationGracePeriodSeconds ?? 30) * 1000)
  }
  if (now.stop === undefined) now = nextProbes(turn, container, state, now)
  if (now.stop !== undefined) {
    const { signalAtMs, isSignalled, killAtMs } = now.stop
    if (!isSignalled && signalAtMs <= nowMs) {
      const process = askToStop(turn, container, state, now, Math.max(signalAtMs, now.startedAtMs))
      return { ...state, now: { ...now, process, stop: { ...now.stop, isSignalled: true } } }
    }
    const { exit } = killAtMs <= nowMs ? killProcess(now.process, killAtMs) : now.process
    if (exit !== undefined) return endOf(turn, container, state, now, exit.code, exit.atMs)
    turn.wake(isSignalled ? killAtMs : Math.min(signalAtMs, killAtMs))
  }
  if (now.process.nextMs !== undefined) turn.wake(now.process.nextMs)
  return now === running ? state : { ...state, now }
}

function runOn(turn: Turn, container: Container, state: ContainerState, running: Running): Running {
  const { process, files, output } = runProcess(running.process, turn.files, turn.nowMs, turn.work)
  turn.files = files
  turn.print(container, state, output)
  const heard = withOutput(container, running, output)
  return process === heard.process ? heard : { ...heard, process }
}

function withoutHang({ isHung: _, ...stop }: ContainerStop): ContainerStop {
  return stop
}

/** Of the log, so much may stand for the message of a container that left none. */
const mostLastLines = 80
const mostLastCharacters = 2048

function withOutput({ terminationMessagePolicy }: Container, running: Running, output: readonly Output[]): Running {
  if (terminationMessagePolicy !== 'FallbackToLogsOnError' || output.length === 0) return running
  const text = (running.lastOutput ?? '') + output.map((piece) => piece.text).join('')
  const lines = text.slice(-mostLastCharacters).split('\n')
  return { ...running, lastOutput: lines.slice(-mostLastLines - 1).join('\n') }
}

function askToStop({ pod, surroundings }: Turn, container: Container, state: ContainerState, { process }: Running, atMs: number) {
  const stopMs = settingMs(pod, 'stop-delay', surroundings.salt, container.name, state.restartCount, surroundings.timing.stop)!
  return terminateProcess(process, atMs, stopMs, annotationOf(pod, 'stop-delay', container.name) !== undefined)
}

function endOf(turn: Turn, container: Container, state: ContainerState, running: Running, code: number, atMs: number): ContainerState {
  const written = readFile(turn.files, fileKeyOf(container, container.terminationMessagePath ?? '/dev/termination-log'))
  const note = written || (code === 0 ? undefined : running.lastOutput?.trimEnd())
  const ended: Ended = {
    at: 'ended',
    startedAtMs: running.startedAtMs,
    finishedAtMs: Math.max(atMs, running.startedAtMs),
    exitCode: code,
    reason: code === 0 ? 'Completed' : (annotationOf(turn.pod, 'exit-reason', container.name) ?? 'Error'),
    run: state.restartCount,
    ...(note !== undefined && note !== '' && { message: note.slice(0, 4096) }),
  }
  return afterEnd(turn, container, state, ended, running.stop?.cause === 'changed')
}

function mayRestart({ spec }: Turn, container: Container, exitCode: number): boolean {
  // An init container that has succeeded is done, whatever the policy.
  if (isEphemeral(spec, container)) return false
  if (exitCode === 0 && !isSidecar(container) && spec.initContainers?.includes(container)) return false
  return isRestarted(container, spec, exitCode)
}

/** Whether and when it starts again: at once after its first end, then later and later. */
function afterEnd(turn: Turn, container: Container, state: ContainerState, ended: Ended, isChanged = false): ContainerState {
  if (turn.stopping !== undefined || (!isChanged && !mayRestart(turn, container, ended.exitCode))) return { ...state, now: ended }
  const { finishedAtMs } = ended
  // The new run is there before anybody hears of the end of the old one.
  if (isChanged) return { ...state, now: { ...ended, againMs: finishedAtMs } }
  const { backOff } = state
  if (backOff === undefined || finishedAtMs - backOff.atMs > backOffForgottenMs) {
    const { pod, surroundings } = turn
    const startMs = settingMs(pod, 'start-delay', surroundings.salt, container.name, state.restartCount + 1, surroundings.timing.start)!
    const againMs = finishedAtMs + startMs
    return { ...state, now: { ...ended, againMs }, backOff: { delayMs: firstBackOffMs, atMs: againMs } }
  }
  const dueMs = finishedAtMs + backOff.delayMs
  const name = longNameOf(turn.pod)
  turn.record('Warning', 'BackOff', `Back-off restarting failed container ${container.name} in pod ${name}`, container)
  return {
    ...state,
    last: ended,
    backOff: { delayMs: Math.min(backOff.delayMs * 2, longestBackOffMs), atMs: dueMs },
    now: {
      at: 'waiting',
      reason: 'CrashLoopBackOff',
      message: `back-off ${formatDuration(backOff.delayMs)} restarting failed container=${container.name} pod=${name}`,
      dueMs,
    },
  }
}
