// Why a pod has not terminated, or is not available, from the pod and its node.
import type { Node, Pod, Stored } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import { trackingFinalizer } from '../../controllers/job/plan/pods.ts'
import { deletionRequestedAtMs, isAvailable, isReady, isTerminal } from '../../controllers/shared/plan/pod-state.ts'

export interface PodCause {
  readonly pod: string
  /** `unavailable`: it is not ready, or not for long enough. */
  readonly state: 'terminating' | 'unavailable'
  /** The deepest cause that the objects show, and what leads to it. */
  readonly because: readonly string[]
}

interface PodCauseSource {
  readonly nodeOf: (pod: Pod) => Stored<Node> | undefined
  /** Its last warning, such as that of a readiness probe. */
  readonly warningOf: (pod: Stored<Pod>) => string | undefined
  readonly minReadySeconds: number
  readonly nowMs: number
}

/** Undefined for an available pod. */
export function causeOfPod(pod: Stored<Pod>, source: PodCauseSource): PodCause | undefined {
  const { name } = pod.metadata
  if (pod.metadata.deletionTimestamp !== undefined) return { pod: name, state: 'terminating', because: causesOfTermination(pod, source) }
  if (isAvailable(pod, source.minReadySeconds, source.nowMs)) return undefined
  return { pod: name, state: 'unavailable', because: causesOfUnavailability(pod, source) }
}

/** `41s`, `12m`, `3h`. */
function lengthText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds}s` : seconds < 7200 ? `${Math.floor(seconds / 60)}m` : `${Math.floor(seconds / 3600)}h`
}

function causesOfTermination(pod: Stored<Pod>, { nodeOf, nowMs }: PodCauseSource): string[] {
  const { finalizers: all = [], deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata
  // Its Job removes that one when the pod has terminated.
  const finalizers = all.filter((finalizer) => finalizer !== trackingFinalizer)
  const found: string[] = []
  if (finalizers.length > 0) found.push(`kept by ${finalizers.length === 1 ? 'finalizer' : 'finalizers'} ${finalizers.join(', ')}`)
  const node = nodeOf(pod)
  const lost = node && lostText(node)
  if (lost !== undefined) found.push(lost)
  const leftMs = parseTime(deletionTimestamp) - nowMs
  const grace =
    leftMs > 0
      ? `${lengthText(leftMs)} of its grace period of ${deletionGracePeriodSeconds}s are left`
      : `its grace period ended ${lengthText(-leftMs)} ago`
  const hooks = (pod.spec?.containers ?? []).filter(({ lifecycle }) => lifecycle?.preStop !== undefined)
  if (isTerminal(pod)) found.push('its containers have ended')
  else if (pod.spec?.nodeName === undefined || pod.spec.nodeName === '') found.push('it has no node')
  else if (hooks.length > 0 && leftMs > 0)
    found.push(`the preStop hook of container ${hooks.map(({ name }) => name).join(', ')} may run: ${grace}`)
  else found.push(grace)
  const sinceMs = deletionRequestedAtMs(pod)
  if (sinceMs !== undefined) found.push(`deleted ${lengthText(nowMs - sinceMs)} ago`)
  return found
}

function lostText({ metadata, status }: Stored<Node>): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready === undefined || ready.status === 'True' ? undefined : `node ${metadata.name} is not ready: ${ready.reason ?? ready.status}`
}

function causesOfUnavailability(pod: Stored<Pod>, { nodeOf, warningOf, minReadySeconds }: PodCauseSource): string[] {
  const { spec, status } = pod
  const gates = spec?.schedulingGates ?? []
  if (gates.length > 0) return [`held back by scheduling gate ${gates.map(({ name }) => name).join(', ')}`]
  const condition = (wanted: string) => status?.conditions?.find(({ type }) => type === wanted)
  const scheduled = condition('PodScheduled')
  if (scheduled?.status === 'False') return [`${scheduled.reason ?? 'not scheduled'}: ${scheduled.message ?? ''}`.replace(/: $/, '')]
  if (!spec?.nodeName) return ['not scheduled yet']
  if (status?.phase === 'Failed')
    return [`failed: ${[status.reason, status.message].filter(Boolean).join(': ') || 'its containers have failed'}`]
  const node = nodeOf(pod)
  const found: string[] = []
  const lost = node && lostText(node)
  if (lost !== undefined) found.push(lost)
  for (const { name, state, lastState } of [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]) {
    const { reason, message } = state?.waiting ?? {}
    if (reason === undefined || reason === 'PodInitializing') continue
    const before = lastState?.terminated
    const last =
      before === undefined ? '' : ` (last exit code ${before.exitCode}${before.reason === undefined ? '' : `, ${before.reason}`})`
    found.push(`container ${name}: ${reason}${message === undefined ? '' : `: ${message}`}${last}`)
  }
  if (found.length > 0) return found
  if (isReady(pod)) return [`ready, and available after minReadySeconds ${minReadySeconds}`]
  const ready = condition('Ready')
  return [warningOf(pod) ?? ready?.message ?? `on node ${spec.nodeName}, and not ready yet`]
}
