// Stops containers: preStop hook, SIGTERM, and SIGKILL after the grace period.
// Kubernetes: pkg/kubelet/kuberuntime.kubeGenericRuntimeManager.killContainer, kubeGenericRuntimeManager.executePreStopHook
// Kubernetes: pkg/kubelet/kuberuntime.setTerminationGracePeriod, terminationOrdering.*
import type { Container } from '../../api/types.ts'
import { annotationOf, parseSpread } from './pod-settings.ts'
import type { ContainerState, ContainerStop, Running } from './pod-state.ts'
import { runHook } from './program.ts'
import type { SyncContext } from './sync-context.ts'

/** The minimum grace period that is left after a preStop hook, as in the kubelet. */
const minGraceMs = 2000

/** Starts to stop the container. SIGKILL follows at `killAtMs`. */
export function stopContainer(
  sync: SyncContext,
  container: Container,
  running: Running,
  cause: ContainerStop['cause'],
  killAtMs: number,
): Running {
  const { nowMs } = sync
  const graceMs = Math.max(0, killAtMs - nowMs)
  const hookMs = graceMs === 0 ? 0 : Math.min(hookTimeOf(sync, container), graceMs)
  const signalAtMs = nowMs + hookMs
  const overrun = annotationOf(sync.pod, 'overrun', container.name)
  const overrunMs = overrun === undefined ? 0 : (parseSpread(overrun)?.ms ?? 0)
  const killedAtMs = (hookMs > 0 ? Math.max(killAtMs, signalAtMs + minGraceMs) : killAtMs) + overrunMs
  return { ...running, stop: { cause, signalAtMs, isSignalled: false, killAtMs: killedAtMs } }
}

function hookTimeOf(sync: SyncContext, container: Container): number {
  const hook = container.lifecycle?.preStop
  if (!hook) return 0
  if (hook.sleep) return (hook.sleep.seconds ?? 0) * 1000
  if (!hook.exec) return 0
  const { exitCode, tookMs } = runHook(sync, container, hook.exec.command ?? [])
  if (exitCode !== 0) sync.record('Warning', 'FailedPreStopHook', 'PreStopHook failed', container)
  return tookMs
}

/** Shortens the grace period of a container that is already stopping. */
export function stopSooner({ now }: ContainerState, byMs: number, nowMs: number): Running | undefined {
  if (now.at !== 'running' || now.stop === undefined) return undefined
  const killAtMs = Math.max(nowMs, now.stop.killAtMs - byMs)
  return { ...now, stop: { ...now.stop, killAtMs, signalAtMs: Math.min(now.stop.signalAtMs, killAtMs) } }
}
