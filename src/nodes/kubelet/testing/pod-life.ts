// Plays the life of a pod on a node: syncs it over time, and writes down how its status changes.
import { expect } from 'vitest'
import type { ContainerStatus, Pod, PodStatus } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { noFiles } from '../../shell/files.ts'
import type { PodState } from '../pod-state.ts'
import { firstState } from '../pod-sync.ts'
import type { PodEnvironment, PodEvent } from '../sync-context.ts'
import { syncWithStatus } from './sync-with-status.ts'

export const startMs = Date.UTC(2026, 10, 1, 12)
export const fixed = (ms: number) => ({ ms, spreadMs: 0 })
export const environment: PodEnvironment = {
  salt: 1,
  timing: { pull: fixed(0), start: fixed(100), ready: fixed(0), stop: fixed(50) },
  images: { missing: ['shop/gone'] },
  hostIp: '172.18.0.2',
  podIp: '10.244.0.2',
  hostFiles: noFiles,
  isImagePresent: () => true,
}

export function makePod(spec: object, annotations: Record<string, string> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u-1', generation: 1, annotations },
    spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30, containers: [{ name: 'c', image: 'nginx' }], ...spec },
    status: { phase: 'Pending' },
  } as Pod
}

const shownState = ({ name, state, ready, started, restartCount }: ContainerStatus) => {
  const { waiting, running, terminated } = state ?? {}
  const what = waiting ? waiting.reason : terminated ? `${terminated.reason}(${terminated.exitCode})` : running ? 'running' : '?'
  return `${name}=${what}${running && started ? '+' : ''}${ready ? '!' : ''}${restartCount ? `x${restartCount}` : ''}`
}

/** `+`: started, `!`: ready, `x2`: restarted twice, `R`: the pod is ready. */
function shown({ phase, reason, containerStatuses = [], initContainerStatuses = [], conditions = [] }: PodStatus): string {
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  return [phase, reason, ...initContainerStatuses.map(shownState), ...containerStatuses.map(shownState), isReady && 'R']
    .filter(Boolean)
    .join(' ')
}

interface Life {
  /** `seconds: status`, one line for each change. */
  readonly lines: string[]
  readonly events: PodEvent[]
  readonly printed: string
  readonly pod: Pod
  readonly state: PodState
  readonly syncs: number
}

export type Edit = (pod: Pod) => Pod

export const remove =
  (graceSeconds: number): Edit =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: formatTime(startMs), deletionGracePeriodSeconds: graceSeconds } })
export const annotate =
  (name: string, value: string): Edit =>
  (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: { [name]: value } } })

/** Syncs the pod over time, and applies the edits at their seconds. */
export function live(first: Pod, untilSeconds: number, edits: Readonly<Record<number, Edit>> = {}, pullOrStart = firstState): Life {
  let pod = first
  let state = pullOrStart(pod, startMs, environment)
  let hostFiles = noFiles
  const lines: string[] = []
  const events: PodEvent[] = []
  let printed = ''
  let syncs = 0
  const pending = Object.entries(edits).map(([seconds, edit]) => ({ atMs: startMs + Number(seconds) * 1000, edit }))
  for (let nowMs: number | undefined = startMs; nowMs !== undefined && nowMs <= startMs + untilSeconds * 1000; syncs++) {
    if (pending[0]?.atMs === nowMs) pod = pending.shift()!.edit(pod)
    const step = syncWithStatus(state, pod, nowMs, { ...environment, hostFiles })
    expect(syncWithStatus(state, pod, nowMs, { ...environment, hostFiles })).toEqual(step)
    state = step.state
    hostFiles = step.hostFiles
    events.push(...step.events)
    printed += step.output.flatMap(({ output }) => output.map(({ text }) => text)).join('')
    const before = shown(pod.status!)
    pod = { ...pod, status: step.status }
    if (shown(step.status) !== before) lines.push(`${(nowMs - startMs) / 1000}: ${shown(step.status)}`)
    const next: number = Math.min(step.requeueAtMs ?? Number.POSITIVE_INFINITY, pending[0]?.atMs ?? Number.POSITIVE_INFINITY)
    nowMs = Number.isFinite(next) ? next : undefined
    expect(syncs).toBeLessThan(2000)
  }
  return { lines, events, printed, pod, state, syncs }
}

export const shell = (script: string, more: object = {}) => ({ name: 'c', image: 'busybox', command: ['sh', '-c', script], ...more })
export const job = (script: string, restartPolicy = 'Never') => ({ restartPolicy, containers: [shell(script)] })
