// How containers are brought down: preStop, SIGTERM, and SIGKILL when the grace is over.
import type { Container } from '../../api/types.ts'
import { parseSpread } from './duration.ts'
import { runHook } from './program.ts'
import { annotationOf } from './settings.ts'
import type { ContainerState, ContainerStop, Running } from './state.ts'
import type { Turn } from './turn.ts'

/** After a preStop hook that used up the grace there is still this much. */
const leastGraceMs = 2000

/** Begins to stop the container; it has until `killAtMs`. */
export function stopContainer(
  turn: Turn,
  container: Container,
  running: Running,
  cause: ContainerStop['cause'],
  killAtMs: number,
): Running {
  const { nowMs } = turn
  const graceMs = Math.max(0, killAtMs - nowMs)
  const hookMs = graceMs === 0 ? 0 : Math.min(hookTimeOf(turn, container), graceMs)
  const signalAtMs = nowMs + hookMs
  const overrun = annotationOf(turn.pod, 'overrun', container.name)
  const overrunMs = overrun === undefined ? 0 : (parseSpread(overrun)?.ms ?? 0)
  const killedAtMs = (hookMs > 0 ? Math.max(killAtMs, signalAtMs + leastGraceMs) : killAtMs) + overrunMs
  return { ...running, stop: { cause, signalAtMs, isSignalled: false, killAtMs: killedAtMs } }
}

function hookTimeOf(turn: Turn, container: Container): number {
  const hook = container.lifecycle?.preStop
  if (!hook) return 0
  if (hook.sleep) return (hook.sleep.seconds ?? 0) * 1000
  if (!hook.exec) return 0
  const { exitCode, tookMs } = runHook(turn, container, hook.exec.command ?? [])
  if (exitCode !== 0) turn.record('Warning', 'FailedPreStopHook', 'PreStopHook failed', container)
  return tookMs
}

/** Brings forward the end of a container that is being stopped already. */
export function stopSooner({ now }: ContainerState, byMs: number, nowMs: number): Running | undefined {
  if (now.at !== 'running' || now.stop === undefined) return undefined
  const killAtMs = Math.max(nowMs, now.stop.killAtMs - byMs)
  return { ...now, stop: { ...now.stop, killAtMs, signalAtMs: Math.min(now.stop.signalAtMs, killAtMs) } }
}
