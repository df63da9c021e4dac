// Computes the phase of a pod from its containers, as the kubelet does.
// Kubernetes: pkg/kubelet.getPhase

import { isRestarted } from '../../api/kinds/core/pod/validation/status.ts'
import type { Container, PodSpec } from '../../api/types.ts'
import { isSidecar } from '../pod-predicates.ts'
import type { ContainerState, Ended, PodState } from './pod-state.ts'

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed'

/** How the container last terminated. Undefined while it runs, or if it has never run. */
function terminationOf({ now, last }: ContainerState): Ended | undefined {
  return now.at === 'ended' ? now : now.at === 'waiting' ? last : undefined
}

/**
 * Whether the container stays terminated. A container whose image was changed is restarted whatever the policy, so a planned restart
 * counts, also while the new image is pulled.
 */
function isFinal({ now }: ContainerState, container: Container, spec: PodSpec, { exitCode, restartAtMs }: Ended): boolean {
  const isPlanned = now.at === 'waiting' || restartAtMs !== undefined
  return !isPlanned && !isRestarted(container, spec, exitCode)
}

export function phaseOf(state: PodState, spec: PodSpec): Phase {
  if (state.rejected !== undefined || state.stopping?.cause === 'deadline') return 'Failed'
  const counted = countPhase(state, spec)
  // A pod whose containers have all terminated without success has failed.
  return state.isDone && counted !== 'Succeeded' ? 'Failed' : counted
}

function countPhase({ initContainers, containers, isDone }: PodState, spec: PodSpec): Phase {
  const init = countInit(spec.initContainers ?? [], initContainers, spec)
  if (init.failed) return 'Failed'
  let running = init.running
  let waiting = init.waiting
  let stopped = 0
  let final = 0
  let succeeded = 0
  for (const [index, container] of containers.entries()) {
    const termination = terminationOf(container)
    if (container.now.at === 'running') running++
    else if (termination === undefined) waiting++
    else {
      stopped++
      if (isFinal(container, spec.containers[index]!, spec, termination)) final++
      if (container.now.at === 'ended' && termination.exitCode === 0) succeeded++
    }
  }
  const hasStarted = running > init.running || stopped > 0
  if (init.pending || (init.sidecarPending && !hasStarted) || waiting > 0) return 'Pending'
  if (running > 0) return 'Running'
  if (!isDone && stopped !== final) return 'Running'
  return stopped === succeeded ? 'Succeeded' : 'Failed'
}

function countInit(specs: readonly Container[], states: readonly ContainerState[], spec: PodSpec) {
  const count = { pending: false, sidecarPending: false, failed: false, running: 0, waiting: 0 }
  for (const [index, state] of states.entries()) {
    const container = specs[index]!
    const termination = terminationOf(state)
    if (isSidecar(container)) {
      if (state.now.at === 'running') {
        count.running++
        count.sidecarPending ||= !state.now.isStarted
      } else if (termination === undefined) {
        count.sidecarPending = true
        count.waiting++
      }
    } else if (termination === undefined) count.pending = true
    else if (termination.exitCode !== 0) {
      if (isFinal(state, container, spec, termination)) count.failed = true
      else count.pending = true
    }
  }
  return count
}
