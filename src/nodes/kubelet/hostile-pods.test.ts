// Valid pods that exceed a limit: each fails with a reason.
import { describe, expect, it } from 'vitest'
import type { Pod } from '../../api/types.ts'
import { noFiles } from '../shell/files.ts'
import { firstState } from './pod-sync.ts'
import { resumedState } from './resumed-state.ts'
import type { PodEnvironment } from './sync-context.ts'
import { type SyncWithStatus, syncWithStatus } from './testing/sync-with-status.ts'

const fixed = (ms: number) => ({ ms, spreadMs: 0 })
const environment: PodEnvironment = {
  salt: 1,
  timing: { pull: fixed(0), start: fixed(100), ready: fixed(0), stop: fixed(50) },
  images: {},
  hostIp: '172.18.0.2',
  podIp: '10.244.0.2',
  hostFiles: noFiles,
  isImagePresent: () => true,
}

const makePod = (spec: object) =>
  ({
    metadata: { name: 'web', namespace: 'shop', uid: 'u-1' },
    spec: { restartPolicy: 'Never', containers: [], ...spec },
    status: { phase: 'Pending' },
  }) as unknown as Pod

/** Syncs `count` times, each at the requested time. */
function live(pod: Pod, count: number) {
  let state = firstState(pod, 0, environment)
  let current = pod
  let nowMs = 0
  const steps: SyncWithStatus[] = []
  for (let at = 0; at < count; at++) {
    const step = syncWithStatus(state, current, nowMs, environment)
    steps.push(step)
    state = step.state
    current = { ...current, status: step.status }
    if (step.requeueAtMs === undefined) break
    nowMs = step.requeueAtMs
  }
  return { pod: current, state, steps, last: steps.at(-1)!, events: steps.flatMap((step) => step.events) }
}

const deep = `echo $((${'('.repeat(9000)}1${')'.repeat(9000)}))`
const doubling = [
  { name: 'A0', value: 'xxxxxxxxxx' },
  ...Array.from({ length: 41 }, (_, at) => ({ name: `A${at + 1}`, value: `$(A${at})$(A${at})` })),
]
const sleeper = { name: 'c', image: 'busybox', command: ['sleep', 'infinity'] }
const exec = (script: string) => ({ exec: { command: ['sh', '-c', script] } })

describe('a pod that exceeds a limit', () => {
  it('fails with StartError when its variables double in length', () => {
    const { last, events } = live(makePod({ containers: [{ ...sleeper, env: doubling }] }), 5)
    expect(last.status).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 128, reason: 'StartError' } } }],
    })
    expect(events.map(({ message }) => message).join()).toContain('exec sleep: argument list too long')
  })

  it.each<[name: string, container: object, event: RegExp]>([
    ['a readiness probe', { readinessProbe: { ...exec(deep), periodSeconds: 1 } }, /^Readiness probe failed: .*nested too deeply/],
    ['a probe without end', { readinessProbe: { ...exec('while :; do :; done'), periodSeconds: 1 } }, /^Readiness probe failed: /],
    ['a preStop hook', { lifecycle: { preStop: exec(deep) } }, /^PreStopHook failed/],
  ])('fails in %s alone', (_, more, event) => {
    const { pod, state, last } = live(makePod({ containers: [{ ...sleeper, ...more }] }), 4)
    expect(last.status.phase).toBe('Running')
    const deleted = { ...pod, metadata: { ...pod.metadata!, deletionTimestamp: '2026-11-01T12:00:00Z', deletionGracePeriodSeconds: 5 } }
    const stopped = syncWithStatus(state, deleted, 10_000, environment)
    expect([...last.events, ...stopped.events].map(({ message }) => message)).toContainEqual(expect.stringMatching(event))
  })

  it('fails a container with an invalid postStart hook, and runs the others', () => {
    const { last } = live(
      makePod({
        containers: [
          { ...sleeper, lifecycle: { postStart: exec(deep) } },
          { ...sleeper, name: 'other' },
        ],
      }),
      4,
    )
    expect(last.status.containerStatuses).toMatchObject([{ state: { terminated: { exitCode: 137 } } }, { state: { running: {} } }])
  })

  it('fails only the container for which the simulation throws', () => {
    const container = { name: 'c', image: 'busybox' }
    const broken = Object.defineProperty({ ...container }, 'command', {
      enumerable: true,
      get() {
        throw new RangeError('Maximum call stack size exceeded')
      },
    })
    const { last } = live(makePod({ containers: [broken, { ...sleeper, name: 'other' }] }), 4)
    expect(last.status.containerStatuses).toMatchObject([
      {
        state: { terminated: { reason: 'ContainerCannotRun', message: 'cannot simulate the container: Maximum call stack size exceeded' } },
      },
      { state: { running: {} } },
    ])
  })

  it('runs probes although the container exhausts its work budget', () => {
    const busy = { name: 'c', image: 'busybox', command: ['sh', '-c', `while :; do echo ${'x'.repeat(2000)}; done`] }
    const { steps, last } = live(makePod({ containers: [{ ...busy, readinessProbe: { ...exec('true'), periodSeconds: 1 } }] }), 20)
    expect(last.status.containerStatuses).toMatchObject([{ ready: true }])
    expect(Math.max(...steps.map(({ workUnits }) => workUnits))).toBeLessThan(120_000)
  })

  it('starts a thousand containers over several syncs', () => {
    const env = Array.from({ length: 200 }, (_, at) => ({ name: `V${at}`, value: 'x' }))
    const containers = Array.from({ length: 1000 }, (_, at) => ({ ...sleeper, name: `c${at}`, env }))
    const { steps, last } = live(makePod({ containers }), 60)
    expect(Math.max(...steps.map(({ workUnits }) => workUnits))).toBeLessThan(60_000)
    expect(last.status.containerStatuses?.filter(({ state }) => state?.running)).toHaveLength(1000)
  })

  it('is resumed after a restart', () => {
    const { pod } = live(makePod({ restartPolicy: 'Always', containers: [{ ...sleeper, command: ['sh', '-c', `sleep 1h; ${deep}`] }] }), 3)
    const poisoned = { ...pod, spec: { ...pod.spec!, containers: [{ ...sleeper, env: doubling }] } } as Pod
    const state = resumedState(poisoned, 60_000, environment)
    expect(syncWithStatus(state, poisoned, 60_000, environment).status.containerStatuses).toMatchObject([
      { state: { terminated: { reason: 'StartError' } } },
    ])
  })
})
