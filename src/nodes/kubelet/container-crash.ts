// Fault injection: containers that crash.
// Ours: injected faults.
import type { Pod } from '../../api/types.ts'
import type { ContainerState, PodState } from './pod-state.ts'

/** The state after the running containers, or the named one, have exited with the code. The same object if none runs. */
export function crashedState(state: PodState, { spec }: Pod, exitCode: number, nowMs: number, container?: string): PodState {
  let hasCrashed = false
  const crash = (states: readonly ContainerState[], names: readonly { readonly name: string }[] | undefined) =>
    states.map((one, index) => {
      if (one.now.at !== 'running' || (container !== undefined && names?.[index]?.name !== container)) return one
      hasCrashed = true
      return { ...one, now: { ...one.now, process: { ...one.now.process, exit: { code: exitCode, atMs: nowMs } } } }
    })
  const initContainers = crash(state.initContainers, spec?.initContainers)
  const containers = crash(state.containers, spec?.containers)
  return hasCrashed ? { ...state, initContainers, containers } : state
}
