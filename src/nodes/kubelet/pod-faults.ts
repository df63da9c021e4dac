// Faults that users inject into pods, by command or by annotation.
// Ours: injected faults.
import { annotationOf, type ProbeKind } from './pod-settings.ts'
import type { SyncContext } from './sync-context.ts'

/**
 * `crash`: containers exit as soon as they run. `hang`: containers that are being stopped do not exit. `unready`: containers
 * are not ready, whatever their probes return. `fail-…`: the probe fails.
 */
type PodFaultAction = 'crash' | 'hang' | 'unready' | `fail-${ProbeKind}`

export interface PodFault {
  readonly action: PodFaultAction
  /** Absent: all containers. */
  readonly container?: string
  /** Only for `crash`. */
  readonly exitCode?: number
}

export const defaultCrashExitCode = 137

/** The fault that applies to the container now. */
export function faultOf({ pod, environment }: SyncContext, action: PodFaultAction, container: string): PodFault | undefined {
  const injected = environment.faults?.find((fault) => fault.action === action && (fault.container ?? container) === container)
  if (injected !== undefined) return injected
  const isAnnotated = (action === 'hang' || action === 'unready') && annotationOf(pod, action, container) === 'true'
  return isAnnotated ? { action } : undefined
}
