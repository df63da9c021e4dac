// What goes wrong in a pod because somebody asked for it: by command, or by annotation.
import { annotationOf, type ProbeKind } from './pod-settings.ts'
import type { SyncContext } from './sync-context.ts'

/**
 * `crash`: containers end as soon as they run. `hang`: containers that are stopped do not end. `unready`: containers are
 * not ready, whatever their probes say. `fail-…`: the probe fails.
 */
type PodFaultAction = 'crash' | 'hang' | 'unready' | `fail-${ProbeKind}`

export interface PodFault {
  readonly action: PodFaultAction
  /** Absent: all of them. */
  readonly container?: string
  /** Of a crash. */
  readonly exitCode?: number
}

export const defaultCrashExitCode = 137

/** The fault that this container runs into now. */
export function faultOf({ pod, environment }: SyncContext, action: PodFaultAction, container: string): PodFault | undefined {
  const asked = environment.faults?.find((fault) => fault.action === action && (fault.container ?? container) === container)
  if (asked !== undefined) return asked
  const isSaid = (action === 'hang' || action === 'unready') && annotationOf(pod, action, container) === 'true'
  return isSaid ? { action } : undefined
}
