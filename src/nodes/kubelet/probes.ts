// Startup, readiness and liveness probes. There is no network: a network probe succeeds unless `fail-probe`, `ready-delay` or the
// known responses of the server say otherwise. A command runs in the script interpreter of the container.
// Kubernetes: pkg/kubelet/prober.worker.doProbe, prober.probe, manager.UpdatePodStatus
// Kubernetes: pkg/probe/http.DoHTTPProbe
// Kubernetes: pkg/kubelet.handleProbeSync
import type { Container, Probe } from '../../api/types.ts'
import { stopContainer } from './container-stop.ts'
import { healthyMs, listensOn, responseOf, servedBy } from './http-responses.ts'
import { faultOf } from './pod-faults.ts'
import { delayMs, failsProbe, type ProbeKind } from './pod-settings.ts'
import type { ContainerState, ProbeState, Running } from './pod-state.ts'
import { probeCommand } from './program.ts'
import { postponedMs, type SyncContext } from './sync-context.ts'

const kinds: readonly ProbeKind[] = ['startup', 'readiness', 'liveness']
const fields = { startup: 'startupProbe', readiness: 'readinessProbe', liveness: 'livenessProbe' } as const
const specOf = (container: Container, kind: ProbeKind): Probe | undefined => container[fields[kind]]
const titles = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' }

const periodMs = ({ periodSeconds }: Probe) => (periodSeconds ?? 10) * 1000

export function firstProbes(container: Container, nowMs: number): Partial<Record<ProbeKind, ProbeState>> {
  const probes: Partial<Record<ProbeKind, ProbeState>> = {}
  for (const kind of kinds) {
    const spec = specOf(container, kind)
    // A container counts as alive until a probe fails, and as not ready until a probe succeeds.
    if (spec) probes[kind] = { nextMs: nowMs + (spec.initialDelaySeconds ?? 0) * 1000, passes: kind === 'liveness', against: 0 }
  }
  return probes
}

interface ProbeResult {
  readonly passes: boolean
  readonly output: string
  /** When the result may change. Absent: not without an external event. */
  readonly changesAtMs?: number
}

/** The container after all probes that are due, with its readiness. */
export function nextProbes(sync: SyncContext, container: Container, state: ContainerState, running: Running): Running {
  if (!container.startupProbe && !container.readinessProbe && !container.livenessProbe)
    return withReadiness(sync, container, state, running)
  let now = running
  for (const kind of kinds) {
    const spec = specOf(container, kind)
    const probe = now[kind]
    if (!spec || !probe) continue
    if (kind !== 'startup' && !now.isStarted) continue
    if (kind === 'startup' && now.isStarted) continue
    const next = nextProbe(sync, container, state, now, kind, spec, probe)
    if (next !== probe) now = { ...now, [kind]: next }
    if (kind === 'startup' && next.passes) now = startOthers(container, now, probe.nextMs ?? sync.nowMs)
    if (kind !== 'readiness' && now[kind]!.against >= (spec.failureThreshold ?? 3)) {
      const graceMs = sync.graceMs(spec.terminationGracePeriodSeconds)
      const isRestarted = kind === 'startup' || sync.spec.restartPolicy !== 'Never'
      const message = `Container ${container.name} failed ${kind} probe${isRestarted ? ', will be restarted' : ''}`
      sync.record('Normal', 'Killing', message, container)
      return stopContainer(sync, container, { ...now, isReady: false }, kind as 'liveness' | 'startup', sync.nowMs + graceMs)
    }
    if (next.nextMs !== undefined) sync.requestSync(next.nextMs)
  }
  return withReadiness(sync, container, state, now)
}

function startOthers(container: Container, running: Running, atMs: number): Running {
  const later = (probe: ProbeState | undefined): ProbeState | undefined =>
    probe === undefined ? undefined : { ...probe, nextMs: Math.max(probe.nextMs ?? atMs, atMs) }
  const readiness = later(running.readiness)
  const liveness = later(running.liveness)
  return {
    ...running,
    isStarted: true,
    ...(readiness && container.readinessProbe && { readiness }),
    ...(liveness && container.livenessProbe && { liveness }),
  }
}

function readyAtMs({ pod, environment }: SyncContext, container: Container, state: ContainerState, { startedAtMs }: Running): number {
  return startedAtMs + delayMs(pod, 'ready', environment, container.name, state.restartCount)
}

function withReadiness(sync: SyncContext, container: Container, state: ContainerState, now: Running): Running {
  let isReady = now.isStarted
  if (container.readinessProbe) isReady &&= now.readiness?.passes ?? false
  else if (isReady) {
    const atMs = readyAtMs(sync, container, state, now)
    isReady = atMs <= sync.nowMs
    if (!isReady) sync.requestSync(atMs)
  }
  if (isReady && faultOf(sync, 'unready', container.name)) isReady = false
  return isReady === now.isReady ? now : { ...now, isReady }
}

function nextProbe(
  sync: SyncContext,
  container: Container,
  state: ContainerState,
  running: Running,
  kind: ProbeKind,
  spec: Probe,
  probe: ProbeState,
): ProbeState {
  const { nowMs, pod } = sync
  const isCommand = spec.exec !== undefined
  const ask = (atMs: number): ProbeResult => {
    const { fails, fromMs } = failsProbe(pod, kind, container.name, atMs - running.startedAtMs)
    if (fails || faultOf(sync, `fail-${kind}`, container.name)) return { passes: false, output: failureOutput(sync, spec) }
    const later = fromMs === undefined ? {} : { changesAtMs: running.startedAtMs + fromMs }
    const readyMs = kind === 'liveness' ? 0 : readyAtMs(sync, container, state, running)
    if (atMs < readyMs) return { passes: false, output: failureOutput(sync, spec), changesAtMs: readyMs }
    if (!isCommand) return { ...probeNetwork(sync, container, spec, atMs, running), ...later }
    return { ...probeCommand(sync, container, spec.exec?.command ?? [], atMs), ...later }
  }
  let next = probe
  // The result was settled, but an annotation or a command has changed it since. It is noticed when the probe is next due.
  if (next.nextMs === undefined) {
    if (ask(nowMs).passes === next.passes) return probe
    const firstMs = running.startedAtMs + (spec.initialDelaySeconds ?? 0) * 1000
    next = { ...next, nextMs: firstMs + Math.ceil((nowMs - firstMs) / periodMs(spec)) * periodMs(spec) }
  }
  while (next.nextMs !== undefined && next.nextMs <= nowMs) {
    if (sync.work.isSpent) return { ...next, nextMs: nowMs + postponedMs }
    sync.work.add(10)
    const atMs = next.nextMs
    const { passes, output, changesAtMs } = ask(atMs)
    if (!passes) sync.record('Warning', 'Unhealthy', `${titles[kind]} probe failed: ${output}`, container)
    const against: number = passes === next.passes ? 0 : next.against + 1
    const threshold = next.passes ? (spec.failureThreshold ?? 3) : (spec.successThreshold ?? 1)
    if (kind === 'startup' && !passes) {
      // A startup probe fails until it passes once: here `against` counts the failures.
      next = { passes: false, against: next.against + 1, nextMs: atMs + periodMs(spec) }
      if (next.against >= (spec.failureThreshold ?? 3)) return next
      continue
    }
    if (kind === 'liveness' && against >= threshold) return { passes: next.passes, against, nextMs: atMs + periodMs(spec) }
    const flips = against >= threshold
    const isSettled = !isCommand && (flips || against === 0) && changesAtMs === undefined
    const settled = { passes: flips ? passes : next.passes, against: flips ? 0 : against }
    const soonest = atMs + periodMs(spec)
    next = isSettled ? settled : { ...settled, nextMs: nextTick(soonest, changesAtMs, periodMs(spec), isCommand || against > 0) }
  }
  return next
}

/** The known response of a server decides; any other server is healthy. */
function probeNetwork(sync: SyncContext, container: Container, spec: Probe, atMs: number, { startedAtMs }: Running): ProbeResult {
  const { pod, files, environment } = sync
  const { httpGet, tcpSocket, grpc } = spec
  const port = httpGet?.port ?? tcpSocket?.port ?? grpc?.port
  if (port !== undefined && !listensOn(container, port, grpc !== undefined)) {
    const address = `${environment.podIp}:${port}`
    const refused = `dial tcp ${address}: connect: connection refused`
    if (grpc) return { passes: false, output: `timeout: failed to connect service ${JSON.stringify(address)} within 1s` }
    return { passes: false, output: httpGet ? `Get "http://${address}${httpGet.path ?? '/'}": ${refused}` : refused }
  }
  const served = httpGet && servedBy(container)
  const code = (served && responseOf(pod, container, files, httpGet.path ?? '/', atMs - startedAtMs)?.code) ?? 200
  if (code >= 400) return { passes: false, output: `HTTP probe failed with statuscode: ${code}` }
  return { passes: true, output: '', ...(served === 'liveness' && { changesAtMs: startedAtMs + healthyMs }) }
}

/** The next tick at which the result can differ. Probes in between are skipped. */
function nextTick(soonestMs: number, changesAtMs: number | undefined, period: number, mustProbe: boolean): number {
  if (mustProbe || changesAtMs === undefined || changesAtMs <= soonestMs) return soonestMs
  return soonestMs + Math.ceil((changesAtMs - soonestMs) / period) * period
}

function failureOutput({ environment }: SyncContext, { httpGet, tcpSocket, grpc }: Probe): string {
  if (httpGet) return 'HTTP probe failed with statuscode: 500'
  if (tcpSocket) return `dial tcp ${environment.podIp}:${tcpSocket.port}: connect: connection refused`
  if (grpc) return 'service unhealthy (responded with "NOT_SERVING")'
  return ''
}
